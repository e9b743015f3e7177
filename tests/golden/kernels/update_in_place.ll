; launched with input 1, input 2, input 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_neg_fma_99fe53ea(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %gradient_1 = load ptr, ptr %0, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %rate_2 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %parameter_0 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = load float, ptr %rate_2, align 4
  %.splatinsert = insertelement <16 x float> poison, float %6, i64 0
  %.splat = shufflevector <16 x float> %.splatinsert, <16 x float> poison, <16 x i32> zeroinitializer
  br label %loop

loop:                                             ; preds = %entry, %loop
  %i = phi i64 [ 0, %entry ], [ %13, %loop ]
  %7 = getelementptr float, ptr %gradient_1, i64 %i
  %8 = load <16 x float>, ptr %7, align 4
  %9 = fneg <16 x float> %8
  %10 = getelementptr float, ptr %parameter_0, i64 %i
  %11 = load <16 x float>, ptr %10, align 4
  %12 = call <16 x float> @llvm.fma.v16f32(<16 x float> %9, <16 x float> %.splat, <16 x float> %11)
  store <16 x float> %12, ptr %10, align 4
  %13 = add nuw nsw i64 %i, 16
  %14 = icmp samesign ult i64 %i, 48
  br i1 %14, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>) #1

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{}
