; launched with input 1, input 0, input 2, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_batched_matmul_add_relu_ecb9ecc9(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 1, i64 1, ptr nonnull @fused_batched_matmul_add_relu_ecb9ecc9.tasks0, ptr nonnull %context) #5
  ret void
}

; Function Attrs: nounwind
define internal void @fused_batched_matmul_add_relu_ecb9ecc9.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %b = alloca [512 x float], align 64
  %c = alloca [384 x float], align 64
  %3 = load ptr, ptr %0, align 8
  %w_1 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %x_0 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %bias_2 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %b5_3 = load ptr, ptr %6, align 8, !invariant.load !0
  %7 = icmp slt i64 %1, %2
  br i1 %7, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %done6
  %task.0 = phi i64 [ %10, %done6 ], [ 0, %loop.preheader ]
  %i = phi i64 [ %11, %done6 ], [ %1, %loop.preheader ]
  br label %loop5

done.loopexit:                                    ; preds = %done6
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop5:                                            ; preds = %loop, %done35
  br label %loop11

done6:                                            ; preds = %done35
  %8 = add i64 %task.0, 1
  %9 = icmp eq i64 %task.0, 0
  %10 = select i1 %9, i64 0, i64 %8
  %11 = add nsw i64 %i, 1
  %12 = icmp slt i64 %11, %2
  br i1 %12, label %loop, label %done.loopexit

loop11:                                           ; preds = %loop5, %loop11
  %i13 = phi i64 [ 0, %loop5 ], [ %21, %loop11 ]
  %13 = mul i64 %i13, 24
  %14 = getelementptr float, ptr %w_1, i64 %13
  %15 = load <8 x float>, ptr %14, align 4, !invariant.load !0
  %16 = shl i64 %i13, 4
  %17 = getelementptr float, ptr %b, i64 %16
  store <8 x float> %15, ptr %17, align 16
  %18 = getelementptr i8, ptr %14, i64 32
  %19 = load <8 x float>, ptr %18, align 4, !invariant.load !0
  %20 = getelementptr i8, ptr %17, i64 32
  store <8 x float> %19, ptr %20, align 16
  %21 = add nuw nsw i64 %i13, 1
  %22 = icmp samesign ult i64 %i13, 15
  br i1 %22, label %loop11, label %loop20.preheader

loop20.preheader:                                 ; preds = %loop11
  br label %loop20

loop20:                                           ; preds = %loop20.preheader, %loop20
  %i22 = phi i64 [ %27, %loop20 ], [ 0, %loop20.preheader ]
  %.idx = mul i64 %i22, 96
  %23 = getelementptr i8, ptr %w_1, i64 %.idx
  %24 = getelementptr i8, ptr %23, i64 64
  %unmaskedload = load <8 x float>, ptr %24, align 4
  %.idx47 = shl i64 %i22, 6
  %25 = getelementptr i8, ptr %b, i64 %.idx47
  %26 = getelementptr i8, ptr %25, i64 1024
  store <8 x float> %unmaskedload, ptr %26, align 16
  %27 = add nuw nsw i64 %i22, 1
  %28 = icmp samesign ult i64 %i22, 15
  br i1 %28, label %loop20, label %done21

done21:                                           ; preds = %loop20
  br label %loop23

loop23:                                           ; preds = %done21, %endif30
  %i25 = phi i64 [ 0, %done21 ], [ %40, %endif30 ]
  %29 = shl i64 %i25, 4
  %notsub = add i64 %29, -25
  %30 = icmp slt i64 %notsub, -9
  br i1 %30, label %endif, label %loop26.preheader

loop26.preheader:                                 ; preds = %loop23
  %.idx49 = shl i64 %i25, 10
  %31 = getelementptr i8, ptr %b, i64 %.idx49
  %32 = mul i64 %i25, 12
  br label %loop26

done24:                                           ; preds = %endif30
  br label %loop34

endif.loopexit:                                   ; preds = %loop26
  br label %endif

endif:                                            ; preds = %endif.loopexit, %loop23
  br i1 %30, label %loop31.preheader, label %endif30

loop31.preheader:                                 ; preds = %endif
  %.idx52 = shl i64 %i25, 10
  %33 = getelementptr i8, ptr %b, i64 %.idx52
  %34 = mul i64 %i25, 12
  br label %loop31

loop26:                                           ; preds = %loop26.preheader, %loop26
  %i28 = phi i64 [ %38, %loop26 ], [ 0, %loop26.preheader ]
  %.idx48 = shl i64 %i28, 6
  %35 = getelementptr i8, ptr %x_0, i64 %.idx48
  %36 = add i64 %32, %i28
  %.idx50 = shl i64 %36, 6
  %37 = getelementptr i8, ptr %c, i64 %.idx50
  call void @contract.f32.4x1.of16.by16(ptr %35, i64 16, ptr %31, i64 16, ptr %37, i1 true, i64 3)
  %38 = add nuw nsw i64 %i28, 4
  %39 = icmp samesign ult i64 %i28, 8
  br i1 %39, label %loop26, label %endif.loopexit

