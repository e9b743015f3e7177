; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_sum_div_f9c319b9(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  %s0 = load i64, ptr %1, align 4, !invariant.load !0
  %4 = call i64 @llvm.smax.i64(i64 %s0, i64 0)
  store ptr %0, ptr %context, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %5, align 8
  %6 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %6, align 8
  %7 = load ptr, ptr %2, align 8
  call void %7(ptr nonnull %2, i64 %4, i64 409, ptr nonnull @fused_sum_div_f9c319b9.tasks0, ptr nonnull %context) #4
  ret void
}

; Function Attrs: nounwind
define internal void @fused_sum_div_f9c319b9.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %lanes9 = alloca i32, align 4
  %mask = alloca i16, align 2
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b2_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %task.0 = phi i64 [ %43, %loop ], [ %1, %loop.preheader ]
  %i = phi i64 [ %44, %loop ], [ %1, %loop.preheader ]
  %.idx = mul i64 %task.0, 80
  %6 = getelementptr i8, ptr %x_0, i64 %.idx
  %7 = load <16 x float>, ptr %6, align 4, !invariant.load !0
  %8 = fadd contract <16 x float> %7, zeroinitializer
  store volatile i32 4, ptr %lanes, align 4
  %9 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <16 x i32> poison, i32 %9, i64 0
  %.splat = shufflevector <16 x i32> %.splatinsert, <16 x i32> poison, <16 x i32> zeroinitializer
  %10 = icmp ugt <16 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %11 = mul i64 %task.0, 20
  %12 = add i64 %11, 16
  %13 = getelementptr float, ptr %x_0, i64 %12
  %14 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %13, <16 x i1> %10, <16 x float> zeroinitializer)
  %15 = fadd contract <16 x float> %8, %14
  %16 = bitcast <16 x i1> %10 to i16
  store volatile i16 %16, ptr %mask, align 2
  %17 = load volatile i16, ptr %mask, align 2
  %18 = bitcast i16 %17 to <16 x i1>
  %19 = select contract <16 x i1> %18, <16 x float> %15, <16 x float> %8
  %20 = shufflevector <16 x float> %19, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %21 = shufflevector <16 x float> %19, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %22 = fadd contract <8 x float> %21, %20
  %23 = shufflevector <8 x float> %22, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %24 = shufflevector <8 x float> %22, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %25 = fadd contract <4 x float> %24, %23
  %26 = shufflevector <4 x float> %25, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %27 = shufflevector <4 x float> %25, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %28 = fadd contract <2 x float> %27, %26
  %29 = shufflevector <2 x float> %28, <2 x float> poison, <1 x i32> <i32 1>
  %30 = shufflevector <2 x float> %28, <2 x float> poison, <1 x i32> zeroinitializer
  %31 = fadd contract <1 x float> %30, %29
  %32 = extractelement <1 x float> %31, i64 0
  %33 = fadd contract float %32, 0.000000e+00
  %34 = getelementptr float, ptr %x_0, i64 %11
  %35 = load <16 x float>, ptr %34, align 4, !invariant.load !0
  %.splatinsert7 = insertelement <16 x float> poison, float %33, i64 0
  %.splat8 = shufflevector <16 x float> %.splatinsert7, <16 x float> poison, <16 x i32> zeroinitializer
  %36 = fdiv contract <16 x float> %35, %.splat8
  %37 = getelementptr float, ptr %b2_1, i64 %11
  store <16 x float> %36, ptr %37, align 4
  store volatile i32 4, ptr %lanes9, align 4
  %38 = load volatile i32, ptr %lanes9, align 4
  %.splatinsert10 = insertelement <16 x i32> poison, i32 %38, i64 0
  %.splat11 = shufflevector <16 x i32> %.splatinsert10, <16 x i32> poison, <16 x i32> zeroinitializer
  %39 = icmp ugt <16 x i32> %.splat11, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %40 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %13, <16 x i1> %39, <16 x float> zeroinitializer)
  %41 = fdiv contract <16 x float> %40, %.splat8
  %42 = getelementptr float, ptr %b2_1, i64 %12
  call void @llvm.masked.store.v16f32.p0(<16 x float> %41, ptr align 4 %42, <16 x i1> %39)
  %43 = add i64 %task.0, 1
  %44 = add nsw i64 %i, 1
  %45 = icmp slt i64 %44, %2
  br i1 %45, label %loop, label %done.loopexit

done.loopexit:                                    ; preds = %loop
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr captures(none), <16 x i1>, <16 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr captures(none), <16 x i1>) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }

!0 = !{}
