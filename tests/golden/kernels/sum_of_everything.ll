; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_sum_div_69fb64b4(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %x_0 = load ptr, ptr %0, align 8, !invariant.load !0
  br label %loop

loop:                                             ; preds = %entry, %loop
  %partial.0 = phi <32 x float> [ zeroinitializer, %entry ], [ %6, %loop ]
  %i = phi i64 [ 0, %entry ], [ %7, %loop ]
  %4 = getelementptr float, ptr %x_0, i64 %i
  %5 = load <32 x float>, ptr %4, align 4, !invariant.load !0
  %6 = fadd contract <32 x float> %partial.0, %5
  %7 = add nuw nsw i64 %i, 32
  %8 = icmp samesign ult i64 %i, 1440
  br i1 %8, label %loop, label %done

done:                                             ; preds = %loop
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %b3_2 = load ptr, ptr %9, align 8, !invariant.load !0
  %10 = getelementptr i8, ptr %x_0, i64 5888
  %11 = call contract <32 x float> @llvm.masked.load.v32f32.p0(ptr align 4 %10, <32 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <32 x float> poison)
  %12 = fadd contract <32 x float> %6, %11
  %13 = shufflevector <32 x float> %12, <32 x float> %6, <32 x i32> <i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 60, i32 61, i32 62, i32 63>
  %14 = shufflevector <32 x float> %13, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %15 = shufflevector <32 x float> %12, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %16 = fadd contract <16 x float> %15, %14
  %17 = shufflevector <16 x float> %16, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %18 = shufflevector <16 x float> %16, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %19 = fadd contract <8 x float> %18, %17
  %20 = shufflevector <8 x float> %19, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %21 = shufflevector <8 x float> %19, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %22 = fadd contract <4 x float> %21, %20
  %23 = shufflevector <4 x float> %22, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %24 = shufflevector <4 x float> %22, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %25 = fadd contract <2 x float> %24, %23
  %26 = shufflevector <2 x float> %25, <2 x float> poison, <1 x i32> <i32 1>
  %27 = shufflevector <2 x float> %25, <2 x float> poison, <1 x i32> zeroinitializer
  %28 = fadd contract <1 x float> %27, %26
  %29 = extractelement <1 x float> %28, i64 0
  %30 = fadd contract float %29, 0.000000e+00
  %31 = fdiv contract float %30, 1.500000e+03
  store float %31, ptr %b3_2, align 4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <32 x float> @llvm.masked.load.v32f32.p0(ptr captures(none), <32 x i1>, <32 x float>) #1

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }

!0 = !{}