endif30.loopexit:                                 ; preds = %loop31
  br label %endif30

endif30:                                          ; preds = %endif30.loopexit, %endif
  %40 = add nuw nsw i64 %i25, 1
  %41 = icmp eq i64 %i25, 0
  br i1 %41, label %loop23, label %done24

loop31:                                           ; preds = %loop31.preheader, %loop31
  %i33 = phi i64 [ %45, %loop31 ], [ 0, %loop31.preheader ]
  %.idx51 = shl i64 %i33, 6
  %42 = getelementptr i8, ptr %x_0, i64 %.idx51
  %43 = add i64 %34, %i33
  %.idx53 = shl i64 %43, 6
  %44 = getelementptr i8, ptr %c, i64 %.idx53
  call void @contract.f32.4x2.of16.by16(ptr %42, i64 16, ptr %33, i64 16, ptr %44, i1 true, i64 3)
  %45 = add nuw nsw i64 %i33, 4
  %46 = icmp samesign ult i64 %i33, 8
  br i1 %46, label %loop31, label %endif30.loopexit

loop34:                                           ; preds = %done24, %done38
  %i36 = phi i64 [ 0, %done24 ], [ %55, %done38 ]
  %47 = shl i64 %i36, 4
  %48 = sub i64 24, %47
  %49 = call i64 @llvm.smin.i64(i64 %48, i64 16)
  %50 = mul i64 %i36, 12
  %51 = icmp sgt i64 %48, 0
  br label %loop37

done35:                                           ; preds = %done38
  br i1 false, label %loop5, label %done6

loop37:                                           ; preds = %loop34, %endif44
  %i39 = phi i64 [ 0, %loop34 ], [ %68, %endif44 ]
  %52 = add i64 %50, %i39
  %.idx54 = shl i64 %52, 6
  %53 = getelementptr i8, ptr %c, i64 %.idx54
  br i1 %51, label %loop40.preheader, label %done41

loop40.preheader:                                 ; preds = %loop37
  %.idx55 = mul i64 %i39, 96
  %54 = getelementptr i8, ptr %b5_3, i64 %.idx55
  br label %loop40

done38:                                           ; preds = %endif44
  %55 = add nuw nsw i64 %i36, 1
  %56 = icmp eq i64 %i36, 0
  br i1 %56, label %loop34, label %done35

loop40:                                           ; preds = %loop40.preheader, %loop40
  %i42 = phi i64 [ %66, %loop40 ], [ 0, %loop40.preheader ]
  %57 = add i64 %47, %i42
  %58 = getelementptr float, ptr %53, i64 %i42
  %59 = load <8 x float>, ptr %58, align 16
  %60 = getelementptr float, ptr %bias_2, i64 %57
  %61 = load <8 x float>, ptr %60, align 4, !invariant.load !0
  %62 = fadd <8 x float> %59, %61
  %63 = fcmp ole <8 x float> %62, zeroinitializer
  %64 = select <8 x i1> %63, <8 x float> zeroinitializer, <8 x float> %62
  %65 = getelementptr float, ptr %54, i64 %57
  store <8 x float> %64, ptr %65, align 4
  %66 = add nuw nsw i64 %i42, 8
  %67 = icmp slt i64 %66, %49
  br i1 %67, label %loop40, label %done41.loopexit

done41.loopexit:                                  ; preds = %loop40
  br label %done41

done41:                                           ; preds = %done41.loopexit, %loop37
  br i1 false, label %if43, label %endif44

if43:                                             ; preds = %done41
  br label %endif44

endif44:                                          ; preds = %if43, %done41
  %68 = add nuw nsw i64 %i39, 1
  %69 = icmp samesign ult i64 %i39, 11
  br i1 %69, label %loop37, label %done38
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr captures(none), <8 x i1>, <8 x float>) #1

; Function Attrs: noinline nounwind
define internal void @contract.f32.4x1.of16.by16(ptr noalias %0, i64 %1, ptr noalias %2, i64 %3, ptr noalias %4, i1 %5, i64 %6) #2 {
entry:
  %7 = getelementptr i8, ptr %0, i64 64
  %8 = getelementptr i8, ptr %0, i64 128
  %9 = getelementptr i8, ptr %0, i64 192
  br i1 %5, label %ready, label %resume

resume:                                           ; preds = %entry
  %10 = load <8 x float>, ptr %4, align 16
  %11 = getelementptr i8, ptr %4, i64 64
  %12 = load <8 x float>, ptr %11, align 16
  %13 = getelementptr i8, ptr %4, i64 128
  %14 = load <8 x float>, ptr %13, align 16
  %15 = getelementptr i8, ptr %4, i64 192
  %16 = load <8 x float>, ptr %15, align 16
  br label %ready

