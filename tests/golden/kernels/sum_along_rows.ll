; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_square_sum_b70ec336(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 6, i64 81, ptr nonnull @fused_square_sum_b70ec336.tasks0, ptr nonnull %context) #2
  ret void
}

; Function Attrs: nounwind
define internal void @fused_square_sum_b70ec336.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b2_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %done2
  %task.0 = phi i64 [ %36, %done2 ], [ %1, %loop.preheader ]
  %i = phi i64 [ %37, %done2 ], [ %1, %loop.preheader ]
  %.idx = mul i64 %task.0, 400
  %6 = getelementptr i8, ptr %x_0, i64 %.idx
  br label %loop1

done.loopexit:                                    ; preds = %done2
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop1:                                            ; preds = %loop, %loop1
  %partial.0 = phi <32 x float> [ zeroinitializer, %loop ], [ %10, %loop1 ]
  %i3 = phi i64 [ 0, %loop ], [ %11, %loop1 ]
  %7 = getelementptr float, ptr %6, i64 %i3
  %8 = load <32 x float>, ptr %7, align 4, !invariant.load !0
  %9 = fmul contract <32 x float> %8, %8
  %10 = fadd contract <32 x float> %partial.0, %9
  %11 = add nuw nsw i64 %i3, 32
  %12 = icmp samesign ult i64 %i3, 64
  br i1 %12, label %loop1, label %done2

done2:                                            ; preds = %loop1
  %13 = getelementptr i8, ptr %6, i64 384
  %14 = call contract <32 x float> @llvm.masked.load.v32f32.p0(ptr align 4 %13, <32 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <32 x float> <float poison, float poison, float poison, float poison, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00>)
  %15 = fmul contract <32 x float> %14, %14
  %16 = fadd contract <32 x float> %10, %15
  %17 = shufflevector <32 x float> %16, <32 x float> %10, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
  %18 = shufflevector <32 x float> %17, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %19 = shufflevector <32 x float> %17, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %20 = fadd contract <16 x float> %19, %18
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
  %35 = getelementptr float, ptr %b2_1, i64 %task.0
  store float %34, ptr %35, align 4
  %36 = add i64 %task.0, 1
  %37 = add nsw i64 %i, 1
  %38 = icmp slt i64 %37, %2
  br i1 %38, label %loop, label %done.loopexit
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <32 x float> @llvm.masked.load.v32f32.p0(ptr captures(none), <32 x i1>, <32 x float>) #1

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nounwind }

!0 = !{}
