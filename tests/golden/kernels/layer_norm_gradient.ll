; launched with input 0, input 3, input 1, input 2, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_mul_sum_div_sub_neg_3b92ab2f(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 4, i64 409, ptr nonnull @fused_mul_sum_div_sub_neg_3b92ab2f.tasks0, ptr nonnull %context) #4
  ret void
}

; Function Attrs: nounwind
define internal void @fused_mul_sum_div_sub_neg_3b92ab2f.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %lanes16 = alloca i32, align 4
  %mask6 = alloca i16, align 2
  %mask = alloca i16, align 2
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %grad_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %weight_3 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %x_hat_1 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %rstd_2 = load ptr, ptr %6, align 8, !invariant.load !0
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 32
  %b14_5 = load ptr, ptr %7, align 8, !invariant.load !0
  %8 = icmp slt i64 %1, %2
  br i1 %8, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  %9 = load <16 x float>, ptr %weight_3, align 4, !invariant.load !0
  %10 = getelementptr i8, ptr %weight_3, i64 64
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %task.0 = phi i64 [ %87, %loop ], [ %1, %loop.preheader ]
  %i = phi i64 [ %88, %loop ], [ %1, %loop.preheader ]
  %11 = mul i64 %task.0, 20
  %12 = getelementptr float, ptr %grad_0, i64 %11
  %13 = load <16 x float>, ptr %12, align 4, !invariant.load !0
  %14 = fmul <16 x float> %13, %9
  %15 = getelementptr float, ptr %x_hat_1, i64 %11
  %16 = load <16 x float>, ptr %15, align 4, !invariant.load !0
  %17 = fmul <16 x float> %14, %16
  %18 = fadd <16 x float> %17, zeroinitializer
  %19 = fadd <16 x float> %14, zeroinitializer
  store volatile i32 4, ptr %lanes, align 4
  %20 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <16 x i32> poison, i32 %20, i64 0
  %.splat = shufflevector <16 x i32> %.splatinsert, <16 x i32> poison, <16 x i32> zeroinitializer
  %21 = icmp ugt <16 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %22 = add i64 %11, 16
  %23 = getelementptr float, ptr %grad_0, i64 %22
  %24 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %23, <16 x i1> %21, <16 x float> zeroinitializer)
  %25 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %10, <16 x i1> %21, <16 x float> zeroinitializer)
  %26 = fmul <16 x float> %24, %25
  %27 = getelementptr float, ptr %x_hat_1, i64 %22
  %28 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %27, <16 x i1> %21, <16 x float> zeroinitializer)
  %29 = fmul <16 x float> %26, %28
  %30 = fadd <16 x float> %18, %29
  %31 = bitcast <16 x i1> %21 to i16
  store volatile i16 %31, ptr %mask, align 2
  %32 = load volatile i16, ptr %mask, align 2
  %33 = bitcast i16 %32 to <16 x i1>
  %34 = select <16 x i1> %33, <16 x float> %30, <16 x float> %18
  %35 = fadd <16 x float> %19, %26
  store volatile i16 %31, ptr %mask6, align 2
  %36 = load volatile i16, ptr %mask6, align 2
  %37 = bitcast i16 %36 to <16 x i1>
  %38 = select <16 x i1> %37, <16 x float> %35, <16 x float> %19
  %39 = shufflevector <16 x float> %34, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %40 = shufflevector <16 x float> %34, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %41 = fadd <8 x float> %40, %39
  %42 = shufflevector <8 x float> %41, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %43 = shufflevector <8 x float> %41, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %44 = fadd <4 x float> %43, %42
  %45 = shufflevector <4 x float> %44, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %46 = shufflevector <4 x float> %44, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %47 = fadd <2 x float> %46, %45
  %48 = shufflevector <2 x float> %47, <2 x float> poison, <1 x i32> <i32 1>
  %49 = shufflevector <2 x float> %47, <2 x float> poison, <1 x i32> zeroinitializer
  %50 = fadd <1 x float> %49, %48
  %51 = extractelement <1 x float> %50, i64 0
  %52 = fadd float %51, 0.000000e+00
  %53 = shufflevector <16 x float> %38, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %54 = shufflevector <16 x float> %38, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %55 = fadd <8 x float> %54, %53
  %56 = shufflevector <8 x float> %55, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %57 = shufflevector <8 x float> %55, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %58 = fadd <4 x float> %57, %56
  %59 = shufflevector <4 x float> %58, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %60 = shufflevector <4 x float> %58, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %61 = fadd <2 x float> %60, %59
  %62 = shufflevector <2 x float> %61, <2 x float> poison, <1 x i32> <i32 1>
  %63 = shufflevector <2 x float> %61, <2 x float> poison, <1 x i32> zeroinitializer
  %64 = fadd <1 x float> %63, %62
  %65 = extractelement <1 x float> %64, i64 0
  %66 = fadd float %65, 0.000000e+00
  %67 = fdiv float %52, 2.000000e+01
  %68 = fdiv float %66, 2.000000e+01
  %69 = getelementptr float, ptr %rstd_2, i64 %task.0
  %70 = load float, ptr %69, align 4, !invariant.load !0
  %71 = fneg <16 x float> %16
  %.splatinsert10 = insertelement <16 x float> poison, float %68, i64 0
  %.splat11 = shufflevector <16 x float> %.splatinsert10, <16 x float> poison, <16 x i32> zeroinitializer
  %72 = fsub <16 x float> %14, %.splat11
  %.splatinsert12 = insertelement <16 x float> poison, float %67, i64 0
  %.splat13 = shufflevector <16 x float> %.splatinsert12, <16 x float> poison, <16 x i32> zeroinitializer
  %73 = call <16 x float> @llvm.fma.v16f32(<16 x float> %71, <16 x float> %.splat13, <16 x float> %72)
  %.splatinsert14 = insertelement <16 x float> poison, float %70, i64 0
  %.splat15 = shufflevector <16 x float> %.splatinsert14, <16 x float> poison, <16 x i32> zeroinitializer
  %74 = fmul <16 x float> %73, %.splat15
  %75 = getelementptr float, ptr %b14_5, i64 %11
  store <16 x float> %74, ptr %75, align 4
  store volatile i32 4, ptr %lanes16, align 4
  %76 = load volatile i32, ptr %lanes16, align 4
  %.splatinsert17 = insertelement <16 x i32> poison, i32 %76, i64 0
  %.splat18 = shufflevector <16 x i32> %.splatinsert17, <16 x i32> poison, <16 x i32> zeroinitializer
  %77 = icmp ugt <16 x i32> %.splat18, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %78 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %27, <16 x i1> %77, <16 x float> zeroinitializer)
  %79 = fneg <16 x float> %78
  %80 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %23, <16 x i1> %77, <16 x float> zeroinitializer)
  %81 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %10, <16 x i1> %77, <16 x float> zeroinitializer)
  %82 = fmul <16 x float> %80, %81
  %83 = fsub <16 x float> %82, %.splat11
  %84 = call <16 x float> @llvm.fma.v16f32(<16 x float> %79, <16 x float> %.splat13, <16 x float> %83)
  %85 = fmul <16 x float> %84, %.splat15
  %86 = getelementptr float, ptr %b14_5, i64 %22
  call void @llvm.masked.store.v16f32.p0(<16 x float> %85, ptr align 4 %86, <16 x i1> %77)
  %87 = add i64 %task.0, 1
  %88 = add nsw i64 %i, 1
  %89 = icmp slt i64 %88, %2
  br i1 %89, label %loop, label %done.loopexit