ready:                                            ; preds = %resume, %entry
  %sum.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %10, %resume ]
  %sum1.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %12, %resume ]
  %sum2.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %14, %resume ]
  %sum3.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %16, %resume ]
  %17 = and i64 %3, -4
  %18 = icmp sgt i64 %3, 3
  br i1 %18, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %ready
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %sum.1 = phi <8 x float> [ %68, %loop ], [ %sum.0, %loop.preheader ]
  %sum1.1 = phi <8 x float> [ %71, %loop ], [ %sum1.0, %loop.preheader ]
  %sum2.1 = phi <8 x float> [ %74, %loop ], [ %sum2.0, %loop.preheader ]
  %sum3.1 = phi <8 x float> [ %77, %loop ], [ %sum3.0, %loop.preheader ]
  %i = phi i64 [ %78, %loop ], [ 0, %loop.preheader ]
  %.idx = shl i64 %i, 6
  %19 = getelementptr i8, ptr %2, i64 %.idx
  %20 = load <8 x float>, ptr %19, align 16
  %21 = getelementptr float, ptr %0, i64 %i
  %22 = load float, ptr %21, align 4
  %.splatinsert = insertelement <8 x float> poison, float %22, i64 0
  %.splat = shufflevector <8 x float> %.splatinsert, <8 x float> poison, <8 x i32> zeroinitializer
  %23 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat, <8 x float> %20, <8 x float> %sum.1)
  %24 = getelementptr float, ptr %7, i64 %i
  %25 = load float, ptr %24, align 4
  %.splatinsert4 = insertelement <8 x float> poison, float %25, i64 0
  %.splat5 = shufflevector <8 x float> %.splatinsert4, <8 x float> poison, <8 x i32> zeroinitializer
  %26 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat5, <8 x float> %20, <8 x float> %sum1.1)
  %27 = getelementptr float, ptr %8, i64 %i
  %28 = load float, ptr %27, align 4
  %.splatinsert6 = insertelement <8 x float> poison, float %28, i64 0
  %.splat7 = shufflevector <8 x float> %.splatinsert6, <8 x float> poison, <8 x i32> zeroinitializer
  %29 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat7, <8 x float> %20, <8 x float> %sum2.1)
  %30 = getelementptr float, ptr %9, i64 %i
  %31 = load float, ptr %30, align 4
  %.splatinsert8 = insertelement <8 x float> poison, float %31, i64 0
  %.splat9 = shufflevector <8 x float> %.splatinsert8, <8 x float> poison, <8 x i32> zeroinitializer
  %32 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat9, <8 x float> %20, <8 x float> %sum3.1)
  %33 = or disjoint i64 %i, 1
  %.idx45 = shl i64 %33, 6
  %34 = getelementptr i8, ptr %2, i64 %.idx45
  %35 = load <8 x float>, ptr %34, align 16
  %36 = getelementptr float, ptr %0, i64 %33
  %37 = load float, ptr %36, align 4
  %.splatinsert10 = insertelement <8 x float> poison, float %37, i64 0
  %.splat11 = shufflevector <8 x float> %.splatinsert10, <8 x float> poison, <8 x i32> zeroinitializer
  %38 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat11, <8 x float> %35, <8 x float> %23)
  %39 = getelementptr float, ptr %7, i64 %33
  %40 = load float, ptr %39, align 4
  %.splatinsert12 = insertelement <8 x float> poison, float %40, i64 0
  %.splat13 = shufflevector <8 x float> %.splatinsert12, <8 x float> poison, <8 x i32> zeroinitializer
  %41 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat13, <8 x float> %35, <8 x float> %26)
  %42 = getelementptr float, ptr %8, i64 %33
  %43 = load float, ptr %42, align 4
  %.splatinsert14 = insertelement <8 x float> poison, float %43, i64 0
  %.splat15 = shufflevector <8 x float> %.splatinsert14, <8 x float> poison, <8 x i32> zeroinitializer
  %44 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat15, <8 x float> %35, <8 x float> %29)
  %45 = getelementptr float, ptr %9, i64 %33
  %46 = load float, ptr %45, align 4
  %.splatinsert16 = insertelement <8 x float> poison, float %46, i64 0
  %.splat17 = shufflevector <8 x float> %.splatinsert16, <8 x float> poison, <8 x i32> zeroinitializer
  %47 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat17, <8 x float> %35, <8 x float> %32)
  %48 = or disjoint i64 %i, 2
  %.idx46 = shl i64 %48, 6
  %49 = getelementptr i8, ptr %2, i64 %.idx46
  %50 = load <8 x float>, ptr %49, align 16
  %51 = getelementptr float, ptr %0, i64 %48
  %52 = load float, ptr %51, align 4
  %.splatinsert18 = insertelement <8 x float> poison, float %52, i64 0
  %.splat19 = shufflevector <8 x float> %.splatinsert18, <8 x float> poison, <8 x i32> zeroinitializer
  %53 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat19, <8 x float> %50, <8 x float> %38)
  %54 = getelementptr float, ptr %7, i64 %48
  %55 = load float, ptr %54, align 4
  %.splatinsert20 = insertelement <8 x float> poison, float %55, i64 0
  %.splat21 = shufflevector <8 x float> %.splatinsert20, <8 x float> poison, <8 x i32> zeroinitializer
  %56 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat21, <8 x float> %50, <8 x float> %41)
  %57 = getelementptr float, ptr %8, i64 %48
  %58 = load float, ptr %57, align 4
  %.splatinsert22 = insertelement <8 x float> poison, float %58, i64 0
  %.splat23 = shufflevector <8 x float> %.splatinsert22, <8 x float> poison, <8 x i32> zeroinitializer
  %59 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat23, <8 x float> %50, <8 x float> %44)
  %60 = getelementptr float, ptr %9, i64 %48
  %61 = load float, ptr %60, align 4
  %.splatinsert24 = insertelement <8 x float> poison, float %61, i64 0
  %.splat25 = shufflevector <8 x float> %.splatinsert24, <8 x float> poison, <8 x i32> zeroinitializer
  %62 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat25, <8 x float> %50, <8 x float> %47)
  %63 = or disjoint i64 %i, 3
  %.idx47 = shl i64 %63, 6
  %64 = getelementptr i8, ptr %2, i64 %.idx47
  %65 = load <8 x float>, ptr %64, align 16
  %66 = getelementptr float, ptr %0, i64 %63
  %67 = load float, ptr %66, align 4
  %.splatinsert26 = insertelement <8 x float> poison, float %67, i64 0
  %.splat27 = shufflevector <8 x float> %.splatinsert26, <8 x float> poison, <8 x i32> zeroinitializer
  %68 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat27, <8 x float> %65, <8 x float> %53)
  %69 = getelementptr float, ptr %7, i64 %63
  %70 = load float, ptr %69, align 4
  %.splatinsert28 = insertelement <8 x float> poison, float %70, i64 0
  %.splat29 = shufflevector <8 x float> %.splatinsert28, <8 x float> poison, <8 x i32> zeroinitializer
  %71 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat29, <8 x float> %65, <8 x float> %56)
  %72 = getelementptr float, ptr %8, i64 %63
  %73 = load float, ptr %72, align 4
  %.splatinsert30 = insertelement <8 x float> poison, float %73, i64 0
  %.splat31 = shufflevector <8 x float> %.splatinsert30, <8 x float> poison, <8 x i32> zeroinitializer
  %74 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat31, <8 x float> %65, <8 x float> %59)
  %75 = getelementptr float, ptr %9, i64 %63
  %76 = load float, ptr %75, align 4
  %.splatinsert32 = insertelement <8 x float> poison, float %76, i64 0
  %.splat33 = shufflevector <8 x float> %.splatinsert32, <8 x float> poison, <8 x i32> zeroinitializer
  %77 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat33, <8 x float> %65, <8 x float> %62)
  %78 = add nuw nsw i64 %i, 4
  %79 = icmp slt i64 %78, %17
  br i1 %79, label %loop, label %done.loopexit

