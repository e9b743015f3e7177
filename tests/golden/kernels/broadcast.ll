; launched with input 2, arena at 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @neg_55bc43ea(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 6, i64 8192, ptr nonnull @neg_55bc43ea.tasks0, ptr nonnull %context) #2
  ret void
}

; Function Attrs: nounwind
define internal void @neg_55bc43ea.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %column_2 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b3_4 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %task.0 = phi i64 [ %12, %loop ], [ %1, %loop.preheader ]
  %i = phi i64 [ %13, %loop ], [ %1, %loop.preheader ]
  %6 = getelementptr float, ptr %column_2, i64 %task.0
  %7 = load float, ptr %6, align 4, !invariant.load !0
  %8 = fneg float %7
  store volatile i32 1, ptr %lanes, align 4
  %9 = load volatile i32, ptr %lanes, align 4
  %.splatinsert6 = insertelement <4 x i32> poison, i32 %9, i64 0
  %.splat7 = shufflevector <4 x i32> %.splatinsert6, <4 x i32> poison, <4 x i32> zeroinitializer
  %10 = icmp ugt <4 x i32> %.splat7, <i32 0, i32 1, i32 2, i32 3>
  %.splatinsert8 = insertelement <4 x float> poison, float %8, i64 0
  %.splat9 = shufflevector <4 x float> %.splatinsert8, <4 x float> poison, <4 x i32> zeroinitializer
  %11 = getelementptr float, ptr %b3_4, i64 %task.0
  %.splatinsert = insertelement <4 x ptr> poison, ptr %11, i64 0
  %.splat = shufflevector <4 x ptr> %.splatinsert, <4 x ptr> poison, <4 x i32> zeroinitializer
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %.splat9, <4 x ptr> align 4 %.splat, <4 x i1> %10)
  %12 = add i64 %task.0, 1
  %13 = add nsw i64 %i, 1
  %14 = icmp slt i64 %13, %2
  br i1 %14, label %loop, label %done.loopexit

done.loopexit:                                    ; preds = %loop
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(write)
declare void @llvm.masked.scatter.v4f32.v4p0(<4 x float>, <4 x ptr>, <4 x i1>) #1

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(write) }
attributes #2 = { nounwind }

!0 = !{}

; launched with input 0, input 1, arena at 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fma_5532c4d9(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 6, i64 409, ptr nonnull @fma_5532c4d9.tasks0, ptr nonnull %context) #4
  ret void
}

; Function Attrs: nounwind
define internal void @fma_5532c4d9.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %row_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %b3_4 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %b4_3 = load ptr, ptr %6, align 8, !invariant.load !0
  %7 = icmp slt i64 %1, %2
  br i1 %7, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  %8 = load <16 x float>, ptr %row_1, align 4, !invariant.load !0
  %9 = getelementptr i8, ptr %row_1, i64 64
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %task.0 = phi i64 [ %25, %loop ], [ %1, %loop.preheader ]
  %i = phi i64 [ %26, %loop ], [ %1, %loop.preheader ]
  %10 = getelementptr float, ptr %b3_4, i64 %task.0
  %11 = load float, ptr %10, align 4, !invariant.load !0
  %12 = mul i64 %task.0, 20
  %13 = getelementptr float, ptr %x_0, i64 %12
  %14 = load <16 x float>, ptr %13, align 4, !invariant.load !0
  %.splatinsert = insertelement <16 x float> poison, float %11, i64 0
  %.splat = shufflevector <16 x float> %.splatinsert, <16 x float> poison, <16 x i32> zeroinitializer
  %15 = call <16 x float> @llvm.fma.v16f32(<16 x float> %14, <16 x float> %8, <16 x float> %.splat)
  %16 = getelementptr float, ptr %b4_3, i64 %12
  store <16 x float> %15, ptr %16, align 4
  store volatile i32 4, ptr %lanes, align 4
  %17 = load volatile i32, ptr %lanes, align 4
  %.splatinsert4 = insertelement <16 x i32> poison, i32 %17, i64 0
  %.splat5 = shufflevector <16 x i32> %.splatinsert4, <16 x i32> poison, <16 x i32> zeroinitializer
  %18 = icmp ugt <16 x i32> %.splat5, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %19 = add i64 %12, 16
  %20 = getelementptr float, ptr %x_0, i64 %19
  %21 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %20, <16 x i1> %18, <16 x float> zeroinitializer)
  %22 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %9, <16 x i1> %18, <16 x float> zeroinitializer)
  %23 = call <16 x float> @llvm.fma.v16f32(<16 x float> %21, <16 x float> %22, <16 x float> %.splat)
  %24 = getelementptr float, ptr %b4_3, i64 %19
  call void @llvm.masked.store.v16f32.p0(<16 x float> %23, ptr align 4 %24, <16 x i1> %18)
  %25 = add i64 %task.0, 1
  %26 = add nsw i64 %i, 1
  %27 = icmp slt i64 %26, %2
  br i1 %27, label %loop, label %done.loopexit

done.loopexit:                                    ; preds = %loop
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr captures(none), <16 x i1>, <16 x float>) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr captures(none), <16 x i1>) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #4 = { nounwind }

!0 = !{}
