; launched with input 0, arena at 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @cumsum_d5ad7aab(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 60, i64 1, ptr nonnull @cumsum_d5ad7aab.tasks0, ptr nonnull %context) #3
  ret void
}

; Function Attrs: nounwind
define internal void @cumsum_d5ad7aab.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %mask = alloca i32, align 4
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b1_2 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = urem i64 %1, 10
  %6 = udiv i64 %1, 10
  %7 = icmp slt i64 %1, %2
  br i1 %7, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %endtail
  %task.0 = phi i64 [ %38, %endtail ], [ %5, %loop.preheader ]
  %task1.0 = phi i64 [ %39, %endtail ], [ %6, %loop.preheader ]
  %i = phi i64 [ %40, %endtail ], [ %1, %loop.preheader ]
  %8 = shl i64 %task.0, 5
  %9 = sub i64 300, %8
  %10 = call i64 @llvm.smin.i64(i64 %9, i64 32)
  %11 = and i64 %10, -32
  %12 = icmp sgt i64 %9, 31
  br i1 %12, label %loop2.preheader, label %done3

loop2.preheader:                                  ; preds = %loop
  %.idx28 = mul i64 %task1.0, 1200
  %13 = getelementptr i8, ptr %b1_2, i64 %.idx28
  %.idx29 = shl i64 %task.0, 7
  %14 = getelementptr i8, ptr %13, i64 %.idx29
  %15 = getelementptr i8, ptr %x_0, i64 %.idx28
  %.splatinsert8 = insertelement <32 x i64> poison, i64 %8, i64 0
  %.splat9 = shufflevector <32 x i64> %.splatinsert8, <32 x i64> poison, <32 x i32> zeroinitializer
  br label %loop2

done.loopexit:                                    ; preds = %endtail
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop2:                                            ; preds = %loop2.preheader, %done6
  %i4 = phi i64 [ %25, %done6 ], [ 0, %loop2.preheader ]
  %.splatinsert = insertelement <32 x i64> poison, i64 %i4, i64 0
  %.splat = shufflevector <32 x i64> %.splatinsert, <32 x i64> poison, <32 x i32> zeroinitializer
  %16 = or disjoint <32 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16, i64 17, i64 18, i64 19, i64 20, i64 21, i64 22, i64 23, i64 24, i64 25, i64 26, i64 27, i64 28, i64 29, i64 30, i64 31>
  %17 = add <32 x i64> %.splat9, %16
  br label %loop5

done3.loopexit:                                   ; preds = %done6
  br label %done3

done3:                                            ; preds = %done3.loopexit, %loop
  %.not30 = icmp eq i64 %11, %10
  br i1 %.not30, label %endtail, label %tail

loop5:                                            ; preds = %loop2, %loop5
  %var.0 = phi <32 x float> [ zeroinitializer, %loop2 ], [ %21, %loop5 ]
  %i7 = phi i64 [ 0, %loop2 ], [ %22, %loop5 ]
  %18 = getelementptr float, ptr %15, i64 %i7
  %19 = load float, ptr %18, align 4, !invariant.load !0
  %.splatinsert10 = insertelement <32 x i64> poison, i64 %i7, i64 0
  %.splat11 = shufflevector <32 x i64> %.splatinsert10, <32 x i64> poison, <32 x i32> zeroinitializer
  %.not = icmp sgt <32 x i64> %.splat11, %17
  %.splatinsert12 = insertelement <32 x float> poison, float %19, i64 0
  %.splat13 = shufflevector <32 x float> %.splatinsert12, <32 x float> poison, <32 x i32> zeroinitializer
  %20 = select contract <32 x i1> %.not, <32 x float> zeroinitializer, <32 x float> %.splat13
  %21 = fadd contract <32 x float> %var.0, %20
  %22 = add nuw nsw i64 %i7, 1
  %23 = icmp samesign ult i64 %i7, 299
  br i1 %23, label %loop5, label %done6

done6:                                            ; preds = %loop5
  %24 = getelementptr float, ptr %14, i64 %i4
  store <32 x float> %21, ptr %24, align 4
  %25 = add nuw nsw i64 %i4, 32
  %26 = icmp slt i64 %25, %11
  br i1 %26, label %loop2, label %done3.loopexit

tail:                                             ; preds = %done3
  %27 = trunc i64 %10 to i32
  %28 = and i32 %27, 12
  store volatile i32 %28, ptr %lanes, align 4
  %29 = load volatile i32, ptr %lanes, align 4
  %.splatinsert14 = insertelement <32 x i32> poison, i32 %29, i64 0
  %.splat15 = shufflevector <32 x i32> %.splatinsert14, <32 x i32> poison, <32 x i32> zeroinitializer
  %30 = icmp ugt <32 x i32> %.splat15, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %.idx31 = mul i64 %task1.0, 1200
  %31 = getelementptr i8, ptr %x_0, i64 %.idx31
  %.splatinsert20 = insertelement <32 x i64> poison, i64 %11, i64 0
  %.splat21 = shufflevector <32 x i64> %.splatinsert20, <32 x i64> poison, <32 x i32> zeroinitializer
  %32 = or disjoint <32 x i64> %.splat21, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16, i64 17, i64 18, i64 19, i64 20, i64 21, i64 22, i64 23, i64 24, i64 25, i64 26, i64 27, i64 28, i64 29, i64 30, i64 31>
  %.splatinsert22 = insertelement <32 x i64> poison, i64 %8, i64 0
  %.splat23 = shufflevector <32 x i64> %.splatinsert22, <32 x i64> poison, <32 x i32> zeroinitializer
  %33 = add <32 x i64> %.splat23, %32
  %34 = bitcast <32 x i1> %30 to i32
  br label %loop17

