; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @argmax_9c28e648(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 5, i64 248, ptr nonnull @argmax_9c28e648.tasks0, ptr nonnull %context) #1
  ret void
}

; Function Attrs: nounwind
define internal void @argmax_9c28e648.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b1_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %done3
  %task.0 = phi i64 [ %19, %done3 ], [ %1, %loop.preheader ]
  %i = phi i64 [ %20, %done3 ], [ %1, %loop.preheader ]
  %.idx = mul i64 %task.0, 132
  %6 = getelementptr i8, ptr %x_0, i64 %.idx
  br label %loop2

done.loopexit:                                    ; preds = %done3
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop2:                                            ; preds = %loop, %loop2
  %var.0 = phi float [ 0xFFF0000000000000, %loop ], [ %15, %loop2 ]
  %var1.0 = phi i64 [ 0, %loop ], [ %14, %loop2 ]
  %i4 = phi i64 [ 0, %loop ], [ %16, %loop2 ]
  %7 = getelementptr float, ptr %6, i64 %i4
  %8 = load float, ptr %7, align 4, !invariant.load !0
  %9 = fcmp contract olt float %var.0, %8
  %10 = fcmp contract uno float %8, 0.000000e+00
  %11 = fcmp contract ord float %var.0, 0.000000e+00
  %12 = and i1 %10, %11
  %13 = or i1 %9, %12
  %14 = select i1 %13, i64 %i4, i64 %var1.0
  %15 = select contract i1 %13, float %8, float %var.0
  %16 = add nuw nsw i64 %i4, 1
  %17 = icmp samesign ult i64 %i4, 32
  br i1 %17, label %loop2, label %done3

done3:                                            ; preds = %loop2
  %18 = getelementptr i64, ptr %b1_1, i64 %task.0
  store i64 %14, ptr %18, align 8
  %19 = add i64 %task.0, 1
  %20 = add nsw i64 %i, 1
  %21 = icmp slt i64 %20, %2
  br i1 %21, label %loop, label %done.loopexit
}

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nounwind }

!0 = !{}