done.loopexit:                                    ; preds = %loop
  br label %done

done:                                             ; preds = %done.loopexit, %ready
  %sum.2 = phi <8 x float> [ %sum.0, %ready ], [ %68, %done.loopexit ]
  %sum1.2 = phi <8 x float> [ %sum1.0, %ready ], [ %71, %done.loopexit ]
  %sum2.2 = phi <8 x float> [ %sum2.0, %ready ], [ %74, %done.loopexit ]
  %sum3.2 = phi <8 x float> [ %sum3.0, %ready ], [ %77, %done.loopexit ]
  %.not = icmp eq i64 %17, %3
  br i1 %.not, label %done35, label %loop34.preheader

loop34.preheader:                                 ; preds = %done
  br label %loop34

loop34:                                           ; preds = %loop34.preheader, %loop34
  %sum.3 = phi <8 x float> [ %84, %loop34 ], [ %sum.2, %loop34.preheader ]
  %sum1.3 = phi <8 x float> [ %87, %loop34 ], [ %sum1.2, %loop34.preheader ]
  %sum2.3 = phi <8 x float> [ %90, %loop34 ], [ %sum2.2, %loop34.preheader ]
  %sum3.3 = phi <8 x float> [ %93, %loop34 ], [ %sum3.2, %loop34.preheader ]
  %i36 = phi i64 [ %94, %loop34 ], [ %17, %loop34.preheader ]
  %.idx48 = shl i64 %i36, 6
  %80 = getelementptr i8, ptr %2, i64 %.idx48
  %81 = load <8 x float>, ptr %80, align 16
  %82 = getelementptr float, ptr %0, i64 %i36
  %83 = load float, ptr %82, align 4
  %.splatinsert37 = insertelement <8 x float> poison, float %83, i64 0
  %.splat38 = shufflevector <8 x float> %.splatinsert37, <8 x float> poison, <8 x i32> zeroinitializer
  %84 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat38, <8 x float> %81, <8 x float> %sum.3)
  %85 = getelementptr float, ptr %7, i64 %i36
  %86 = load float, ptr %85, align 4
  %.splatinsert39 = insertelement <8 x float> poison, float %86, i64 0
  %.splat40 = shufflevector <8 x float> %.splatinsert39, <8 x float> poison, <8 x i32> zeroinitializer
  %87 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat40, <8 x float> %81, <8 x float> %sum1.3)
  %88 = getelementptr float, ptr %8, i64 %i36
  %89 = load float, ptr %88, align 4
  %.splatinsert41 = insertelement <8 x float> poison, float %89, i64 0
  %.splat42 = shufflevector <8 x float> %.splatinsert41, <8 x float> poison, <8 x i32> zeroinitializer
  %90 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat42, <8 x float> %81, <8 x float> %sum2.3)
  %91 = getelementptr float, ptr %9, i64 %i36
  %92 = load float, ptr %91, align 4
  %.splatinsert43 = insertelement <8 x float> poison, float %92, i64 0
  %.splat44 = shufflevector <8 x float> %.splatinsert43, <8 x float> poison, <8 x i32> zeroinitializer
  %93 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat44, <8 x float> %81, <8 x float> %sum3.3)
  %94 = add nsw i64 %i36, 1
  %95 = icmp slt i64 %94, %3
  br i1 %95, label %loop34, label %done35.loopexit

