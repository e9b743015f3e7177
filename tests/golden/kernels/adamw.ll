; launched with input 5, input 4, arena at 0, arena at 64, arena at 128
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_add_cast_pow_sub_div_3b498671(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %step_5 = load ptr, ptr %0, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %rate_4 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %b18_14 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %b20_15 = load ptr, ptr %6, align 8, !invariant.load !0
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %b24_16 = load ptr, ptr %7, align 8, !invariant.load !0
  %8 = load i64, ptr %step_5, align 8
  %9 = add i64 %8, 1
  %10 = load float, ptr %rate_4, align 4
  %11 = sitofp i64 %9 to double
  %12 = call double @pow(double 9.000000e-01, double %11)
  %13 = fsub double 1.000000e+00, %12
  %14 = fpext float %10 to double
  %15 = fdiv double %14, %13
  %16 = fptrunc double %15 to float
  %17 = call double @pow(double 0x3FEFF7CED916872B, double %11)
  %18 = fsub double 1.000000e+00, %17
  %19 = call double @llvm.sqrt.f64(double %18)
  %20 = fdiv double 1.000000e+00, %19
  %21 = fptrunc double %20 to float
  %22 = fneg double %14
  %23 = call double @llvm.fma.f64(double %22, double 1.000000e-02, double 1.000000e+00)
  %24 = fptrunc double %23 to float
  store i64 %9, ptr %step_5, align 8
  store float %16, ptr %b18_14, align 4
  store float %21, ptr %b20_15, align 4
  store float %24, ptr %b24_16, align 4
  ret void
}

; Function Attrs: nounwind willreturn memory(none)
declare double @pow(double, double) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.sqrt.f64(double) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fma.f64(double, double, double) #2

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{}

; launched with input 3, input 1, input 2, input 0, arena at 128, arena at 0, arena at 64
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_mul_fma_square_sqrt_div_444542ad(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %lanes = alloca i32, align 4
  %variance_3 = load ptr, ptr %0, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %gradient_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %mean_2 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %parameter_0 = load ptr, ptr %6, align 8, !invariant.load !0
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %b24_16 = load ptr, ptr %7, align 8, !invariant.load !0
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %b18_14 = load ptr, ptr %8, align 8, !invariant.load !0
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %b20_15 = load ptr, ptr %9, align 8, !invariant.load !0
  %10 = load float, ptr %b24_16, align 4
  %11 = load float, ptr %b18_14, align 4
  %12 = load float, ptr %b20_15, align 4
  %.splatinsert = insertelement <16 x float> poison, float %11, i64 0
  %.splatinsert1 = insertelement <16 x float> poison, float %12, i64 0
  %.splat2 = shufflevector <16 x float> %.splatinsert1, <16 x float> poison, <16 x i32> zeroinitializer
  %13 = fneg <16 x float> %.splatinsert
  %14 = shufflevector <16 x float> %13, <16 x float> poison, <16 x i32> zeroinitializer
  %.splatinsert3 = insertelement <16 x float> poison, float %10, i64 0
  %.splat4 = shufflevector <16 x float> %.splatinsert3, <16 x float> poison, <16 x i32> zeroinitializer
  br label %loop

loop:                                             ; preds = %entry, %loop
  %i = phi i64 [ 0, %entry ], [ %33, %loop ]
  %15 = getelementptr float, ptr %variance_3, i64 %i
  %16 = load <16 x float>, ptr %15, align 4
  %17 = getelementptr float, ptr %gradient_1, i64 %i
  %18 = load <16 x float>, ptr %17, align 4
  %19 = fmul <16 x float> %18, %18
  %20 = fmul <16 x float> %19, splat (float 0x3F50624DE0000000)
  %21 = call <16 x float> @llvm.fma.v16f32(<16 x float> %16, <16 x float> splat (float 0x3FEFF7CEE0000000), <16 x float> %20)
  %22 = getelementptr float, ptr %mean_2, i64 %i
  %23 = load <16 x float>, ptr %22, align 4
  %24 = fmul <16 x float> %18, splat (float 0x3FB99999A0000000)
  %25 = call <16 x float> @llvm.fma.v16f32(<16 x float> %23, <16 x float> splat (float 0x3FECCCCCC0000000), <16 x float> %24)
  %26 = getelementptr float, ptr %parameter_0, i64 %i
  %27 = load <16 x float>, ptr %26, align 4
  %28 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %21)
  %29 = call <16 x float> @llvm.fma.v16f32(<16 x float> %28, <16 x float> %.splat2, <16 x float> splat (float 0x3E45798EE0000000))
  %30 = fmul <16 x float> %25, %14
  %31 = fdiv <16 x float> %30, %29
  %32 = call <16 x float> @llvm.fma.v16f32(<16 x float> %27, <16 x float> %.splat4, <16 x float> %31)
  store <16 x float> %21, ptr %15, align 4
  store <16 x float> %25, ptr %22, align 4
  store <16 x float> %32, ptr %26, align 4
  %33 = add nuw nsw i64 %i, 16
  %34 = icmp samesign ult i64 %i, 880
  br i1 %34, label %loop, label %done

