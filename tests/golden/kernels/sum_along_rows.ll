; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_square_sum_0fa55aa8(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 6, i64 81, ptr nonnull @fused_square_sum_0fa55aa8.tasks0, ptr nonnull %context) #2
  ret void
}

; Function Attrs: nounwind
define internal void @fused_square_sum_0fa55aa8.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %mask = alloca i32, align 4
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b2_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %done2
  %task.0 = phi i64 [ %41, %done2 ], [ %1, %loop.preheader ]
  %i = phi i64 [ %42, %done2 ], [ %1, %loop.preheader ]
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
  %9 = fmul <32 x float> %8, %8
  %10 = fadd <32 x float> %partial.0, %9
  %11 = add nuw nsw i64 %i3, 32
  %12 = icmp samesign ult i64 %i3, 64
  br i1 %12, label %loop1, label %done2

done2:                                            ; preds = %loop1
  store volatile i32 4, ptr %lanes, align 4
  %13 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <32 x i32> poison, i32 %13, i64 0
  %.splat = shufflevector <32 x i32> %.splatinsert, <32 x i32> poison, <32 x i32> zeroinitializer
  %14 = icmp ugt <32 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %15 = getelementptr i8, ptr %6, i64 384
  %16 = call <32 x float> @llvm.masked.load.v32f32.p0(ptr align 4 %15, <32 x i1> %14, <32 x float> zeroinitializer)
  %17 = fmul <32 x float> %16, %16
  %18 = fadd <32 x float> %10, %17
  %19 = bitcast <32 x i1> %14 to i32
  store volatile i32 %19, ptr %mask, align 4
  %20 = load volatile i32, ptr %mask, align 4
  %21 = bitcast i32 %20 to <32 x i1>
  %22 = select <32 x i1> %21, <32 x float> %18, <32 x float> %10
  %23 = shufflevector <32 x float> %22, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %24 = shufflevector <32 x float> %22, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %25 = fadd <16 x float> %24, %23
  %26 = shufflevector <16 x float> %25, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %27 = shufflevector <16 x float> %25, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %28 = fadd <8 x float> %27, %26
  %29 = shufflevector <8 x float> %28, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %30 = shufflevector <8 x float> %28, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %31 = fadd <4 x float> %30, %29
  %32 = shufflevector <4 x float> %31, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %33 = shufflevector <4 x float> %31, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %34 = fadd <2 x float> %33, %32
  %35 = shufflevector <2 x float> %34, <2 x float> poison, <1 x i32> <i32 1>
  %36 = shufflevector <2 x float> %34, <2 x float> poison, <1 x i32> zeroinitializer
  %37 = fadd <1 x float> %36, %35
  %38 = extractelement <1 x float> %37, i64 0
  %39 = fadd float %38, 0.000000e+00
  %40 = getelementptr float, ptr %b2_1, i64 %task.0
  store float %39, ptr %40, align 4
  %41 = add i64 %task.0, 1
  %42 = add nsw i64 %i, 1
  %43 = icmp slt i64 %42, %2
  br i1 %43, label %loop, label %done.loopexit
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <32 x float> @llvm.masked.load.v32f32.p0(ptr captures(none), <32 x i1>, <32 x float>) #1

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nounwind }

!0 = !{}
