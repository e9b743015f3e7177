; launched with input 1, input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @gather_6e19284f(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 7, i64 409, ptr nonnull @gather_6e19284f.tasks0, ptr nonnull %context) #4
  ret void
}

; Function Attrs: nounwind
define internal void @gather_6e19284f.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %5 = load ptr, ptr %4, align 8
  %index_1 = load ptr, ptr %3, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %table_0 = load ptr, ptr %6, align 8, !invariant.load !0
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %b4_2 = load ptr, ptr %7, align 8, !invariant.load !0
  %8 = icmp slt i64 %1, %2
  br i1 %8, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %right5
  %task.0 = phi i64 [ %23, %right5 ], [ %1, %loop.preheader ]
  %i = phi i64 [ %24, %right5 ], [ %1, %loop.preheader ]
  %9 = getelementptr i64, ptr %index_1, i64 %task.0
  %10 = load i64, ptr %9, align 8, !invariant.load !0
  %11 = icmp ugt i64 %10, 49
  br i1 %11, label %wrong, label %right, !prof !1

done.loopexit:                                    ; preds = %right5
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

wrong:                                            ; preds = %loop
  call void @set_status(ptr %5, i32 1)
  br label %right

right:                                            ; preds = %wrong, %loop
  %12 = phi i64 [ 0, %wrong ], [ %10, %loop ]
  %.idx = mul nuw i64 %12, 80
  %13 = getelementptr i8, ptr %table_0, i64 %.idx
  %14 = load <16 x float>, ptr %13, align 4, !invariant.load !0
  %.idx6 = mul i64 %task.0, 80
  %15 = getelementptr i8, ptr %b4_2, i64 %.idx6
  store <16 x float> %14, ptr %15, align 4
  store volatile i32 4, ptr %lanes, align 4
  %16 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <16 x i32> poison, i32 %16, i64 0
  %.splat = shufflevector <16 x i32> %.splatinsert, <16 x i32> poison, <16 x i32> zeroinitializer
  %17 = icmp ugt <16 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  br i1 %11, label %wrong4, label %right5, !prof !1

wrong4:                                           ; preds = %right
  call void @set_status(ptr %5, i32 1)
  br label %right5

right5:                                           ; preds = %wrong4, %right
  %18 = phi i64 [ 0, %wrong4 ], [ %10, %right ]
  %.idx7 = mul nuw i64 %18, 80
  %19 = getelementptr i8, ptr %table_0, i64 %.idx7
  %20 = getelementptr i8, ptr %19, i64 64
  %21 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %20, <16 x i1> %17, <16 x float> zeroinitializer)
  %22 = getelementptr i8, ptr %15, i64 64
  call void @llvm.masked.store.v16f32.p0(<16 x float> %21, ptr align 4 %22, <16 x i1> %17)
  %23 = add i64 %task.0, 1
  %24 = add nsw i64 %i, 1
  %25 = icmp slt i64 %24, %2
  br i1 %25, label %loop, label %done.loopexit
}

; Function Attrs: cold noinline nounwind
define internal void @set_status(ptr %0, i32 %1) #1 {
entry:
  %2 = cmpxchg ptr %0, i32 0, i32 %1 monotonic monotonic, align 4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr captures(none), <16 x i1>, <16 x float>) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr captures(none), <16 x i1>) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { cold noinline nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #4 = { nounwind }

!0 = !{}
!1 = !{!"branch_weights", i32 1, i32 1048575}