done35.loopexit:                                  ; preds = %loop34
  br label %done35

done35:                                           ; preds = %done35.loopexit, %done
  %sum.4 = phi <8 x float> [ %sum.2, %done ], [ %84, %done35.loopexit ]
  %sum1.4 = phi <8 x float> [ %sum1.2, %done ], [ %87, %done35.loopexit ]
  %sum2.4 = phi <8 x float> [ %sum2.2, %done ], [ %90, %done35.loopexit ]
  %sum3.4 = phi <8 x float> [ %sum3.2, %done ], [ %93, %done35.loopexit ]
  store <8 x float> %sum.4, ptr %4, align 16
  %96 = getelementptr i8, ptr %4, i64 64
  store <8 x float> %sum1.4, ptr %96, align 16
  %97 = getelementptr i8, ptr %4, i64 128
  store <8 x float> %sum2.4, ptr %97, align 16
  %98 = getelementptr i8, ptr %4, i64 192
  store <8 x float> %sum3.4, ptr %98, align 16
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>) #3

; Function Attrs: noinline nounwind
define internal void @contract.f32.4x2.of16.by16(ptr noalias %0, i64 %1, ptr noalias %2, i64 %3, ptr noalias %4, i1 %5, i64 %6) #2 {
entry:
  %7 = getelementptr i8, ptr %0, i64 64
  %8 = getelementptr i8, ptr %0, i64 128
  %9 = getelementptr i8, ptr %0, i64 192
  br i1 %5, label %ready, label %resume

resume:                                           ; preds = %entry
  %10 = load <8 x float>, ptr %4, align 16
  %11 = getelementptr i8, ptr %4, i64 32
  %12 = load <8 x float>, ptr %11, align 16
  %13 = getelementptr i8, ptr %4, i64 64
  %14 = load <8 x float>, ptr %13, align 16
  %15 = getelementptr i8, ptr %4, i64 96
  %16 = load <8 x float>, ptr %15, align 16
  %17 = getelementptr i8, ptr %4, i64 128
  %18 = load <8 x float>, ptr %17, align 16
  %19 = getelementptr i8, ptr %4, i64 160
  %20 = load <8 x float>, ptr %19, align 16
  %21 = getelementptr i8, ptr %4, i64 192
  %22 = load <8 x float>, ptr %21, align 16
  %23 = getelementptr i8, ptr %4, i64 224
  %24 = load <8 x float>, ptr %23, align 16
  br label %ready

