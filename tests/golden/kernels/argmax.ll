; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @argmax_c0bdc5ad(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 1, i64 7, ptr nonnull @argmax_c0bdc5ad.tasks0, ptr nonnull %context) #3
  ret void
}

; Function Attrs: nounwind
define internal void @argmax_c0bdc5ad.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %mask21 = alloca i8, align 1
  %mask = alloca i8, align 1
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b1_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %done15
  %i = phi i64 [ %27, %done15 ], [ %1, %loop.preheader ]
  store volatile i32 5, ptr %lanes, align 4
  %6 = load volatile i32, ptr %lanes, align 4
  %.splatinsert10 = insertelement <8 x i32> poison, i32 %6, i64 0
  %.splat11 = shufflevector <8 x i32> %.splatinsert10, <8 x i32> poison, <8 x i32> zeroinitializer
  %7 = icmp ugt <8 x i32> %.splat11, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %8 = bitcast <8 x i1> %7 to i8
  br label %loop14

done.loopexit:                                    ; preds = %done15
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop14:                                           ; preds = %loop, %loop14
  %var12.0 = phi <8 x float> [ splat (float 0xFFF0000000000000), %loop ], [ %24, %loop14 ]
  %var13.0 = phi <8 x i64> [ zeroinitializer, %loop ], [ %20, %loop14 ]
  %i16 = phi i64 [ 0, %loop ], [ %25, %loop14 ]
  %.splatinsert17 = insertelement <8 x i64> poison, i64 %i16, i64 0
  %.splat18 = shufflevector <8 x i64> %.splatinsert17, <8 x i64> poison, <8 x i32> zeroinitializer
  %9 = add nuw <8 x i64> %.splat18, <i64 0, i64 33, i64 66, i64 99, i64 132, i64 165, i64 198, i64 231>
  %10 = getelementptr float, ptr %x_0, <8 x i64> %9
  %11 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %10, <8 x i1> %7, <8 x float> zeroinitializer)
  %12 = fcmp olt <8 x float> %var12.0, %11
  %13 = fcmp uno <8 x float> %11, zeroinitializer
  %14 = fcmp ord <8 x float> %var12.0, zeroinitializer
  %15 = and <8 x i1> %13, %14
  %16 = or <8 x i1> %12, %15
  store volatile i8 %8, ptr %mask, align 1
  %17 = load volatile i8, ptr %mask, align 1
  %18 = bitcast i8 %17 to <8 x i1>
  %19 = select <8 x i1> %18, <8 x i1> %16, <8 x i1> zeroinitializer
  %20 = select <8 x i1> %19, <8 x i64> %.splat18, <8 x i64> %var13.0
  store volatile i8 %8, ptr %mask21, align 1
  %21 = load volatile i8, ptr %mask21, align 1
  %22 = bitcast i8 %21 to <8 x i1>
  %23 = select <8 x i1> %22, <8 x i1> %16, <8 x i1> zeroinitializer
  %24 = select <8 x i1> %23, <8 x float> %11, <8 x float> %var12.0
  %25 = add nuw nsw i64 %i16, 1
  %26 = icmp samesign ult i64 %i16, 32
  br i1 %26, label %loop14, label %done15

done15:                                           ; preds = %loop14
  call void @llvm.masked.store.v8i64.p0(<8 x i64> %20, ptr align 8 %b1_1, <8 x i1> %7)
  %27 = add nsw i64 %i, 1
  %28 = icmp slt i64 %27, %2
  br i1 %28, label %loop, label %done.loopexit
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(read)
declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, <8 x i1>, <8 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v8i64.p0(<8 x i64>, ptr captures(none), <8 x i1>) #2

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(read) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #3 = { nounwind }

!0 = !{}
