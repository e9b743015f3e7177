; launched with input 0, input 1, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_floor_div_remainder_maximum_4f0c8f39(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %x_0 = load ptr, ptr %0, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %y_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %b5_3 = load ptr, ptr %5, align 8, !invariant.load !0
  br label %loop

loop:                                             ; preds = %entry, %right
  %i = phi i64 [ 0, %entry ], [ %33, %right ]
  %6 = getelementptr i64, ptr %x_0, i64 %i
  %7 = load <8 x i64>, ptr %6, align 8, !invariant.load !0
  %8 = getelementptr i64, ptr %y_1, i64 %i
  %9 = load <8 x i64>, ptr %8, align 8, !invariant.load !0
  %10 = icmp eq <8 x i64> %9, zeroinitializer
  %11 = bitcast <8 x i1> %10 to i8
  %.not = icmp eq i8 %11, 0
  br i1 %.not, label %right, label %wrong, !prof !1

done:                                             ; preds = %right
  ret void

wrong:                                            ; preds = %loop
  call void @set_status(ptr %3, i32 2)
  br label %right

right:                                            ; preds = %wrong, %loop
  %12 = icmp eq <8 x i64> %9, splat (i64 -1)
  %13 = add <8 x i64> %9, splat (i64 1)
  %14 = icmp ult <8 x i64> %13, splat (i64 2)
  %15 = select <8 x i1> %14, <8 x i64> splat (i64 1), <8 x i64> %9
  %16 = sdiv <8 x i64> %7, %15
  %17 = mul <8 x i64> %16, %15
  %18 = sub <8 x i64> %7, %17
  %19 = xor <8 x i64> %18, %15
  %20 = icmp slt <8 x i64> %19, zeroinitializer
  %21 = icmp ne <8 x i64> %7, %17
  %22 = and <8 x i1> %21, %20
  %23 = sext <8 x i1> %22 to <8 x i64>
  %24 = add <8 x i64> %16, %23
  %25 = sub <8 x i64> zeroinitializer, %7
  %26 = select <8 x i1> %12, <8 x i64> %25, <8 x i64> %24
  %.fr = freeze <8 x i64> %26
  %27 = srem <8 x i64> %.fr, splat (i64 7)
  %28 = icmp slt <8 x i64> %27, zeroinitializer
  %29 = add nsw <8 x i64> %27, splat (i64 7)
  %30 = select <8 x i1> %28, <8 x i64> %29, <8 x i64> %27
  %31 = call <8 x i64> @llvm.smax.v8i64(<8 x i64> %30, <8 x i64> %7)
  %32 = getelementptr i64, ptr %b5_3, i64 %i
  store <8 x i64> %31, ptr %32, align 8
  %33 = add nuw nsw i64 %i, 8
  %34 = icmp samesign ult i64 %i, 32
  br i1 %34, label %loop, label %done
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i1 @llvm.vector.reduce.or.v8i1(<8 x i1>) #1

; Function Attrs: cold noinline nounwind
define internal void @set_status(ptr %0, i32 %1) #2 {
entry:
  %2 = cmpxchg ptr %0, i32 0, i32 %1 monotonic monotonic, align 4
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x i64> @llvm.smax.v8i64(<8 x i64>, <8 x i64>) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { cold noinline nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{}
!1 = !{!"branch_weights", i32 1048575, i32 1}