endtail:                                          ; preds = %done18, %done3
  %35 = add i64 %task.0, 1
  %36 = icmp eq i64 %35, 10
  %37 = zext i1 %36 to i64
  %38 = select i1 %36, i64 0, i64 %35
  %39 = add i64 %task1.0, %37
  %40 = add nsw i64 %i, 1
  %41 = icmp slt i64 %40, %2
  br i1 %41, label %loop, label %done.loopexit

loop17:                                           ; preds = %tail, %loop17
  %var16.0 = phi <32 x float> [ zeroinitializer, %tail ], [ %48, %loop17 ]
  %i19 = phi i64 [ 0, %tail ], [ %49, %loop17 ]
  %42 = getelementptr float, ptr %31, i64 %i19
  %43 = load float, ptr %42, align 4, !invariant.load !0
  %.splatinsert24 = insertelement <32 x i64> poison, i64 %i19, i64 0
  %.splat25 = shufflevector <32 x i64> %.splatinsert24, <32 x i64> poison, <32 x i32> zeroinitializer
  %.not32 = icmp sgt <32 x i64> %.splat25, %33
  %.splatinsert26 = insertelement <32 x float> poison, float %43, i64 0
  %.splat27 = shufflevector <32 x float> %.splatinsert26, <32 x float> poison, <32 x i32> zeroinitializer
  %44 = select contract <32 x i1> %.not32, <32 x float> zeroinitializer, <32 x float> %.splat27
  %45 = fadd contract <32 x float> %var16.0, %44
  store volatile i32 %34, ptr %mask, align 4
  %46 = load volatile i32, ptr %mask, align 4
  %47 = bitcast i32 %46 to <32 x i1>
  %48 = select contract <32 x i1> %47, <32 x float> %45, <32 x float> %var16.0
  %49 = add nuw nsw i64 %i19, 1
  %50 = icmp samesign ult i64 %i19, 299
  br i1 %50, label %loop17, label %done18

done18:                                           ; preds = %loop17
  %51 = getelementptr i8, ptr %b1_2, i64 %.idx31
  %.idx34 = shl i64 %task.0, 7
  %52 = getelementptr i8, ptr %51, i64 %.idx34
  %53 = getelementptr float, ptr %52, i64 %11
  call void @llvm.masked.store.v32f32.p0(<32 x float> %48, ptr align 4 %53, <32 x i1> %30)
  br label %endtail
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v32f32.p0(<32 x float>, ptr captures(none), <32 x i1>) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #2

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nounwind }

!0 = !{}

; launched with arena at 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @exp_4801fae5(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %b1_2 = load ptr, ptr %0, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %b2_1 = load ptr, ptr %4, align 8, !invariant.load !0
  br label %loop

loop:                                             ; preds = %entry, %loop
  %i = phi i64 [ 0, %entry ], [ %37, %loop ]
  %5 = getelementptr float, ptr %b1_2, i64 %i
  %6 = load <8 x float>, ptr %5, align 4, !invariant.load !0
  %7 = fcmp ogt <8 x float> %6, splat (float 8.875000e+01)
  %8 = select <8 x i1> %7, <8 x float> splat (float 8.875000e+01), <8 x float> %6
  %9 = fcmp olt <8 x float> %8, splat (float -1.040000e+02)
  %10 = select <8 x i1> %9, <8 x float> splat (float -1.040000e+02), <8 x float> %8
  %11 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %10, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %12 = fadd <8 x float> %11, splat (float 0xC168000000000000)
  %13 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %12, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %10)
  %14 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %12, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %13)
  %15 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %14, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %16 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %15, <8 x float> %14, <8 x float> splat (float 0x3F81112100000000))
  %17 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %16, <8 x float> %14, <8 x float> splat (float 0x3FA5553820000000))
  %18 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %17, <8 x float> %14, <8 x float> splat (float 0x3FC5555540000000))
  %19 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %18, <8 x float> %14, <8 x float> splat (float 5.000000e-01))
  %20 = fmul <8 x float> %14, %14
  %21 = fmul <8 x float> %20, %19
  %22 = fadd <8 x float> %21, %14
  %23 = fadd <8 x float> %22, splat (float 1.000000e+00)
  %24 = bitcast <8 x float> %11 to <8 x i32>
  %25 = add <8 x i32> %24, splat (i32 -1262485504)
  %26 = ashr <8 x i32> %25, splat (i32 1)
  %27 = shl <8 x i32> %26, splat (i32 23)
  %28 = add <8 x i32> %27, splat (i32 1065353216)
  %29 = bitcast <8 x i32> %28 to <8 x float>
  %30 = fmul <8 x float> %23, %29
  %31 = sub <8 x i32> %24, %26
  %32 = shl <8 x i32> %31, splat (i32 23)
  %33 = add <8 x i32> %32, splat (i32 1065353216)
  %34 = bitcast <8 x i32> %33 to <8 x float>
  %35 = fmul <8 x float> %30, %34
  %36 = getelementptr float, ptr %b2_1, i64 %i
  store <8 x float> %35, ptr %36, align 4
  %37 = add nuw nsw i64 %i, 8
  %38 = icmp samesign ult i64 %i, 1792
  br i1 %38, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x float> @llvm.fmuladd.v8f32(<8 x float>, <8 x float>, <8 x float>) #1

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{}
