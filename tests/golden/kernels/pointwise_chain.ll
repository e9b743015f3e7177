; launched with input 0, input 1, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_fma_relu_mul_65423a52(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %lanes = alloca i32, align 4
  %x_0 = load ptr, ptr %0, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %y_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %b5_3 = load ptr, ptr %5, align 8, !invariant.load !0
  br label %loop

loop:                                             ; preds = %entry, %loop
  %i = phi i64 [ 0, %entry ], [ %15, %loop ]
  %6 = getelementptr float, ptr %x_0, i64 %i
  %7 = load <16 x float>, ptr %6, align 4, !invariant.load !0
  %8 = getelementptr float, ptr %y_1, i64 %i
  %9 = load <16 x float>, ptr %8, align 4, !invariant.load !0
  %10 = call <16 x float> @llvm.fma.v16f32(<16 x float> %7, <16 x float> splat (float 5.000000e-01), <16 x float> %9)
  %11 = fcmp ole <16 x float> %10, zeroinitializer
  %12 = select <16 x i1> %11, <16 x float> zeroinitializer, <16 x float> %10
  %13 = fmul <16 x float> %12, %7
  %14 = getelementptr float, ptr %b5_3, i64 %i
  store <16 x float> %13, ptr %14, align 4
  %15 = add nuw nsw i64 %i, 16
  %16 = icmp samesign ult i64 %i, 80
  br i1 %16, label %loop, label %done

done:                                             ; preds = %loop
  store volatile i32 4, ptr %lanes, align 4
  %17 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <16 x i32> poison, i32 %17, i64 0
  %.splat = shufflevector <16 x i32> %.splatinsert, <16 x i32> poison, <16 x i32> zeroinitializer
  %18 = icmp ugt <16 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %19 = getelementptr i8, ptr %x_0, i64 384
  %20 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %19, <16 x i1> %18, <16 x float> zeroinitializer)
  %21 = getelementptr i8, ptr %y_1, i64 384
  %22 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %21, <16 x i1> %18, <16 x float> zeroinitializer)
  %23 = call <16 x float> @llvm.fma.v16f32(<16 x float> %20, <16 x float> splat (float 5.000000e-01), <16 x float> %22)
  %24 = fcmp ole <16 x float> %23, zeroinitializer
  %25 = select <16 x i1> %24, <16 x float> zeroinitializer, <16 x float> %23
  %26 = fmul <16 x float> %25, %20
  %27 = getelementptr i8, ptr %b5_3, i64 384
  call void @llvm.masked.store.v16f32.p0(<16 x float> %26, ptr align 4 %27, <16 x i1> %18)
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

!0 = !{}
