; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_sum_div_69fb64b4(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %mask = alloca i32, align 4
  %lanes = alloca i32, align 4
  %x_0 = load ptr, ptr %0, align 8, !invariant.load !0
  br label %loop

loop:                                             ; preds = %entry, %loop
  %partial.0 = phi <32 x float> [ zeroinitializer, %entry ], [ %6, %loop ]
  %i = phi i64 [ 0, %entry ], [ %7, %loop ]
  %4 = getelementptr float, ptr %x_0, i64 %i
  %5 = load <32 x float>, ptr %4, align 4, !invariant.load !0
  %6 = fadd <32 x float> %partial.0, %5
  %7 = add nuw nsw i64 %i, 32
  %8 = icmp samesign ult i64 %i, 1440
  br i1 %8, label %loop, label %done

done:                                             ; preds = %loop
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %b3_2 = load ptr, ptr %9, align 8, !invariant.load !0
  store volatile i32 28, ptr %lanes, align 4
  %10 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <32 x i32> poison, i32 %10, i64 0
  %.splat = shufflevector <32 x i32> %.splatinsert, <32 x i32> poison, <32 x i32> zeroinitializer
  %11 = icmp ugt <32 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %12 = getelementptr i8, ptr %x_0, i64 5888
  %13 = call <32 x float> @llvm.masked.load.v32f32.p0(ptr align 4 %12, <32 x i1> %11, <32 x float> zeroinitializer)
  %14 = fadd <32 x float> %6, %13
  %15 = bitcast <32 x i1> %11 to i32
  store volatile i32 %15, ptr %mask, align 4
  %16 = load volatile i32, ptr %mask, align 4
  %17 = bitcast i32 %16 to <32 x i1>
  %18 = select <32 x i1> %17, <32 x float> %14, <32 x float> %6
  %19 = shufflevector <32 x float> %18, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %20 = shufflevector <32 x float> %18, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %21 = fadd <16 x float> %20, %19
  %22 = shufflevector <16 x float> %21, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %23 = shufflevector <16 x float> %21, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %24 = fadd <8 x float> %23, %22
  %25 = shufflevector <8 x float> %24, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %26 = shufflevector <8 x float> %24, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %27 = fadd <4 x float> %26, %25
  %28 = shufflevector <4 x float> %27, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %29 = shufflevector <4 x float> %27, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %30 = fadd <2 x float> %29, %28
  %31 = shufflevector <2 x float> %30, <2 x float> poison, <1 x i32> <i32 1>
  %32 = shufflevector <2 x float> %30, <2 x float> poison, <1 x i32> zeroinitializer
  %33 = fadd <1 x float> %32, %31
  %34 = extractelement <1 x float> %33, i64 0
  %35 = fadd float %34, 0.000000e+00
  %36 = fdiv float %35, 1.500000e+03
  store float %36, ptr %b3_2, align 4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <32 x float> @llvm.masked.load.v32f32.p0(ptr captures(none), <32 x i1>, <32 x float>) #1

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }

!0 = !{}
