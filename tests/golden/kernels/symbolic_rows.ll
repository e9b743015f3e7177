; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_sum_div_8b4fc1ff(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  %s0 = load i64, ptr %1, align 4, !invariant.load !0
  %4 = add i64 %s0, 31
  %5 = ashr i64 %4, 5
  %6 = call i64 @llvm.smax.i64(i64 %5, i64 0)
  store ptr %0, ptr %context, align 8
  %7 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %7, align 8
  %8 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %8, align 8
  %9 = load ptr, ptr %2, align 8
  call void %9(ptr nonnull %2, i64 %6, i64 12, ptr nonnull @fused_sum_div_8b4fc1ff.tasks0, ptr nonnull %context) #4
  ret void
}

; Function Attrs: nounwind
define internal void @fused_sum_div_8b4fc1ff.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %mask = alloca i32, align 4
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %5 = load ptr, ptr %4, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b2_1 = load ptr, ptr %6, align 8, !invariant.load !0
  %s0 = load i64, ptr %5, align 4, !invariant.load !0
  %7 = icmp slt i64 %1, %2
  br i1 %7, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %endtail
  %task.0 = phi i64 [ %37, %endtail ], [ %1, %loop.preheader ]
  %i = phi i64 [ %38, %endtail ], [ %1, %loop.preheader ]
  %8 = shl i64 %task.0, 5
  %9 = sub i64 %s0, %8
  %10 = call i64 @llvm.smin.i64(i64 %9, i64 32)
  %11 = and i64 %10, -32
  %12 = icmp sgt i64 %9, 31
  br i1 %12, label %loop1.preheader, label %done2

loop1.preheader:                                  ; preds = %loop
  %13 = mul i64 %task.0, 640
  br label %loop1

done.loopexit:                                    ; preds = %endtail
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop1:                                            ; preds = %loop1.preheader, %done8
  %i3 = phi i64 [ %28, %done8 ], [ 0, %loop1.preheader ]
  %14 = mul i64 %i3, 20
  %invariant.op = add i64 %13, %14
  br label %loop4

done2.loopexit:                                   ; preds = %done8
  br label %done2

done2:                                            ; preds = %done2.loopexit, %loop
  %.not = icmp eq i64 %11, %10
  br i1 %.not, label %endtail, label %tail

loop4:                                            ; preds = %loop1, %loop4
  %var.0 = phi <32 x float> [ zeroinitializer, %loop1 ], [ %18, %loop4 ]
  %i6 = phi i64 [ 0, %loop1 ], [ %19, %loop4 ]
  %.reass = add i64 %i6, %invariant.op
  %.splatinsert = insertelement <32 x i64> poison, i64 %.reass, i64 0
  %.splat = shufflevector <32 x i64> %.splatinsert, <32 x i64> poison, <32 x i32> zeroinitializer
  %15 = add <32 x i64> %.splat, <i64 0, i64 20, i64 40, i64 60, i64 80, i64 100, i64 120, i64 140, i64 160, i64 180, i64 200, i64 220, i64 240, i64 260, i64 280, i64 300, i64 320, i64 340, i64 360, i64 380, i64 400, i64 420, i64 440, i64 460, i64 480, i64 500, i64 520, i64 540, i64 560, i64 580, i64 600, i64 620>
  %16 = getelementptr float, ptr %x_0, <32 x i64> %15
  %17 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %16, <32 x i1> splat (i1 true), <32 x float> poison)
  %18 = fadd <32 x float> %var.0, %17
  %19 = add nuw nsw i64 %i6, 1
  %20 = icmp samesign ult i64 %i6, 19
  br i1 %20, label %loop4, label %loop7.preheader

loop7.preheader:                                  ; preds = %loop4
  br label %loop7

loop7:                                            ; preds = %loop7.preheader, %loop7
  %i9 = phi i64 [ %26, %loop7 ], [ 0, %loop7.preheader ]
  %.reass31 = add i64 %i9, %invariant.op
  %.splatinsert10 = insertelement <32 x i64> poison, i64 %.reass31, i64 0
  %.splat11 = shufflevector <32 x i64> %.splatinsert10, <32 x i64> poison, <32 x i32> zeroinitializer
  %21 = add <32 x i64> %.splat11, <i64 0, i64 20, i64 40, i64 60, i64 80, i64 100, i64 120, i64 140, i64 160, i64 180, i64 200, i64 220, i64 240, i64 260, i64 280, i64 300, i64 320, i64 340, i64 360, i64 380, i64 400, i64 420, i64 440, i64 460, i64 480, i64 500, i64 520, i64 540, i64 560, i64 580, i64 600, i64 620>
  %22 = getelementptr float, ptr %x_0, <32 x i64> %21
  %23 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %22, <32 x i1> splat (i1 true), <32 x float> poison)
  %24 = fdiv <32 x float> %23, %18
  %25 = getelementptr float, ptr %b2_1, <32 x i64> %21
  call void @llvm.masked.scatter.v32f32.v32p0(<32 x float> %24, <32 x ptr> align 4 %25, <32 x i1> splat (i1 true))
  %26 = add nuw nsw i64 %i9, 1
  %27 = icmp samesign ult i64 %i9, 19
  br i1 %27, label %loop7, label %done8

