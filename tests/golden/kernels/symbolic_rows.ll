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
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b2_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %task.0 = phi i64 [ %36, %loop ], [ %1, %loop.preheader ]
  %i = phi i64 [ %37, %loop ], [ %1, %loop.preheader ]
  %.idx = mul i64 %task.0, 80
  %6 = getelementptr i8, ptr %x_0, i64 %.idx
  %7 = load <16 x float>, ptr %6, align 4, !invariant.load !0
  %8 = fadd contract <16 x float> %7, zeroinitializer
  %9 = mul i64 %task.0, 20
  %10 = add i64 %9, 16
  %11 = getelementptr float, ptr %x_0, i64 %10
  %12 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %11, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> poison)
  %13 = fadd contract <16 x float> %8, %12
  %14 = shufflevector <16 x float> %13, <16 x float> %8, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %15 = shufflevector <16 x float> %14, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %16 = shufflevector <16 x float> %14, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %17 = fadd contract <8 x float> %16, %15
  %18 = shufflevector <8 x float> %17, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %19 = shufflevector <8 x float> %17, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %20 = fadd contract <4 x float> %19, %18
  %21 = shufflevector <4 x float> %20, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %22 = shufflevector <4 x float> %20, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %23 = fadd contract <2 x float> %22, %21
  %24 = shufflevector <2 x float> %23, <2 x float> poison, <1 x i32> <i32 1>
  %25 = shufflevector <2 x float> %23, <2 x float> poison, <1 x i32> zeroinitializer
  %26 = fadd contract <1 x float> %25, %24
  %27 = extractelement <1 x float> %26, i64 0
  %28 = fadd contract float %27, 0.000000e+00
  %29 = getelementptr float, ptr %x_0, i64 %9
  %30 = load <16 x float>, ptr %29, align 4, !invariant.load !0
  %.splatinsert = insertelement <16 x float> poison, float %28, i64 0
  %.splat = shufflevector <16 x float> %.splatinsert, <16 x float> poison, <16 x i32> zeroinitializer
  %31 = fdiv contract <16 x float> %30, %.splat
  %32 = getelementptr float, ptr %b2_1, i64 %9
  store <16 x float> %31, ptr %32, align 4
  %33 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %11, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> poison)
  %.splat8 = shufflevector <16 x float> %.splatinsert, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %34 = fdiv contract <16 x float> %33, %.splat8
  %35 = getelementptr float, ptr %b2_1, i64 %10
  call void @llvm.masked.store.v16f32.p0(<16 x float> %34, ptr align 4 %35, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  %36 = add i64 %task.0, 1
  %37 = add nsw i64 %i, 1
  %38 = icmp slt i64 %37, %2
  br i1 %38, label %loop, label %done.loopexit

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
