; launched with input 0, input 3, input 1, input 2, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_mul_sum_div_sub_4a613afe(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 4, i64 409, ptr nonnull @fused_mul_sum_div_sub_4a613afe.tasks0, ptr nonnull %context) #3
  ret void
}

; Function Attrs: nounwind
define internal void @fused_mul_sum_div_sub_4a613afe.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
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
  %task.0 = phi i64 [ %78, %loop ], [ %1, %loop.preheader ]
  %i = phi i64 [ %79, %loop ], [ %1, %loop.preheader ]
  %11 = mul i64 %task.0, 20
  %12 = getelementptr float, ptr %grad_0, i64 %11
  %13 = load <16 x float>, ptr %12, align 4, !invariant.load !0
  %14 = fmul contract <16 x float> %13, %9
  %15 = getelementptr float, ptr %x_hat_1, i64 %11
  %16 = load <16 x float>, ptr %15, align 4, !invariant.load !0
  %17 = fmul contract <16 x float> %14, %16
  %18 = fadd contract <16 x float> %17, zeroinitializer
  %19 = fadd contract <16 x float> %14, zeroinitializer
  %20 = add i64 %11, 16
  %21 = getelementptr float, ptr %grad_0, i64 %20
  %22 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %21, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> <float poison, float poison, float poison, float poison, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00>)
  %23 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %10, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> <float poison, float poison, float poison, float poison, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00>)
  %24 = fmul contract <16 x float> %22, %23
  %25 = getelementptr float, ptr %x_hat_1, i64 %20
  %26 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %25, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> poison)
  %27 = fmul contract <16 x float> %24, %26
  %28 = fadd contract <16 x float> %18, %27
  %29 = shufflevector <16 x float> %28, <16 x float> %18, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %30 = fadd contract <16 x float> %19, %24
  %31 = shufflevector <16 x float> %30, <16 x float> %19, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %32 = shufflevector <16 x float> %29, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %33 = shufflevector <16 x float> %29, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %34 = fadd contract <8 x float> %33, %32
  %35 = shufflevector <8 x float> %34, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %36 = shufflevector <8 x float> %34, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %37 = fadd contract <4 x float> %36, %35
  %38 = shufflevector <4 x float> %37, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %39 = shufflevector <4 x float> %37, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %40 = fadd contract <2 x float> %39, %38
  %41 = shufflevector <2 x float> %40, <2 x float> poison, <1 x i32> <i32 1>
  %42 = shufflevector <2 x float> %40, <2 x float> poison, <1 x i32> zeroinitializer
  %43 = fadd contract <1 x float> %42, %41
  %44 = extractelement <1 x float> %43, i64 0
  %45 = fadd contract float %44, 0.000000e+00
  %46 = shufflevector <16 x float> %31, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %47 = shufflevector <16 x float> %31, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %48 = fadd contract <8 x float> %47, %46
  %49 = shufflevector <8 x float> %48, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %50 = shufflevector <8 x float> %48, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %51 = fadd contract <4 x float> %50, %49
  %52 = shufflevector <4 x float> %51, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %53 = shufflevector <4 x float> %51, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %54 = fadd contract <2 x float> %53, %52
  %55 = shufflevector <2 x float> %54, <2 x float> poison, <1 x i32> <i32 1>
  %56 = shufflevector <2 x float> %54, <2 x float> poison, <1 x i32> zeroinitializer
  %57 = fadd contract <1 x float> %56, %55
  %58 = extractelement <1 x float> %57, i64 0
  %59 = fadd contract float %58, 0.000000e+00
  %60 = fdiv contract float %59, 2.000000e+01
  %61 = fdiv contract float %45, 2.000000e+01
  %62 = getelementptr float, ptr %rstd_2, i64 %task.0
  %63 = load float, ptr %62, align 4, !invariant.load !0
  %.splatinsert = insertelement <16 x float> poison, float %60, i64 0
  %.splat = shufflevector <16 x float> %.splatinsert, <16 x float> poison, <16 x i32> zeroinitializer
  %64 = fsub contract <16 x float> %14, %.splat
  %.splatinsert9 = insertelement <16 x float> poison, float %61, i64 0
  %.splat10 = shufflevector <16 x float> %.splatinsert9, <16 x float> poison, <16 x i32> zeroinitializer
  %65 = fmul contract <16 x float> %16, %.splat10
  %66 = fsub contract <16 x float> %64, %65
  %.splatinsert11 = insertelement <16 x float> poison, float %63, i64 0
  %.splat12 = shufflevector <16 x float> %.splatinsert11, <16 x float> poison, <16 x i32> zeroinitializer
  %67 = fmul contract <16 x float> %66, %.splat12
  %68 = getelementptr float, ptr %b14_5, i64 %11
  store <16 x float> %67, ptr %68, align 4
  %69 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %21, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> poison)
  %70 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %10, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> poison)
  %71 = fmul contract <16 x float> %69, %70
  %.splat14 = shufflevector <16 x float> %.splatinsert, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %72 = fsub contract <16 x float> %71, %.splat14
  %73 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %25, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> poison)
  %.splat16 = shufflevector <16 x float> %.splatinsert9, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %74 = fmul contract <16 x float> %73, %.splat16
  %75 = fsub contract <16 x float> %72, %74
  %.splat18 = shufflevector <16 x float> %.splatinsert11, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %76 = fmul contract <16 x float> %75, %.splat18
  %77 = getelementptr float, ptr %b14_5, i64 %20
  call void @llvm.masked.store.v16f32.p0(<16 x float> %76, ptr align 4 %77, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  %78 = add i64 %task.0, 1
  %79 = add nsw i64 %i, 1
  %80 = icmp slt i64 %79, %2
  br i1 %80, label %loop, label %done.loopexit

done.loopexit:                                    ; preds = %loop
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void
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

; launched with input 0, input 1, output 1, output 2
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_mul_sum_002e195b(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 1, i64 64, ptr nonnull @fused_mul_sum_002e195b.tasks0, ptr nonnull %context) #3
  ret void
}