ready:                                            ; preds = %resume, %entry
  %sum.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %10, %resume ]
  %sum1.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %12, %resume ]
  %sum2.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %14, %resume ]
  %sum3.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %16, %resume ]
  %sum4.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %18, %resume ]
  %sum5.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %20, %resume ]
  %sum6.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %22, %resume ]
  %sum7.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %24, %resume ]
  %25 = and i64 %3, -4
  %26 = icmp sgt i64 %3, 3
  br i1 %26, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %ready
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %sum.1 = phi <8 x float> [ %100, %loop ], [ %sum.0, %loop.preheader ]
  %sum1.1 = phi <8 x float> [ %101, %loop ], [ %sum1.0, %loop.preheader ]
  %sum2.1 = phi <8 x float> [ %104, %loop ], [ %sum2.0, %loop.preheader ]
  %sum3.1 = phi <8 x float> [ %105, %loop ], [ %sum3.0, %loop.preheader ]
  %sum4.1 = phi <8 x float> [ %108, %loop ], [ %sum4.0, %loop.preheader ]
  %sum5.1 = phi <8 x float> [ %109, %loop ], [ %sum5.0, %loop.preheader ]
  %sum6.1 = phi <8 x float> [ %112, %loop ], [ %sum6.0, %loop.preheader ]
  %sum7.1 = phi <8 x float> [ %113, %loop ], [ %sum7.0, %loop.preheader ]
  %i = phi i64 [ %114, %loop ], [ 0, %loop.preheader ]
  %27 = shl i64 %i, 4
  %28 = getelementptr float, ptr %2, i64 %27
  %29 = load <8 x float>, ptr %28, align 16
  %30 = getelementptr i8, ptr %28, i64 32
  %31 = load <8 x float>, ptr %30, align 16
  %32 = getelementptr float, ptr %0, i64 %i
  %33 = load float, ptr %32, align 4
  %.splatinsert = insertelement <8 x float> poison, float %33, i64 0
  %.splat = shufflevector <8 x float> %.splatinsert, <8 x float> poison, <8 x i32> zeroinitializer
  %34 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat, <8 x float> %29, <8 x float> %sum.1)
  %35 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat, <8 x float> %31, <8 x float> %sum1.1)
  %36 = getelementptr float, ptr %7, i64 %i
  %37 = load float, ptr %36, align 4
  %.splatinsert8 = insertelement <8 x float> poison, float %37, i64 0
  %.splat9 = shufflevector <8 x float> %.splatinsert8, <8 x float> poison, <8 x i32> zeroinitializer
  %38 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat9, <8 x float> %29, <8 x float> %sum2.1)
  %39 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat9, <8 x float> %31, <8 x float> %sum3.1)
  %40 = getelementptr float, ptr %8, i64 %i
  %41 = load float, ptr %40, align 4
  %.splatinsert10 = insertelement <8 x float> poison, float %41, i64 0
  %.splat11 = shufflevector <8 x float> %.splatinsert10, <8 x float> poison, <8 x i32> zeroinitializer
  %42 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat11, <8 x float> %29, <8 x float> %sum4.1)
  %43 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat11, <8 x float> %31, <8 x float> %sum5.1)
  %44 = getelementptr float, ptr %9, i64 %i
  %45 = load float, ptr %44, align 4
  %.splatinsert12 = insertelement <8 x float> poison, float %45, i64 0
  %.splat13 = shufflevector <8 x float> %.splatinsert12, <8 x float> poison, <8 x i32> zeroinitializer
  %46 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat13, <8 x float> %29, <8 x float> %sum6.1)
  %47 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat13, <8 x float> %31, <8 x float> %sum7.1)
  %48 = or disjoint i64 %i, 1
  %49 = shl i64 %48, 4
  %50 = getelementptr float, ptr %2, i64 %49
  %51 = load <8 x float>, ptr %50, align 16
  %52 = getelementptr i8, ptr %50, i64 32
  %53 = load <8 x float>, ptr %52, align 16
  %54 = getelementptr float, ptr %0, i64 %48
  %55 = load float, ptr %54, align 4
  %.splatinsert14 = insertelement <8 x float> poison, float %55, i64 0
  %.splat15 = shufflevector <8 x float> %.splatinsert14, <8 x float> poison, <8 x i32> zeroinitializer
  %56 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat15, <8 x float> %51, <8 x float> %34)
  %57 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat15, <8 x float> %53, <8 x float> %35)
  %58 = getelementptr float, ptr %7, i64 %48
  %59 = load float, ptr %58, align 4
  %.splatinsert16 = insertelement <8 x float> poison, float %59, i64 0
  %.splat17 = shufflevector <8 x float> %.splatinsert16, <8 x float> poison, <8 x i32> zeroinitializer
  %60 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat17, <8 x float> %51, <8 x float> %38)
  %61 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat17, <8 x float> %53, <8 x float> %39)
  %62 = getelementptr float, ptr %8, i64 %48
  %63 = load float, ptr %62, align 4
  %.splatinsert18 = insertelement <8 x float> poison, float %63, i64 0
  %.splat19 = shufflevector <8 x float> %.splatinsert18, <8 x float> poison, <8 x i32> zeroinitializer
  %64 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat19, <8 x float> %51, <8 x float> %42)
  %65 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat19, <8 x float> %53, <8 x float> %43)
  %66 = getelementptr float, ptr %9, i64 %48
  %67 = load float, ptr %66, align 4
  %.splatinsert20 = insertelement <8 x float> poison, float %67, i64 0
  %.splat21 = shufflevector <8 x float> %.splatinsert20, <8 x float> poison, <8 x i32> zeroinitializer
  %68 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat21, <8 x float> %51, <8 x float> %46)
  %69 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat21, <8 x float> %53, <8 x float> %47)
  %70 = or disjoint i64 %i, 2
  %71 = shl i64 %70, 4
  %72 = getelementptr float, ptr %2, i64 %71
  %73 = load <8 x float>, ptr %72, align 16
  %74 = getelementptr i8, ptr %72, i64 32
  %75 = load <8 x float>, ptr %74, align 16
  %76 = getelementptr float, ptr %0, i64 %70
  %77 = load float, ptr %76, align 4
  %.splatinsert22 = insertelement <8 x float> poison, float %77, i64 0
  %.splat23 = shufflevector <8 x float> %.splatinsert22, <8 x float> poison, <8 x i32> zeroinitializer
  %78 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat23, <8 x float> %73, <8 x float> %56)
  %79 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat23, <8 x float> %75, <8 x float> %57)
  %80 = getelementptr float, ptr %7, i64 %70
  %81 = load float, ptr %80, align 4
  %.splatinsert24 = insertelement <8 x float> poison, float %81, i64 0
  %.splat25 = shufflevector <8 x float> %.splatinsert24, <8 x float> poison, <8 x i32> zeroinitializer
  %82 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat25, <8 x float> %73, <8 x float> %60)
  %83 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat25, <8 x float> %75, <8 x float> %61)
  %84 = getelementptr float, ptr %8, i64 %70
  %85 = load float, ptr %84, align 4
  %.splatinsert26 = insertelement <8 x float> poison, float %85, i64 0
  %.splat27 = shufflevector <8 x float> %.splatinsert26, <8 x float> poison, <8 x i32> zeroinitializer
  %86 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat27, <8 x float> %73, <8 x float> %64)
  %87 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat27, <8 x float> %75, <8 x float> %65)
  %88 = getelementptr float, ptr %9, i64 %70
  %89 = load float, ptr %88, align 4
  %.splatinsert28 = insertelement <8 x float> poison, float %89, i64 0
  %.splat29 = shufflevector <8 x float> %.splatinsert28, <8 x float> poison, <8 x i32> zeroinitializer
  %90 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat29, <8 x float> %73, <8 x float> %68)
  %91 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat29, <8 x float> %75, <8 x float> %69)
  %92 = or disjoint i64 %i, 3
  %93 = shl i64 %92, 4
  %94 = getelementptr float, ptr %2, i64 %93
  %95 = load <8 x float>, ptr %94, align 16
  %96 = getelementptr i8, ptr %94, i64 32
  %97 = load <8 x float>, ptr %96, align 16
  %98 = getelementptr float, ptr %0, i64 %92
  %99 = load float, ptr %98, align 4
  %.splatinsert30 = insertelement <8 x float> poison, float %99, i64 0
  %.splat31 = shufflevector <8 x float> %.splatinsert30, <8 x float> poison, <8 x i32> zeroinitializer
  %100 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat31, <8 x float> %95, <8 x float> %78)
  %101 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat31, <8 x float> %97, <8 x float> %79)
  %102 = getelementptr float, ptr %7, i64 %92
  %103 = load float, ptr %102, align 4
  %.splatinsert32 = insertelement <8 x float> poison, float %103, i64 0
  %.splat33 = shufflevector <8 x float> %.splatinsert32, <8 x float> poison, <8 x i32> zeroinitializer
  %104 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat33, <8 x float> %95, <8 x float> %82)
  %105 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat33, <8 x float> %97, <8 x float> %83)
  %106 = getelementptr float, ptr %8, i64 %92
  %107 = load float, ptr %106, align 4
  %.splatinsert34 = insertelement <8 x float> poison, float %107, i64 0
  %.splat35 = shufflevector <8 x float> %.splatinsert34, <8 x float> poison, <8 x i32> zeroinitializer
  %108 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat35, <8 x float> %95, <8 x float> %86)
  %109 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat35, <8 x float> %97, <8 x float> %87)
  %110 = getelementptr float, ptr %9, i64 %92
  %111 = load float, ptr %110, align 4
  %.splatinsert36 = insertelement <8 x float> poison, float %111, i64 0
  %.splat37 = shufflevector <8 x float> %.splatinsert36, <8 x float> poison, <8 x i32> zeroinitializer
  %112 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat37, <8 x float> %95, <8 x float> %90)
  %113 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat37, <8 x float> %97, <8 x float> %91)
  %114 = add nuw nsw i64 %i, 4
  %115 = icmp slt i64 %114, %25
  br i1 %115, label %loop, label %done.loopexit

