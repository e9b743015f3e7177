; launched with input 0, input 1, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_mul_add_relu_5e4af999(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %lanes = alloca i32, align 4
  %x_0 = load ptr, ptr %0, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %y_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %b6_3 = load ptr, ptr %5, align 8, !invariant.load !0
  br label %loop

loop:                                             ; preds = %entry, %loop
  %i = phi i64 [ 0, %entry ], [ %16, %loop ]
  %6 = getelementptr float, ptr %x_0, i64 %i
  %7 = load <16 x float>, ptr %6, align 4, !invariant.load !0
  %8 = fmul contract <16 x float> %7, splat (float 5.000000e-01)
  %9 = getelementptr float, ptr %y_1, i64 %i
  %10 = load <16 x float>, ptr %9, align 4, !invariant.load !0
  %11 = fadd contract <16 x float> %8, %10
  %12 = fcmp contract ole <16 x float> %11, zeroinitializer
  %13 = select contract <16 x i1> %12, <16 x float> zeroinitializer, <16 x float> %11
  %14 = fmul contract <16 x float> %13, %7
  %15 = getelementptr float, ptr %b6_3, i64 %i
  store <16 x float> %14, ptr %15, align 4
  %16 = add nuw nsw i64 %i, 16
  %17 = icmp samesign ult i64 %i, 80
  br i1 %17, label %loop, label %done

done:                                             ; preds = %loop
  store volatile i32 4, ptr %lanes, align 4
  %18 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <16 x i32> poison, i32 %18, i64 0
  %.splat = shufflevector <16 x i32> %.splatinsert, <16 x i32> poison, <16 x i32> zeroinitializer
  %19 = icmp ugt <16 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %20 = getelementptr i8, ptr %x_0, i64 384
  %21 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %20, <16 x i1> %19, <16 x float> zeroinitializer)
  %22 = fmul contract <16 x float> %21, splat (float 5.000000e-01)
  %23 = getelementptr i8, ptr %y_1, i64 384
  %24 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %23, <16 x i1> %19, <16 x float> zeroinitializer)
  %25 = fadd contract <16 x float> %22, %24
  %26 = fcmp contract ole <16 x float> %25, zeroinitializer
  %27 = select contract <16 x i1> %26, <16 x float> zeroinitializer, <16 x float> %25
  %28 = fmul contract <16 x float> %27, %21
  %29 = getelementptr i8, ptr %b6_3, i64 384
  call void @llvm.masked.store.v16f32.p0(<16 x float> %28, ptr align 4 %29, <16 x i1> %19)
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr captures(none), <16 x i1>, <16 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr captures(none), <16 x i1>) #2

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }

!0 = !{}
