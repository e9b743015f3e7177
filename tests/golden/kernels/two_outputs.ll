; launched with input 0, input 1, output 0, output 1
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_mul_abs_f06ae872(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %x_0 = load ptr, ptr %0, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %y_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %b2_2 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %b3_3 = load ptr, ptr %6, align 8, !invariant.load !0
  br label %loop

loop:                                             ; preds = %entry, %loop
  %i = phi i64 [ 0, %entry ], [ %15, %loop ]
  %7 = getelementptr float, ptr %x_0, i64 %i
  %8 = load <16 x float>, ptr %7, align 4, !invariant.load !0
  %9 = getelementptr float, ptr %y_1, i64 %i
  %10 = load <16 x float>, ptr %9, align 4, !invariant.load !0
  %11 = fmul <16 x float> %8, %10
  %12 = getelementptr float, ptr %b2_2, i64 %i
  store <16 x float> %11, ptr %12, align 4
  %13 = call <16 x float> @llvm.fabs.v16f32(<16 x float> %11)
  %14 = getelementptr float, ptr %b3_3, i64 %i
  store <16 x float> %13, ptr %14, align 4
  %15 = add nuw nsw i64 %i, 16
  %16 = icmp samesign ult i64 %i, 32
  br i1 %16, label %loop, label %done

done:                                             ; preds = %loop
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x float> @llvm.fabs.v16f32(<16 x float>) #1

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{}
