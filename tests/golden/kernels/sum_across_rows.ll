; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_square_sum_01e1c95d(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 4, i64 42, ptr nonnull @fused_square_sum_01e1c95d.tasks0, ptr nonnull %context) #4
  ret void
}

; Function Attrs: nounwind
define internal void @fused_square_sum_01e1c95d.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %mask = alloca i32, align 4
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b2_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %endtail
  %task.0 = phi i64 [ %25, %endtail ], [ %1, %loop.preheader ]
  %i = phi i64 [ %26, %endtail ], [ %1, %loop.preheader ]
  %6 = shl i64 %task.0, 5
  %7 = sub i64 100, %6
  %8 = call i64 @llvm.smin.i64(i64 %7, i64 32)
  %9 = and i64 %8, -32
  %10 = icmp sgt i64 %7, 31
  br i1 %10, label %loop1.preheader, label %done2

loop1.preheader:                                  ; preds = %loop
  %.idx12 = shl i64 %task.0, 7
  %11 = getelementptr i8, ptr %b2_1, i64 %.idx12
  %invariant.gep = getelementptr i8, ptr %x_0, i64 %.idx12
  br label %loop1

done.loopexit:                                    ; preds = %endtail
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop1:                                            ; preds = %loop1.preheader, %done5
  %i3 = phi i64 [ %18, %done5 ], [ 0, %loop1.preheader ]
  %invariant.gep17 = getelementptr float, ptr %invariant.gep, i64 %i3
  br label %loop4

done2.loopexit:                                   ; preds = %done5
  br label %done2

done2:                                            ; preds = %done2.loopexit, %loop
  %.not = icmp eq i64 %9, %8
  br i1 %.not, label %endtail, label %tail

loop4:                                            ; preds = %loop1, %loop4
  %var.0 = phi <32 x float> [ zeroinitializer, %loop1 ], [ %14, %loop4 ]
  %i6 = phi i64 [ 0, %loop1 ], [ %15, %loop4 ]
  %.idx = mul i64 %i6, 400
  %gep18 = getelementptr i8, ptr %invariant.gep17, i64 %.idx
  %12 = load <32 x float>, ptr %gep18, align 4, !invariant.load !0
  %13 = fmul <32 x float> %12, %12
  %14 = fadd <32 x float> %var.0, %13
  %15 = add nuw nsw i64 %i6, 1
  %16 = icmp samesign ult i64 %i6, 5
  br i1 %16, label %loop4, label %done5

done5:                                            ; preds = %loop4
  %17 = getelementptr float, ptr %11, i64 %i3
  store <32 x float> %14, ptr %17, align 4
  %18 = add nuw nsw i64 %i3, 32
  %19 = icmp slt i64 %18, %9
  br i1 %19, label %loop1, label %done2.loopexit

tail:                                             ; preds = %done2
  %20 = trunc i64 %8 to i32
  %21 = and i32 %20, 4
  store volatile i32 %21, ptr %lanes, align 4
  %22 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <32 x i32> poison, i32 %22, i64 0
  %.splat = shufflevector <32 x i32> %.splatinsert, <32 x i32> poison, <32 x i32> zeroinitializer
  %23 = icmp ugt <32 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %.idx14 = shl i64 %task.0, 7
  %invariant.gep19 = getelementptr i8, ptr %x_0, i64 %.idx14
  %invariant.gep20 = getelementptr float, ptr %invariant.gep19, i64 %9
  %24 = bitcast <32 x i1> %23 to i32
  br label %loop8

endtail:                                          ; preds = %done9, %done2
  %25 = add i64 %task.0, 1
  %26 = add nsw i64 %i, 1
  %27 = icmp slt i64 %26, %2
  br i1 %27, label %loop, label %done.loopexit

loop8:                                            ; preds = %tail, %loop8
  %var7.0 = phi <32 x float> [ zeroinitializer, %tail ], [ %33, %loop8 ]
  %i10 = phi i64 [ 0, %tail ], [ %34, %loop8 ]
  %.idx13 = mul i64 %i10, 400
  %gep21 = getelementptr i8, ptr %invariant.gep20, i64 %.idx13
  %28 = call <32 x float> @llvm.masked.load.v32f32.p0(ptr align 4 %gep21, <32 x i1> %23, <32 x float> zeroinitializer)
  %29 = fmul <32 x float> %28, %28
  %30 = fadd <32 x float> %var7.0, %29
  store volatile i32 %24, ptr %mask, align 4
  %31 = load volatile i32, ptr %mask, align 4
  %32 = bitcast i32 %31 to <32 x i1>
  %33 = select <32 x i1> %32, <32 x float> %30, <32 x float> %var7.0
  %34 = add nuw nsw i64 %i10, 1
  %35 = icmp samesign ult i64 %i10, 5
  br i1 %35, label %loop8, label %done9

done9:                                            ; preds = %loop8
  %36 = getelementptr i8, ptr %b2_1, i64 %.idx14
  %37 = getelementptr float, ptr %36, i64 %9
  call void @llvm.masked.store.v32f32.p0(<32 x float> %33, ptr align 4 %37, <32 x i1> %23)
  br label %endtail
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <32 x float> @llvm.masked.load.v32f32.p0(ptr captures(none), <32 x i1>, <32 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v32f32.p0(<32 x float>, ptr captures(none), <32 x i1>) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }

!0 = !{}