; Function Attrs: nounwind
define internal void @fused_mul_sum_002e195b.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
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
  %i = phi i64 [ %33, %done11 ], [ %1, %loop.preheader ]
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
  %15 = fmul contract <16 x float> %12, %14
  %16 = fadd contract <16 x float> %var.0, %15
  %17 = fadd contract <16 x float> %var4.0, %12
  %18 = add nuw nsw i64 %i7, 1
  %19 = icmp samesign ult i64 %i7, 3
  br i1 %19, label %loop5, label %done6

done6:                                            ; preds = %loop5
  store <16 x float> %16, ptr %b16_6, align 4
  store <16 x float> %17, ptr %b17_7, align 4
  br label %loop10

loop10:                                           ; preds = %done6, %loop10
  %var8.0 = phi <16 x float> [ zeroinitializer, %done6 ], [ %28, %loop10 ]
  %var9.0 = phi <16 x float> [ zeroinitializer, %done6 ], [ %30, %loop10 ]
  %i12 = phi i64 [ 0, %done6 ], [ %31, %loop10 ]
  %20 = mul i64 %i12, 20
  %21 = add i64 %20, 16
  %22 = getelementptr float, ptr %grad_0, i64 %21
  %23 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %22, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> <float poison, float poison, float poison, float poison, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00>)
  %24 = getelementptr float, ptr %x_hat_1, i64 %21
  %25 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %24, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> poison)
  %26 = fmul contract <16 x float> %23, %25
  %27 = fadd contract <16 x float> %var8.0, %26
  %28 = shufflevector <16 x float> %27, <16 x float> %var8.0, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %29 = fadd contract <16 x float> %var9.0, %23
  %30 = shufflevector <16 x float> %29, <16 x float> %var9.0, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %31 = add nuw nsw i64 %i12, 1
  %32 = icmp samesign ult i64 %i12, 3
  br i1 %32, label %loop10, label %done11

done11:                                           ; preds = %loop10
  call void @llvm.masked.store.v16f32.p0(<16 x float> %28, ptr align 4 %8, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  call void @llvm.masked.store.v16f32.p0(<16 x float> %30, ptr align 4 %9, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  %33 = add nsw i64 %i, 1
  %34 = icmp slt i64 %33, %2
  br i1 %34, label %loop, label %done.loopexit
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
