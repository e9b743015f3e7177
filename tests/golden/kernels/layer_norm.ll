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
  %lanes24 = alloca i32, align 4
  %mask16 = alloca i16, align 2
  %lanes11 = alloca i32, align 4
  %mask = alloca i16, align 2
  %lanes = alloca i32, align 4
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
  %8 = getelementptr i8, ptr %weight_1, i64 64
  %9 = getelementptr i8, ptr %bias_2, i64 64
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %task.0 = phi i64 [ %87, %loop ], [ %1, %loop.preheader ]
  %i = phi i64 [ %88, %loop ], [ %1, %loop.preheader ]
  %.idx = mul i64 %task.0, 80
  %10 = getelementptr i8, ptr %x_0, i64 %.idx
  %11 = load <16 x float>, ptr %10, align 4, !invariant.load !0
  %12 = fadd contract <16 x float> %11, zeroinitializer
  store volatile i32 4, ptr %lanes, align 4
  %13 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <16 x i32> poison, i32 %13, i64 0
  %.splat = shufflevector <16 x i32> %.splatinsert, <16 x i32> poison, <16 x i32> zeroinitializer
  %14 = icmp ugt <16 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %15 = mul i64 %task.0, 20
  %16 = add i64 %15, 16
  %17 = getelementptr float, ptr %x_0, i64 %16
  %18 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %17, <16 x i1> %14, <16 x float> zeroinitializer)
  %19 = fadd contract <16 x float> %12, %18
  %20 = bitcast <16 x i1> %14 to i16
  store volatile i16 %20, ptr %mask, align 2
  %21 = load volatile i16, ptr %mask, align 2
  %22 = bitcast i16 %21 to <16 x i1>
  %23 = select contract <16 x i1> %22, <16 x float> %19, <16 x float> %12
  %24 = shufflevector <16 x float> %23, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %25 = shufflevector <16 x float> %23, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %26 = fadd contract <8 x float> %25, %24
  %27 = shufflevector <8 x float> %26, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %28 = shufflevector <8 x float> %26, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %29 = fadd contract <4 x float> %28, %27
  %30 = shufflevector <4 x float> %29, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %31 = shufflevector <4 x float> %29, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %32 = fadd contract <2 x float> %31, %30
  %33 = shufflevector <2 x float> %32, <2 x float> poison, <1 x i32> <i32 1>
  %34 = shufflevector <2 x float> %32, <2 x float> poison, <1 x i32> zeroinitializer
  %35 = fadd contract <1 x float> %34, %33
  %36 = extractelement <1 x float> %35, i64 0
  %37 = fadd contract float %36, 0.000000e+00
  %38 = fdiv contract float %37, 2.000000e+01
  %39 = getelementptr float, ptr %x_0, i64 %15
  %40 = load <16 x float>, ptr %39, align 4, !invariant.load !0
  %.splatinsert9 = insertelement <16 x float> poison, float %38, i64 0
  %.splat10 = shufflevector <16 x float> %.splatinsert9, <16 x float> poison, <16 x i32> zeroinitializer
  %41 = fsub contract <16 x float> %40, %.splat10
  %42 = fmul contract <16 x float> %41, %41
  store volatile i32 4, ptr %lanes11, align 4
  %43 = load volatile i32, ptr %lanes11, align 4
  %.splatinsert12 = insertelement <16 x i32> poison, i32 %43, i64 0
  %.splat13 = shufflevector <16 x i32> %.splatinsert12, <16 x i32> poison, <16 x i32> zeroinitializer
  %44 = icmp ugt <16 x i32> %.splat13, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %45 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %17, <16 x i1> %44, <16 x float> zeroinitializer)
  %46 = fsub contract <16 x float> %45, %.splat10
  %47 = fmul contract <16 x float> %46, %46
  %48 = fadd contract <16 x float> %42, %47
  %49 = bitcast <16 x i1> %44 to i16
  store volatile i16 %49, ptr %mask16, align 2
  %50 = load volatile i16, ptr %mask16, align 2
  %51 = bitcast i16 %50 to <16 x i1>
  %52 = select contract <16 x i1> %51, <16 x float> %48, <16 x float> %42
  %53 = shufflevector <16 x float> %52, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %54 = shufflevector <16 x float> %52, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %55 = fadd contract <8 x float> %54, %53
  %56 = shufflevector <8 x float> %55, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %57 = shufflevector <8 x float> %55, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %58 = fadd contract <4 x float> %57, %56
  %59 = shufflevector <4 x float> %58, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %60 = shufflevector <4 x float> %58, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %61 = fadd contract <2 x float> %60, %59
  %62 = shufflevector <2 x float> %61, <2 x float> poison, <1 x i32> <i32 1>
  %63 = shufflevector <2 x float> %61, <2 x float> poison, <1 x i32> zeroinitializer
  %64 = fadd contract <1 x float> %63, %62
  %65 = extractelement <1 x float> %64, i64 0
  %66 = fadd contract float %65, 0.000000e+00
  %67 = fdiv contract float %66, 2.000000e+01
  %68 = fadd contract float %67, 0x3EE4F8B580000000
  %69 = call contract float @llvm.sqrt.f32(float %68)
  %70 = fdiv contract float 1.000000e+00, %69
  %.splatinsert22 = insertelement <16 x float> poison, float %70, i64 0
  %.splat23 = shufflevector <16 x float> %.splatinsert22, <16 x float> poison, <16 x i32> zeroinitializer
  %71 = fmul contract <16 x float> %41, %.splat23
  %72 = load <16 x float>, ptr %weight_1, align 4, !invariant.load !0
  %73 = fmul contract <16 x float> %71, %72
  %74 = load <16 x float>, ptr %bias_2, align 4, !invariant.load !0
  %75 = fadd contract <16 x float> %73, %74
  %76 = getelementptr float, ptr %b15_5, i64 %15
  store <16 x float> %75, ptr %76, align 4
  store volatile i32 4, ptr %lanes24, align 4
  %77 = load volatile i32, ptr %lanes24, align 4
  %.splatinsert25 = insertelement <16 x i32> poison, i32 %77, i64 0
  %.splat26 = shufflevector <16 x i32> %.splatinsert25, <16 x i32> poison, <16 x i32> zeroinitializer
  %78 = icmp ugt <16 x i32> %.splat26, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %79 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %17, <16 x i1> %78, <16 x float> zeroinitializer)
  %80 = fsub contract <16 x float> %79, %.splat10
  %81 = fmul contract <16 x float> %80, %.splat23
  %82 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %8, <16 x i1> %78, <16 x float> zeroinitializer)
  %83 = fmul contract <16 x float> %81, %82
  %84 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %9, <16 x i1> %78, <16 x float> zeroinitializer)
  %85 = fadd contract <16 x float> %83, %84
  %86 = getelementptr float, ptr %b15_5, i64 %16
  call void @llvm.masked.store.v16f32.p0(<16 x float> %85, ptr align 4 %86, <16 x i1> %78)
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
declare float @llvm.sqrt.f32(float) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr captures(none), <16 x i1>) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #4 = { nounwind }

!0 = !{}