done.loopexit:                                    ; preds = %loop
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr captures(none), <16 x i1>, <16 x float>) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr captures(none), <16 x i1>) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #4 = { nounwind }

!0 = !{}

; launched with input 0, input 1, output 1, output 2
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_mul_sum_ca5acf75(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 1, i64 64, ptr nonnull @fused_mul_sum_ca5acf75.tasks0, ptr nonnull %context) #3
  ret void
}

; Function Attrs: nounwind
define internal void @fused_mul_sum_ca5acf75.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %mask13 = alloca i16, align 2
  %mask = alloca i16, align 2
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %grad_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %x_hat_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %b16_6 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %b17_7 = load ptr, ptr %6, align 8, !invariant.load !0
  %7 = icmp slt i64 %1, %2
  br i1 %7, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  %8 = getelementptr i8, ptr %b16_6, i64 64
  %9 = getelementptr i8, ptr %b17_7, i64 64
  br label %loop

loop:                                             ; preds = %loop.preheader, %done11
  %i = phi i64 [ %40, %done11 ], [ %1, %loop.preheader ]
  br label %loop5

done.loopexit:                                    ; preds = %done11
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop5:                                            ; preds = %loop, %loop5
  %var.0 = phi <16 x float> [ zeroinitializer, %loop ], [ %16, %loop5 ]
  %var4.0 = phi <16 x float> [ zeroinitializer, %loop ], [ %17, %loop5 ]
  %i7 = phi i64 [ 0, %loop ], [ %18, %loop5 ]
  %10 = mul i64 %i7, 20
  %11 = getelementptr float, ptr %grad_0, i64 %10
  %12 = load <16 x float>, ptr %11, align 4, !invariant.load !0
  %13 = getelementptr float, ptr %x_hat_1, i64 %10
  %14 = load <16 x float>, ptr %13, align 4, !invariant.load !0
  %15 = fmul <16 x float> %12, %14
  %16 = fadd <16 x float> %var.0, %15
  %17 = fadd <16 x float> %var4.0, %12
  %18 = add nuw nsw i64 %i7, 1
  %19 = icmp samesign ult i64 %i7, 3
  br i1 %19, label %loop5, label %done6

