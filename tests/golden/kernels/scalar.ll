; launched with input 0, input 1, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fma_7916c2e7(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %x_0 = load ptr, ptr %0, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %y_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %b2_2 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = load float, ptr %x_0, align 4, !invariant.load !0
  %7 = load float, ptr %y_1, align 4, !invariant.load !0
  %8 = call float @llvm.fma.f32(float %6, float %7, float %6)
  store float %8, ptr %b2_2, align 4
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fma.f32(float, float, float) #1

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{}