done:                                             ; preds = %loop
  store volatile i32 4, ptr %lanes, align 4
  %35 = load volatile i32, ptr %lanes, align 4
  %.splatinsert5 = insertelement <16 x i32> poison, i32 %35, i64 0
  %.splat6 = shufflevector <16 x i32> %.splatinsert5, <16 x i32> poison, <16 x i32> zeroinitializer
  %36 = icmp ugt <16 x i32> %.splat6, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %37 = getelementptr i8, ptr %variance_3, i64 3584
  %38 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %37, <16 x i1> %36, <16 x float> zeroinitializer)
  %39 = getelementptr i8, ptr %gradient_1, i64 3584
  %40 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %39, <16 x i1> %36, <16 x float> zeroinitializer)
  %41 = fmul <16 x float> %40, %40
  %42 = fmul <16 x float> %41, splat (float 0x3F50624DE0000000)
  %43 = call <16 x float> @llvm.fma.v16f32(<16 x float> %38, <16 x float> splat (float 0x3FEFF7CEE0000000), <16 x float> %42)
  %44 = getelementptr i8, ptr %mean_2, i64 3584
  %45 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %44, <16 x i1> %36, <16 x float> zeroinitializer)
  %46 = fmul <16 x float> %40, splat (float 0x3FB99999A0000000)
  %47 = call <16 x float> @llvm.fma.v16f32(<16 x float> %45, <16 x float> splat (float 0x3FECCCCCC0000000), <16 x float> %46)
  %48 = getelementptr i8, ptr %parameter_0, i64 3584
  %49 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %48, <16 x i1> %36, <16 x float> zeroinitializer)
  %50 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %43)
  %51 = call <16 x float> @llvm.fma.v16f32(<16 x float> %50, <16 x float> %.splat2, <16 x float> splat (float 0x3E45798EE0000000))
  %52 = fmul <16 x float> %47, %14
  %53 = fdiv <16 x float> %52, %51
  %54 = call <16 x float> @llvm.fma.v16f32(<16 x float> %49, <16 x float> %.splat4, <16 x float> %53)
  call void @llvm.masked.store.v16f32.p0(<16 x float> %43, ptr align 4 %37, <16 x i1> %36)
  call void @llvm.masked.store.v16f32.p0(<16 x float> %47, ptr align 4 %44, <16 x i1> %36)
  call void @llvm.masked.store.v16f32.p0(<16 x float> %54, ptr align 4 %48, <16 x i1> %36)
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x float> @llvm.sqrt.v16f32(<16 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr captures(none), <16 x i1>, <16 x float>) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr captures(none), <16 x i1>) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }

!0 = !{}