done.loopexit:                                    ; preds = %loop
  br label %done

done:                                             ; preds = %done.loopexit, %ready
  %sum.2 = phi <8 x float> [ %sum.0, %ready ], [ %100, %done.loopexit ]
  %sum1.2 = phi <8 x float> [ %sum1.0, %ready ], [ %101, %done.loopexit ]
  %sum2.2 = phi <8 x float> [ %sum2.0, %ready ], [ %104, %done.loopexit ]
  %sum3.2 = phi <8 x float> [ %sum3.0, %ready ], [ %105, %done.loopexit ]
  %sum4.2 = phi <8 x float> [ %sum4.0, %ready ], [ %108, %done.loopexit ]
  %sum5.2 = phi <8 x float> [ %sum5.0, %ready ], [ %109, %done.loopexit ]
  %sum6.2 = phi <8 x float> [ %sum6.0, %ready ], [ %112, %done.loopexit ]
  %sum7.2 = phi <8 x float> [ %sum7.0, %ready ], [ %113, %done.loopexit ]
  %.not = icmp eq i64 %25, %3
  br i1 %.not, label %done39, label %loop38.preheader

loop38.preheader:                                 ; preds = %done
  br label %loop38

loop38:                                           ; preds = %loop38.preheader, %loop38
  %sum.3 = phi <8 x float> [ %123, %loop38 ], [ %sum.2, %loop38.preheader ]
  %sum1.3 = phi <8 x float> [ %124, %loop38 ], [ %sum1.2, %loop38.preheader ]
  %sum2.3 = phi <8 x float> [ %127, %loop38 ], [ %sum2.2, %loop38.preheader ]
  %sum3.3 = phi <8 x float> [ %128, %loop38 ], [ %sum3.2, %loop38.preheader ]
  %sum4.3 = phi <8 x float> [ %131, %loop38 ], [ %sum4.2, %loop38.preheader ]
  %sum5.3 = phi <8 x float> [ %132, %loop38 ], [ %sum5.2, %loop38.preheader ]
  %sum6.3 = phi <8 x float> [ %135, %loop38 ], [ %sum6.2, %loop38.preheader ]
  %sum7.3 = phi <8 x float> [ %136, %loop38 ], [ %sum7.2, %loop38.preheader ]
  %i40 = phi i64 [ %137, %loop38 ], [ %25, %loop38.preheader ]
  %116 = shl i64 %i40, 4
  %117 = getelementptr float, ptr %2, i64 %116
  %118 = load <8 x float>, ptr %117, align 16
  %119 = getelementptr i8, ptr %117, i64 32
  %120 = load <8 x float>, ptr %119, align 16
  %121 = getelementptr float, ptr %0, i64 %i40
  %122 = load float, ptr %121, align 4
  %.splatinsert41 = insertelement <8 x float> poison, float %122, i64 0
  %.splat42 = shufflevector <8 x float> %.splatinsert41, <8 x float> poison, <8 x i32> zeroinitializer
  %123 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat42, <8 x float> %118, <8 x float> %sum.3)
  %124 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat42, <8 x float> %120, <8 x float> %sum1.3)
  %125 = getelementptr float, ptr %7, i64 %i40
  %126 = load float, ptr %125, align 4
  %.splatinsert43 = insertelement <8 x float> poison, float %126, i64 0
  %.splat44 = shufflevector <8 x float> %.splatinsert43, <8 x float> poison, <8 x i32> zeroinitializer
  %127 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat44, <8 x float> %118, <8 x float> %sum2.3)
  %128 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat44, <8 x float> %120, <8 x float> %sum3.3)
  %129 = getelementptr float, ptr %8, i64 %i40
  %130 = load float, ptr %129, align 4
  %.splatinsert45 = insertelement <8 x float> poison, float %130, i64 0
  %.splat46 = shufflevector <8 x float> %.splatinsert45, <8 x float> poison, <8 x i32> zeroinitializer
  %131 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat46, <8 x float> %118, <8 x float> %sum4.3)
  %132 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat46, <8 x float> %120, <8 x float> %sum5.3)
  %133 = getelementptr float, ptr %9, i64 %i40
  %134 = load float, ptr %133, align 4
  %.splatinsert47 = insertelement <8 x float> poison, float %134, i64 0
  %.splat48 = shufflevector <8 x float> %.splatinsert47, <8 x float> poison, <8 x i32> zeroinitializer
  %135 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat48, <8 x float> %118, <8 x float> %sum6.3)
  %136 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat48, <8 x float> %120, <8 x float> %sum7.3)
  %137 = add nsw i64 %i40, 1
  %138 = icmp slt i64 %137, %3
  br i1 %138, label %loop38, label %done39.loopexit

