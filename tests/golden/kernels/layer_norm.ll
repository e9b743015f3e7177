; launched with input 0, input 1, input 2, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_sum_div_sub_mul_add_1f0439af(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 1, i64 12, ptr nonnull @fused_sum_div_sub_mul_add_1f0439af.tasks0, ptr nonnull %context) #4
  ret void
}

; Function Attrs: nounwind
define internal void @fused_sum_div_sub_mul_add_1f0439af.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %mask38 = alloca i8, align 1
  %mask = alloca i8, align 1
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %weight_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %bias_2 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %b14_5 = load ptr, ptr %6, align 8, !invariant.load !0
  %7 = icmp slt i64 %1, %2
  br i1 %7, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %done40
  %i = phi i64 [ %49, %done40 ], [ %1, %loop.preheader ]
  store volatile i32 4, ptr %lanes, align 4
  %8 = load volatile i32, ptr %lanes, align 4
  %.splatinsert24 = insertelement <8 x i32> poison, i32 %8, i64 0
  %.splat25 = shufflevector <8 x i32> %.splatinsert24, <8 x i32> poison, <8 x i32> zeroinitializer
  %9 = icmp ugt <8 x i32> %.splat25, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %10 = bitcast <8 x i1> %9 to i8
  br label %loop27

done.loopexit:                                    ; preds = %done40
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop27:                                           ; preds = %loop, %loop27
  %var26.0 = phi <8 x float> [ zeroinitializer, %loop ], [ %17, %loop27 ]
  %i29 = phi i64 [ 0, %loop ], [ %18, %loop27 ]
  %.splatinsert30 = insertelement <8 x i64> poison, i64 %i29, i64 0
  %.splat31 = shufflevector <8 x i64> %.splatinsert30, <8 x i64> poison, <8 x i32> zeroinitializer
  %11 = add nuw <8 x i64> %.splat31, <i64 0, i64 20, i64 40, i64 60, i64 80, i64 100, i64 120, i64 140>
  %12 = getelementptr float, ptr %x_0, <8 x i64> %11
  %13 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %12, <8 x i1> %9, <8 x float> zeroinitializer)
  %14 = fadd <8 x float> %var26.0, %13
  store volatile i8 %10, ptr %mask, align 1
  %15 = load volatile i8, ptr %mask, align 1
  %16 = bitcast i8 %15 to <8 x i1>
  %17 = select <8 x i1> %16, <8 x float> %14, <8 x float> %var26.0
  %18 = add nuw nsw i64 %i29, 1
  %19 = icmp samesign ult i64 %i29, 19
  br i1 %19, label %loop27, label %done28

done28:                                           ; preds = %loop27
  %20 = fdiv <8 x float> %17, splat (float 2.000000e+01)
  br label %loop33

loop33:                                           ; preds = %done28, %loop33
  %var32.0 = phi <8 x float> [ zeroinitializer, %done28 ], [ %29, %loop33 ]
  %i35 = phi i64 [ 0, %done28 ], [ %30, %loop33 ]
  %.splatinsert36 = insertelement <8 x i64> poison, i64 %i35, i64 0
  %.splat37 = shufflevector <8 x i64> %.splatinsert36, <8 x i64> poison, <8 x i32> zeroinitializer
  %21 = add nuw <8 x i64> %.splat37, <i64 0, i64 20, i64 40, i64 60, i64 80, i64 100, i64 120, i64 140>
  %22 = getelementptr float, ptr %x_0, <8 x i64> %21
  %23 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %22, <8 x i1> %9, <8 x float> zeroinitializer)
  %24 = fsub <8 x float> %23, %20
  %25 = fmul <8 x float> %24, %24
  %26 = fadd <8 x float> %var32.0, %25
  store volatile i8 %10, ptr %mask38, align 1
  %27 = load volatile i8, ptr %mask38, align 1
  %28 = bitcast i8 %27 to <8 x i1>
  %29 = select <8 x i1> %28, <8 x float> %26, <8 x float> %var32.0
  %30 = add nuw nsw i64 %i35, 1
  %31 = icmp samesign ult i64 %i35, 19
  br i1 %31, label %loop33, label %done34

done34:                                           ; preds = %loop33
  %32 = fdiv <8 x float> %29, splat (float 2.000000e+01)
  %33 = fadd <8 x float> %32, splat (float 0x3EE4F8B580000000)
  %34 = call <8 x float> @llvm.sqrt.v8f32(<8 x float> %33)
  %35 = fdiv <8 x float> splat (float 1.000000e+00), %34
  br label %loop39

loop39:                                           ; preds = %done34, %loop39
  %i41 = phi i64 [ 0, %done34 ], [ %47, %loop39 ]
  %.splatinsert42 = insertelement <8 x i64> poison, i64 %i41, i64 0
  %.splat43 = shufflevector <8 x i64> %.splatinsert42, <8 x i64> poison, <8 x i32> zeroinitializer
  %36 = add nuw <8 x i64> %.splat43, <i64 0, i64 20, i64 40, i64 60, i64 80, i64 100, i64 120, i64 140>
  %37 = getelementptr float, ptr %x_0, <8 x i64> %36
  %38 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %37, <8 x i1> %9, <8 x float> zeroinitializer)
  %39 = fsub <8 x float> %38, %20
  %40 = fmul <8 x float> %39, %35
  %41 = getelementptr float, ptr %weight_1, i64 %i41
  %42 = load float, ptr %41, align 4, !invariant.load !0
  %43 = getelementptr float, ptr %bias_2, i64 %i41
  %44 = load float, ptr %43, align 4, !invariant.load !0
  %.splatinsert44 = insertelement <8 x float> poison, float %42, i64 0
  %.splat45 = shufflevector <8 x float> %.splatinsert44, <8 x float> poison, <8 x i32> zeroinitializer
  %.splatinsert46 = insertelement <8 x float> poison, float %44, i64 0
  %.splat47 = shufflevector <8 x float> %.splatinsert46, <8 x float> poison, <8 x i32> zeroinitializer
  %45 = call <8 x float> @llvm.fma.v8f32(<8 x float> %40, <8 x float> %.splat45, <8 x float> %.splat47)
  %46 = getelementptr float, ptr %b14_5, <8 x i64> %36
  call void @llvm.masked.scatter.v8f32.v8p0(<8 x float> %45, <8 x ptr> align 4 %46, <8 x i1> %9)
  %47 = add nuw nsw i64 %i41, 1
  %48 = icmp samesign ult i64 %i41, 19
  br i1 %48, label %loop39, label %done40

done40:                                           ; preds = %loop39
  %49 = add nsw i64 %i, 1
  %50 = icmp slt i64 %49, %2
  br i1 %50, label %loop, label %done.loopexit
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(read)
declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, <8 x i1>, <8 x float>) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x float> @llvm.sqrt.v8f32(<8 x float>) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(write)
declare void @llvm.masked.scatter.v8f32.v8p0(<8 x float>, <8 x ptr>, <8 x i1>) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(read) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(write) }
attributes #4 = { nounwind }

!0 = !{}
