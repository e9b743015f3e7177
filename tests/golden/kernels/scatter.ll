; launched with input 0, output 0, input 1, input 2
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @scatter_add_0839f16b(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %lanes = alloca i32, align 4
  %x_0 = load ptr, ptr %0, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %b3_3 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %index_1 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %from_2 = load ptr, ptr %6, align 8, !invariant.load !0
  br label %loop

loop:                                             ; preds = %entry, %loop
  %i = phi i64 [ 0, %entry ], [ %17, %loop ]
  %7 = mul i64 %i, 20
  %8 = getelementptr float, ptr %x_0, i64 %7
  %9 = load <16 x float>, ptr %8, align 4
  %10 = getelementptr float, ptr %b3_3, i64 %7
  store <16 x float> %9, ptr %10, align 4
  store volatile i32 4, ptr %lanes, align 4
  %11 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <16 x i32> poison, i32 %11, i64 0
  %.splat = shufflevector <16 x i32> %.splatinsert, <16 x i32> poison, <16 x i32> zeroinitializer
  %12 = icmp ugt <16 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %13 = add i64 %7, 16
  %14 = getelementptr float, ptr %x_0, i64 %13
  %15 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %14, <16 x i1> %12, <16 x float> zeroinitializer)
  %16 = getelementptr float, ptr %b3_3, i64 %13
  call void @llvm.masked.store.v16f32.p0(<16 x float> %15, ptr align 4 %16, <16 x i1> %12)
  %17 = add nuw nsw i64 %i, 1
  %18 = icmp samesign ult i64 %i, 49
  br i1 %18, label %loop, label %loop4.preheader

loop4.preheader:                                  ; preds = %loop
  br label %loop4

loop4:                                            ; preds = %loop4.preheader, %done8
  %i6 = phi i64 [ %24, %done8 ], [ 0, %loop4.preheader ]
  %19 = mul i64 %i6, 20
  br label %loop7

done5:                                            ; preds = %done8
  ret void

loop7:                                            ; preds = %loop4, %right
  %i9 = phi i64 [ 0, %loop4 ], [ %33, %right ]
  %20 = add i64 %19, %i9
  %21 = getelementptr i64, ptr %index_1, i64 %20
  %22 = load i64, ptr %21, align 8
  %23 = icmp ugt i64 %22, 49
  br i1 %23, label %wrong, label %right, !prof !1

done8:                                            ; preds = %right
  %24 = add nuw nsw i64 %i6, 1
  %25 = icmp samesign ult i64 %i6, 6
  br i1 %25, label %loop4, label %done5

wrong:                                            ; preds = %loop7
  call void @set_status(ptr %3, i32 1)
  br label %right

right:                                            ; preds = %wrong, %loop7
  %26 = phi i64 [ 0, %wrong ], [ %22, %loop7 ]
  %27 = getelementptr float, ptr %from_2, i64 %20
  %28 = load float, ptr %27, align 4
  %29 = getelementptr float, ptr %b3_3, i64 %i9
  %.idx = mul nuw i64 %26, 80
  %30 = getelementptr i8, ptr %29, i64 %.idx
  %31 = load float, ptr %30, align 4
  %32 = fadd float %31, %28
  store float %32, ptr %30, align 4
  %33 = add nuw nsw i64 %i9, 1
  %34 = icmp samesign ult i64 %i9, 19
  br i1 %34, label %loop7, label %done8
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr captures(none), <16 x i1>, <16 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr captures(none), <16 x i1>) #2

; Function Attrs: cold noinline nounwind
define internal void @set_status(ptr %0, i32 %1) #3 {
entry:
  %2 = cmpxchg ptr %0, i32 0, i32 %1 monotonic monotonic, align 4
  ret void
}

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #3 = { cold noinline nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }

!0 = !{}
!1 = !{!"branch_weights", i32 1, i32 1048575}
