; launched with input 0, input 1, input 2, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_sum_div_sub_mul_add_2c33b07c(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 4, i64 409, ptr nonnull @fused_sum_div_sub_mul_add_2c33b07c.tasks0, ptr nonnull %context) #4
  ret void
}

; Function Attrs: nounwind
define internal void @fused_sum_div_sub_mul_add_2c33b07c.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %weight_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %bias_2 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %b15_5 = load ptr, ptr %6, align 8, !invariant.load !0
  %7 = icmp slt i64 %1, %2
  br i1 %7, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  %8 = load <16 x float>, ptr %weight_1, align 4, !invariant.load !0
  %9 = load <16 x float>, ptr %bias_2, align 4, !invariant.load !0
  %10 = getelementptr i8, ptr %weight_1, i64 64
  %11 = getelementptr i8, ptr %bias_2, i64 64
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %task.0 = phi i64 [ %75, %loop ], [ %1, %loop.preheader ]
  %i = phi i64 [ %76, %loop ], [ %1, %loop.preheader ]
  %.idx = mul i64 %task.0, 80
  %12 = getelementptr i8, ptr %x_0, i64 %.idx
  %13 = load <16 x float>, ptr %12, align 4, !invariant.load !0
  %14 = fadd contract <16 x float> %13, zeroinitializer
  %15 = mul i64 %task.0, 20
  %16 = add i64 %15, 16
  %17 = getelementptr float, ptr %x_0, i64 %16
  %18 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %17, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> poison)
  %19 = fadd contract <16 x float> %14, %18
  %20 = shufflevector <16 x float> %19, <16 x float> %14, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %21 = shufflevector <16 x float> %20, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %22 = shufflevector <16 x float> %20, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %23 = fadd contract <8 x float> %22, %21
  %24 = shufflevector <8 x float> %23, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %25 = shufflevector <8 x float> %23, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %26 = fadd contract <4 x float> %25, %24
  %27 = shufflevector <4 x float> %26, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %28 = shufflevector <4 x float> %26, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %29 = fadd contract <2 x float> %28, %27
  %30 = shufflevector <2 x float> %29, <2 x float> poison, <1 x i32> <i32 1>
  %31 = shufflevector <2 x float> %29, <2 x float> poison, <1 x i32> zeroinitializer
  %32 = fadd contract <1 x float> %31, %30
  %33 = extractelement <1 x float> %32, i64 0
  %34 = fadd contract float %33, 0.000000e+00
  %35 = fdiv contract float %34, 2.000000e+01
  %36 = getelementptr float, ptr %x_0, i64 %15
  %37 = load <16 x float>, ptr %36, align 4, !invariant.load !0
  %.splatinsert = insertelement <16 x float> poison, float %35, i64 0
  %.splat = shufflevector <16 x float> %.splatinsert, <16 x float> poison, <16 x i32> zeroinitializer
  %38 = fsub contract <16 x float> %37, %.splat
  %39 = fmul contract <16 x float> %38, %38
  %40 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %17, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> <float poison, float poison, float poison, float poison, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00>)
  %41 = fsub contract <16 x float> %40, %.splat
  %42 = fmul contract <16 x float> %41, %41
  %43 = fadd contract <16 x float> %39, %42
  %44 = shufflevector <16 x float> %43, <16 x float> %39, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %45 = shufflevector <16 x float> %44, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %46 = shufflevector <16 x float> %44, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %47 = fadd contract <8 x float> %46, %45
  %48 = shufflevector <8 x float> %47, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %49 = shufflevector <8 x float> %47, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %50 = fadd contract <4 x float> %49, %48
  %51 = shufflevector <4 x float> %50, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %52 = shufflevector <4 x float> %50, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %53 = fadd contract <2 x float> %52, %51
  %54 = shufflevector <2 x float> %53, <2 x float> poison, <1 x i32> <i32 1>
  %55 = shufflevector <2 x float> %53, <2 x float> poison, <1 x i32> zeroinitializer
  %56 = fadd contract <1 x float> %55, %54
  %57 = extractelement <1 x float> %56, i64 0
  %58 = fadd contract float %57, 0.000000e+00
  %59 = fdiv contract float %58, 2.000000e+01
  %60 = fadd contract float %59, 0x3EE4F8B580000000
  %61 = call contract float @llvm.sqrt.f32(float %60)
  %62 = fdiv contract float 1.000000e+00, %61
  %.splatinsert16 = insertelement <16 x float> poison, float %62, i64 0
  %.splat17 = shufflevector <16 x float> %.splatinsert16, <16 x float> poison, <16 x i32> zeroinitializer
  %63 = fmul contract <16 x float> %38, %.splat17
  %64 = fmul contract <16 x float> %63, %8
  %65 = fadd contract <16 x float> %64, %9
  %66 = getelementptr float, ptr %b15_5, i64 %15
  store <16 x float> %65, ptr %66, align 4
  %67 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %17, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> poison)
  %68 = fsub contract <16 x float> %67, %.splat
  %.splat21 = shufflevector <16 x float> %.splatinsert16, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %69 = fmul contract <16 x float> %68, %.splat21
  %70 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %10, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> poison)
  %71 = fmul contract <16 x float> %69, %70
  %72 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %11, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> poison)
  %73 = fadd contract <16 x float> %71, %72
  %74 = getelementptr float, ptr %b15_5, i64 %16
  call void @llvm.masked.store.v16f32.p0(<16 x float> %73, ptr align 4 %74, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  %75 = add i64 %task.0, 1
  %76 = add nsw i64 %i, 1
  %77 = icmp slt i64 %76, %2
  br i1 %77, label %loop, label %done.loopexit

done.loopexit:                                    ; preds = %loop
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr captures(none), <16 x i1>, <16 x float>) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.sqrt.f32(float) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr captures(none), <16 x i1>) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #4 = { nounwind }

!0 = !{}
