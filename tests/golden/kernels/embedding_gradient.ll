; launched with input 0, output 0, input 1, input 2
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @scatter_add_413ee2c5(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %w_0 = load ptr, ptr %0, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %b5_3 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %index_1 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %grad_2 = load ptr, ptr %6, align 8, !invariant.load !0
  br label %loop

loop:                                             ; preds = %entry, %done2
  %i = phi i64 [ 0, %entry ], [ %14, %done2 ]
  %7 = shl i64 %i, 8
  br label %loop1

loop1:                                            ; preds = %loop, %loop1
  %i3 = phi i64 [ 0, %loop ], [ %12, %loop1 ]
  %8 = add i64 %7, %i3
  %9 = getelementptr float, ptr %w_0, i64 %8
  %10 = load <16 x float>, ptr %9, align 4
  %11 = getelementptr float, ptr %b5_3, i64 %8
  store <16 x float> %10, ptr %11, align 4
  %12 = add nuw nsw i64 %i3, 16
  %13 = icmp samesign ult i64 %i3, 240
  br i1 %13, label %loop1, label %done2

done2:                                            ; preds = %loop1
  %14 = add nuw nsw i64 %i, 1
  %15 = icmp samesign ult i64 %i, 99
  br i1 %15, label %loop, label %loop4.preheader

loop4.preheader:                                  ; preds = %done2
  br label %loop4

loop4:                                            ; preds = %loop4.preheader, %done8
  %i6 = phi i64 [ %20, %done8 ], [ 0, %loop4.preheader ]
  %16 = getelementptr i64, ptr %index_1, i64 %i6
  %17 = load i64, ptr %16, align 8
  %18 = icmp ugt i64 %17, 99
  %.idx = shl i64 %i6, 10
  %19 = getelementptr i8, ptr %grad_2, i64 %.idx
  br label %loop7

done5:                                            ; preds = %done8
  ret void

loop7:                                            ; preds = %loop4, %right
  %i9 = phi i64 [ 0, %loop4 ], [ %29, %right ]
  br i1 %18, label %wrong, label %right, !prof !1

done8:                                            ; preds = %right
  %20 = add nuw nsw i64 %i6, 1
  %21 = icmp samesign ult i64 %i6, 39
  br i1 %21, label %loop4, label %done5

wrong:                                            ; preds = %loop7
  call void @set_status(ptr %3, i32 1)
  br label %right

right:                                            ; preds = %wrong, %loop7
  %22 = phi i64 [ 0, %wrong ], [ %17, %loop7 ]
  %23 = getelementptr float, ptr %19, i64 %i9
  %24 = load float, ptr %23, align 4
  %25 = getelementptr float, ptr %b5_3, i64 %i9
  %.idx10 = shl nuw nsw i64 %22, 10
  %26 = getelementptr i8, ptr %25, i64 %.idx10
  %27 = load float, ptr %26, align 4
  %28 = fadd float %27, %24
  store float %28, ptr %26, align 4
  %29 = add nuw nsw i64 %i9, 1
  %30 = icmp samesign ult i64 %i9, 255
  br i1 %30, label %loop7, label %done8
}

; Function Attrs: cold noinline nounwind
define internal void @set_status(ptr %0, i32 %1) #1 {
entry:
  %2 = cmpxchg ptr %0, i32 0, i32 %1 monotonic monotonic, align 4
  ret void
}

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { cold noinline nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }

!0 = !{}
!1 = !{!"branch_weights", i32 1, i32 1048575}
