; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_sum_mul_069516a1(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 3, i64 1, ptr nonnull @fused_sum_mul_069516a1.tasks0, ptr nonnull %context) #1
  ret void
}

; Function Attrs: nounwind
define internal void @fused_sum_mul_069516a1.tasks0(ptr %0, i64 %1, i64 %2) #0 {
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
  %task.0 = phi i64 [ %44, %done2 ], [ %1, %loop.preheader ]
  %i = phi i64 [ %45, %done2 ], [ %1, %loop.preheader ]
  %.idx = mul i64 %task.0, 80000
  %6 = getelementptr i8, ptr %x_0, i64 %.idx
  br label %loop1

done.loopexit:                                    ; preds = %done2
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop1:                                            ; preds = %loop, %loop1
  %partial.0 = phi <32 x float> [ zeroinitializer, %loop ], [ %12, %loop1 ]
  %i3 = phi i64 [ 0, %loop ], [ %13, %loop1 ]
  %7 = getelementptr i16, ptr %6, i64 %i3
  %8 = load <32 x i16>, ptr %7, align 2, !invariant.load !0
  %9 = zext <32 x i16> %8 to <32 x i32>
  %10 = shl nuw <32 x i32> %9, splat (i32 16)
  %11 = bitcast <32 x i32> %10 to <32 x float>
  %12 = fadd <32 x float> %partial.0, %11
  %13 = add nuw nsw i64 %i3, 32
  %14 = icmp samesign ult i64 %i3, 39968
  br i1 %14, label %loop1, label %done2

done2:                                            ; preds = %loop1
  %15 = shufflevector <32 x float> %12, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %16 = shufflevector <32 x float> %12, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %17 = fadd <16 x float> %16, %15
  %18 = shufflevector <16 x float> %17, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %19 = shufflevector <16 x float> %17, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %20 = fadd <8 x float> %19, %18
  %21 = shufflevector <8 x float> %20, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %22 = shufflevector <8 x float> %20, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %23 = fadd <4 x float> %22, %21
  %24 = shufflevector <4 x float> %23, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %25 = shufflevector <4 x float> %23, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %26 = fadd <2 x float> %25, %24
  %27 = shufflevector <2 x float> %26, <2 x float> poison, <1 x i32> <i32 1>
  %28 = shufflevector <2 x float> %26, <2 x float> poison, <1 x i32> zeroinitializer
  %29 = fadd <1 x float> %28, %27
  %30 = extractelement <1 x float> %29, i64 0
  %31 = fadd float %30, 0.000000e+00
  %32 = fmul float %31, %31
  %33 = getelementptr i16, ptr %b2_1, i64 %task.0
  %34 = bitcast float %32 to i32
  %35 = lshr i32 %34, 16
  %36 = and i32 %35, 1
  %37 = add i32 %34, 32767
  %38 = add i32 %37, %36
  %39 = lshr i32 %38, 16
  %40 = or i32 %35, 64
  %41 = fcmp uno float %32, 0.000000e+00
  %42 = select i1 %41, i32 %40, i32 %39
  %43 = trunc nuw i32 %42 to i16
  store i16 %43, ptr %33, align 2
  %44 = add i64 %task.0, 1
  %45 = add nsw i64 %i, 1
  %46 = icmp slt i64 %45, %2
  br i1 %46, label %loop, label %done.loopexit
}

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nounwind }

!0 = !{}