done39.loopexit:                                  ; preds = %loop38
  br label %done39

done39:                                           ; preds = %done39.loopexit, %done
  %sum.4 = phi <8 x float> [ %sum.2, %done ], [ %123, %done39.loopexit ]
  %sum1.4 = phi <8 x float> [ %sum1.2, %done ], [ %124, %done39.loopexit ]
  %sum2.4 = phi <8 x float> [ %sum2.2, %done ], [ %127, %done39.loopexit ]
  %sum3.4 = phi <8 x float> [ %sum3.2, %done ], [ %128, %done39.loopexit ]
  %sum4.4 = phi <8 x float> [ %sum4.2, %done ], [ %131, %done39.loopexit ]
  %sum5.4 = phi <8 x float> [ %sum5.2, %done ], [ %132, %done39.loopexit ]
  %sum6.4 = phi <8 x float> [ %sum6.2, %done ], [ %135, %done39.loopexit ]
  %sum7.4 = phi <8 x float> [ %sum7.2, %done ], [ %136, %done39.loopexit ]
  store <8 x float> %sum.4, ptr %4, align 16
  %139 = getelementptr i8, ptr %4, i64 32
  store <8 x float> %sum1.4, ptr %139, align 16
  %140 = getelementptr i8, ptr %4, i64 64
  store <8 x float> %sum2.4, ptr %140, align 16
  %141 = getelementptr i8, ptr %4, i64 96
  store <8 x float> %sum3.4, ptr %141, align 16
  %142 = getelementptr i8, ptr %4, i64 128
  store <8 x float> %sum4.4, ptr %142, align 16
  %143 = getelementptr i8, ptr %4, i64 160
  store <8 x float> %sum5.4, ptr %143, align 16
  %144 = getelementptr i8, ptr %4, i64 192
  store <8 x float> %sum6.4, ptr %144, align 16
  %145 = getelementptr i8, ptr %4, i64 224
  store <8 x float> %sum7.4, ptr %145, align 16
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr captures(none), <8 x i1>) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { noinline nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #5 = { nounwind }

!0 = !{}
