; launched with input 0, input 1, input 2, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_mul_sub_e9f146ce(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 6, i64 409, ptr nonnull @fused_mul_sub_e9f146ce.tasks0, ptr nonnull %context) #3
  ret void
}

; Function Attrs: nounwind
define internal void @fused_mul_sub_e9f146ce.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %row_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %column_2 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %b4_3 = load ptr, ptr %6, align 8, !invariant.load !0
  %7 = icmp slt i64 %1, %2
  br i1 %7, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  %8 = load <16 x float>, ptr %row_1, align 4, !invariant.load !0
  %9 = getelementptr i8, ptr %row_1, i64 64
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %task.0 = phi i64 [ %27, %loop ], [ %1, %loop.preheader ]
  %i = phi i64 [ %28, %loop ], [ %1, %loop.preheader ]
  %10 = getelementptr float, ptr %column_2, i64 %task.0
  %11 = load float, ptr %10, align 4, !invariant.load !0
  %12 = mul i64 %task.0, 20
  %13 = getelementptr float, ptr %x_0, i64 %12
  %14 = load <16 x float>, ptr %13, align 4, !invariant.load !0
  %15 = fmul <16 x float> %14, %8
  %.splatinsert = insertelement <16 x float> poison, float %11, i64 0
  %.splat = shufflevector <16 x float> %.splatinsert, <16 x float> poison, <16 x i32> zeroinitializer
  %16 = fsub <16 x float> %15, %.splat
  %17 = getelementptr float, ptr %b4_3, i64 %12
  store <16 x float> %16, ptr %17, align 4
  store volatile i32 4, ptr %lanes, align 4
  %18 = load volatile i32, ptr %lanes, align 4
  %.splatinsert4 = insertelement <16 x i32> poison, i32 %18, i64 0
  %.splat5 = shufflevector <16 x i32> %.splatinsert4, <16 x i32> poison, <16 x i32> zeroinitializer
  %19 = icmp ugt <16 x i32> %.splat5, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %20 = add i64 %12, 16
  %21 = getelementptr float, ptr %x_0, i64 %20
  %22 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %21, <16 x i1> %19, <16 x float> zeroinitializer)
  %23 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %9, <16 x i1> %19, <16 x float> zeroinitializer)
  %24 = fmul <16 x float> %22, %23
  %25 = fsub <16 x float> %24, %.splat
  %26 = getelementptr float, ptr %b4_3, i64 %20
  call void @llvm.masked.store.v16f32.p0(<16 x float> %25, ptr align 4 %26, <16 x i1> %19)
  %27 = add i64 %task.0, 1
  %28 = add nsw i64 %i, 1
  %29 = icmp slt i64 %28, %2
  br i1 %29, label %loop, label %done.loopexit

done.loopexit:                                    ; preds = %loop
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr captures(none), <16 x i1>, <16 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr captures(none), <16 x i1>) #2

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #3 = { nounwind }

!0 = !{}