done6:                                            ; preds = %loop5
  store <16 x float> %16, ptr %b16_6, align 4
  store <16 x float> %17, ptr %b17_7, align 4
  store volatile i32 4, ptr %lanes, align 4
  %20 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <16 x i32> poison, i32 %20, i64 0
  %.splat = shufflevector <16 x i32> %.splatinsert, <16 x i32> poison, <16 x i32> zeroinitializer
  %21 = icmp ugt <16 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %22 = bitcast <16 x i1> %21 to i16
  br label %loop10

loop10:                                           ; preds = %done6, %loop10
  %var8.0 = phi <16 x float> [ zeroinitializer, %done6 ], [ %33, %loop10 ]
  %var9.0 = phi <16 x float> [ zeroinitializer, %done6 ], [ %37, %loop10 ]
  %i12 = phi i64 [ 0, %done6 ], [ %38, %loop10 ]
  %23 = mul i64 %i12, 20
  %24 = add i64 %23, 16
  %25 = getelementptr float, ptr %grad_0, i64 %24
  %26 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %25, <16 x i1> %21, <16 x float> zeroinitializer)
  %27 = getelementptr float, ptr %x_hat_1, i64 %24
  %28 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %27, <16 x i1> %21, <16 x float> zeroinitializer)
  %29 = fmul <16 x float> %26, %28
  %30 = fadd <16 x float> %var8.0, %29
  store volatile i16 %22, ptr %mask, align 2
  %31 = load volatile i16, ptr %mask, align 2
  %32 = bitcast i16 %31 to <16 x i1>
  %33 = select <16 x i1> %32, <16 x float> %30, <16 x float> %var8.0
  %34 = fadd <16 x float> %var9.0, %26
  store volatile i16 %22, ptr %mask13, align 2
  %35 = load volatile i16, ptr %mask13, align 2
  %36 = bitcast i16 %35 to <16 x i1>
  %37 = select <16 x i1> %36, <16 x float> %34, <16 x float> %var9.0
  %38 = add nuw nsw i64 %i12, 1
  %39 = icmp samesign ult i64 %i12, 3
  br i1 %39, label %loop10, label %done11

done11:                                           ; preds = %loop10
  call void @llvm.masked.store.v16f32.p0(<16 x float> %33, ptr align 4 %8, <16 x i1> %21)
  call void @llvm.masked.store.v16f32.p0(<16 x float> %37, ptr align 4 %9, <16 x i1> %21)
  %40 = add nsw i64 %i, 1
  %41 = icmp slt i64 %40, %2
  br i1 %41, label %loop, label %done.loopexit
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr captures(none), <16 x i1>, <16 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr captures(none), <16 x i1>) #2

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #3 = { nounwind }

!0 = !{}
