; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @permute_d777bed5(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 24, i64 512, ptr nonnull @permute_d777bed5.tasks0, ptr nonnull %context) #2
  ret void
}

; Function Attrs: nounwind
define internal void @permute_d777bed5.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b1_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %task.0 = phi i64 [ %10, %loop ], [ %1, %loop.preheader ]
  %i = phi i64 [ %11, %loop ], [ %1, %loop.preheader ]
  %.splatinsert = insertelement <16 x i64> poison, i64 %task.0, i64 0
  %.splat = shufflevector <16 x i64> %.splatinsert, <16 x i64> poison, <16 x i32> zeroinitializer
  %6 = add <16 x i64> %.splat, <i64 0, i64 24, i64 48, i64 72, i64 96, i64 120, i64 144, i64 168, i64 192, i64 216, i64 240, i64 264, i64 288, i64 312, i64 336, i64 360>
  %7 = getelementptr float, ptr %x_0, <16 x i64> %6
  %8 = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %7, <16 x i1> splat (i1 true), <16 x float> poison)
  %.idx = shl i64 %task.0, 6
  %9 = getelementptr i8, ptr %b1_1, i64 %.idx
  store <16 x float> %8, ptr %9, align 4
  %10 = add i64 %task.0, 1
  %11 = add nsw i64 %i, 1
  %12 = icmp slt i64 %11, %2
  br i1 %12, label %loop, label %done.loopexit

done.loopexit:                                    ; preds = %loop
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(read)
declare <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr>, <16 x i1>, <16 x float>) #1

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(read) }
attributes #2 = { nounwind }

!0 = !{}
