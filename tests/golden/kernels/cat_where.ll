; launched with input 2, input 0, input 1, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_cat_where_fde00206(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 8, i64 1024, ptr nonnull @fused_cat_where_fde00206.tasks0, ptr nonnull %context) #2
  ret void
}

; Function Attrs: nounwind
define internal void @fused_cat_where_fde00206.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %3 = load ptr, ptr %0, align 8
  %mask_2 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %x_0 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %y_1 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %b5_4 = load ptr, ptr %6, align 8, !invariant.load !0
  %7 = icmp slt i64 %1, %2
  br i1 %7, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %task.0 = phi i64 [ %21, %loop ], [ %1, %loop.preheader ]
  %i = phi i64 [ %22, %loop ], [ %1, %loop.preheader ]
  %8 = shl i64 %task.0, 3
  %9 = getelementptr i8, ptr %mask_2, i64 %8
  %10 = load <8 x i8>, ptr %9, align 1, !invariant.load !0
  %.not = icmp eq <8 x i8> %10, zeroinitializer
  %11 = icmp slt i64 %task.0, 3
  %12 = getelementptr float, ptr %x_0, i64 %8
  %.splatinsert = insertelement <8 x i1> poison, i1 %11, i64 0
  %.splat = shufflevector <8 x i1> %.splatinsert, <8 x i1> poison, <8 x i32> zeroinitializer
  %13 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %12, <8 x i1> %.splat, <8 x float> zeroinitializer)
  %14 = xor i1 %11, true
  %15 = getelementptr float, ptr %y_1, i64 %8
  %16 = getelementptr i8, ptr %15, i64 -96
  %.splatinsert4 = insertelement <8 x i1> poison, i1 %14, i64 0
  %.splat5 = shufflevector <8 x i1> %.splatinsert4, <8 x i1> poison, <8 x i32> zeroinitializer
  %17 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %16, <8 x i1> %.splat5, <8 x float> zeroinitializer)
  %18 = select i1 %11, <8 x float> %13, <8 x float> %17
  %19 = select <8 x i1> %.not, <8 x float> zeroinitializer, <8 x float> %18
  %20 = getelementptr float, ptr %b5_4, i64 %8
  store <8 x float> %19, ptr %20, align 4
  %21 = add i64 %task.0, 1
  %22 = add nsw i64 %i, 1
  %23 = icmp slt i64 %22, %2
  br i1 %23, label %loop, label %done.loopexit

done.loopexit:                                    ; preds = %loop
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr captures(none), <8 x i1>, <8 x float>) #1

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nounwind }

!0 = !{}