done8:                                            ; preds = %loop7
  %28 = add nuw nsw i64 %i3, 32
  %29 = icmp slt i64 %28, %11
  br i1 %29, label %loop1, label %done2.loopexit

tail:                                             ; preds = %done2
  %30 = trunc i64 %10 to i32
  %31 = and i32 %30, 31
  store volatile i32 %31, ptr %lanes, align 4
  %32 = load volatile i32, ptr %lanes, align 4
  %.splatinsert14 = insertelement <32 x i32> poison, i32 %32, i64 0
  %.splat15 = shufflevector <32 x i32> %.splatinsert14, <32 x i32> poison, <32 x i32> zeroinitializer
  %33 = icmp ugt <32 x i32> %.splat15, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %34 = mul i64 %task.0, 640
  %35 = mul i64 %11, 20
  %invariant.op32 = add i64 %34, %35
  %36 = bitcast <32 x i1> %33 to i32
  br label %loop17

endtail.loopexit:                                 ; preds = %loop22
  br label %endtail

endtail:                                          ; preds = %endtail.loopexit, %done2
  %37 = add i64 %task.0, 1
  %38 = add nsw i64 %i, 1
  %39 = icmp slt i64 %38, %2
  br i1 %39, label %loop, label %done.loopexit

loop17:                                           ; preds = %tail, %loop17
  %var16.0 = phi <32 x float> [ zeroinitializer, %tail ], [ %46, %loop17 ]
  %i19 = phi i64 [ 0, %tail ], [ %47, %loop17 ]
  %.reass33 = add i64 %i19, %invariant.op32
  %.splatinsert20 = insertelement <32 x i64> poison, i64 %.reass33, i64 0
  %.splat21 = shufflevector <32 x i64> %.splatinsert20, <32 x i64> poison, <32 x i32> zeroinitializer
  %40 = add <32 x i64> %.splat21, <i64 0, i64 20, i64 40, i64 60, i64 80, i64 100, i64 120, i64 140, i64 160, i64 180, i64 200, i64 220, i64 240, i64 260, i64 280, i64 300, i64 320, i64 340, i64 360, i64 380, i64 400, i64 420, i64 440, i64 460, i64 480, i64 500, i64 520, i64 540, i64 560, i64 580, i64 600, i64 620>
  %41 = getelementptr float, ptr %x_0, <32 x i64> %40
  %42 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %41, <32 x i1> %33, <32 x float> zeroinitializer)
  %43 = fadd <32 x float> %var16.0, %42
  store volatile i32 %36, ptr %mask, align 4
  %44 = load volatile i32, ptr %mask, align 4
  %45 = bitcast i32 %44 to <32 x i1>
  %46 = select <32 x i1> %45, <32 x float> %43, <32 x float> %var16.0
  %47 = add nuw nsw i64 %i19, 1
  %48 = icmp samesign ult i64 %i19, 19
  br i1 %48, label %loop17, label %loop22.preheader

loop22.preheader:                                 ; preds = %loop17
  br label %loop22

loop22:                                           ; preds = %loop22.preheader, %loop22
  %i24 = phi i64 [ %54, %loop22 ], [ 0, %loop22.preheader ]
  %.reass35 = add i64 %i24, %invariant.op32
  %.splatinsert25 = insertelement <32 x i64> poison, i64 %.reass35, i64 0
  %.splat26 = shufflevector <32 x i64> %.splatinsert25, <32 x i64> poison, <32 x i32> zeroinitializer
  %49 = add <32 x i64> %.splat26, <i64 0, i64 20, i64 40, i64 60, i64 80, i64 100, i64 120, i64 140, i64 160, i64 180, i64 200, i64 220, i64 240, i64 260, i64 280, i64 300, i64 320, i64 340, i64 360, i64 380, i64 400, i64 420, i64 440, i64 460, i64 480, i64 500, i64 520, i64 540, i64 560, i64 580, i64 600, i64 620>
  %50 = getelementptr float, ptr %x_0, <32 x i64> %49
  %51 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %50, <32 x i1> %33, <32 x float> zeroinitializer)
  %52 = fdiv <32 x float> %51, %46
  %53 = getelementptr float, ptr %b2_1, <32 x i64> %49
  call void @llvm.masked.scatter.v32f32.v32p0(<32 x float> %52, <32 x ptr> align 4 %53, <32 x i1> %33)
  %54 = add nuw nsw i64 %i24, 1
  %55 = icmp samesign ult i64 %i24, 19
  br i1 %55, label %loop22, label %endtail.loopexit
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(read)
declare <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr>, <32 x i1>, <32 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(write)
declare void @llvm.masked.scatter.v32f32.v32p0(<32 x float>, <32 x ptr>, <32 x i1>) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(read) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(write) }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }

!0 = !{}
