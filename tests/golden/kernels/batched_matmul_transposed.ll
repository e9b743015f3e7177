; launched with input 1, input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_batched_matmul_mul_5036f353(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 2, i64 3, ptr nonnull @fused_batched_matmul_mul_5036f353.tasks0, ptr nonnull %context) #5
  ret void
}

; Function Attrs: nounwind
define internal void @fused_batched_matmul_mul_5036f353.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %lanes = alloca i32, align 4
  %b = alloca [256 x float], align 64
  %c = alloca [128 x float], align 64
  %3 = load ptr, ptr %0, align 8
  %k_1 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %q_0 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %b5_3 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = icmp slt i64 %1, %2
  br i1 %6, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %done7
  %task.0 = phi i64 [ %13, %done7 ], [ 0, %loop.preheader ]
  %task1.0 = phi i64 [ %17, %done7 ], [ 0, %loop.preheader ]
  %task2.0 = phi i64 [ %18, %done7 ], [ %1, %loop.preheader ]
  %i = phi i64 [ %19, %done7 ], [ %1, %loop.preheader ]
  %7 = mul i64 %task2.0, 160
  %.idx50 = shl i64 %task2.0, 9
  %8 = getelementptr i8, ptr %q_0, i64 %.idx50
  %.idx54 = mul i64 %task2.0, 320
  %9 = getelementptr i8, ptr %b5_3, i64 %.idx54
  br label %loop6

done.loopexit:                                    ; preds = %done7
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop6:                                            ; preds = %loop, %done28
  br label %loop12

done7:                                            ; preds = %done28
  %10 = add i64 %task.0, 1
  %11 = icmp eq i64 %task.0, 0
  %12 = zext i1 %11 to i64
  %13 = select i1 %11, i64 0, i64 %10
  %14 = add i64 %task1.0, %12
  %15 = icmp eq i64 %14, 1
  %16 = zext i1 %15 to i64
  %17 = select i1 %15, i64 0, i64 %14
  %18 = add i64 %task2.0, %16
  %19 = add nsw i64 %i, 1
  %20 = icmp slt i64 %19, %2
  br i1 %20, label %loop, label %done.loopexit

loop12:                                           ; preds = %loop6, %done16
  %i14 = phi i64 [ 0, %loop6 ], [ %95, %done16 ]
  %21 = and i64 %i14, 8
  %22 = shl i64 %i14, 4
  %23 = and i64 %22, -256
  %24 = or disjoint i64 %23, %21
  %25 = call i64 @llvm.umin.i64(i64 %i14, i64 9)
  %.idx = shl nuw nsw i64 %25, 6
  %invariant.gep = getelementptr i8, ptr %k_1, i64 %.idx
  %26 = or disjoint i64 %i14, 1
  %27 = call i64 @llvm.umin.i64(i64 %26, i64 9)
  %.idx35 = shl nuw nsw i64 %27, 6
  %invariant.gep58 = getelementptr i8, ptr %k_1, i64 %.idx35
  %28 = or disjoint i64 %i14, 2
  %29 = call i64 @llvm.umin.i64(i64 %28, i64 9)
  %.idx36 = shl nuw nsw i64 %29, 6
  %invariant.gep60 = getelementptr i8, ptr %k_1, i64 %.idx36
  %30 = or disjoint i64 %i14, 3
  %31 = call i64 @llvm.umin.i64(i64 %30, i64 9)
  %.idx37 = shl nuw nsw i64 %31, 6
  %invariant.gep62 = getelementptr i8, ptr %k_1, i64 %.idx37
  %32 = or disjoint i64 %i14, 4
  %33 = call i64 @llvm.umin.i64(i64 %32, i64 9)
  %.idx38 = shl nuw nsw i64 %33, 6
  %invariant.gep64 = getelementptr i8, ptr %k_1, i64 %.idx38
  %34 = or disjoint i64 %i14, 5
  %35 = call i64 @llvm.umin.i64(i64 %34, i64 9)
  %.idx39 = shl nuw nsw i64 %35, 6
  %invariant.gep66 = getelementptr i8, ptr %k_1, i64 %.idx39
  %36 = or disjoint i64 %i14, 6
  %37 = call i64 @llvm.umin.i64(i64 %36, i64 9)
  %.idx40 = shl nuw nsw i64 %37, 6
  %invariant.gep68 = getelementptr i8, ptr %k_1, i64 %.idx40
  %38 = or disjoint i64 %i14, 7
  %39 = call i64 @llvm.umin.i64(i64 %38, i64 9)
  %.idx41 = shl nuw nsw i64 %39, 6
  %invariant.gep70 = getelementptr i8, ptr %k_1, i64 %.idx41
  %invariant.gep72 = getelementptr float, ptr %b, i64 %24
  br label %loop15

loop15:                                           ; preds = %loop12, %loop15
  %i17 = phi i64 [ 0, %loop12 ], [ %93, %loop15 ]
  %40 = sub nsw i64 16, %i17
  %41 = call i64 @llvm.smax.i64(i64 %40, i64 0)
  %42 = call i64 @llvm.umin.i64(i64 %41, i64 8)
  %43 = trunc nuw nsw i64 %42 to i32
  %.splatinsert = insertelement <8 x i32> poison, i32 %43, i64 0
  %.splat = shufflevector <8 x i32> %.splatinsert, <8 x i32> poison, <8 x i32> zeroinitializer
  %44 = icmp samesign ugt <8 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %45 = add i64 %7, %i17
  %gep = getelementptr float, ptr %invariant.gep, i64 %45
  %46 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %gep, <8 x i1> %44, <8 x float> zeroinitializer)
  %gep59 = getelementptr float, ptr %invariant.gep58, i64 %45
  %47 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %gep59, <8 x i1> %44, <8 x float> zeroinitializer)
  %gep61 = getelementptr float, ptr %invariant.gep60, i64 %45
  %48 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %gep61, <8 x i1> %44, <8 x float> zeroinitializer)
  %gep63 = getelementptr float, ptr %invariant.gep62, i64 %45
  %49 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %gep63, <8 x i1> %44, <8 x float> zeroinitializer)
  %gep65 = getelementptr float, ptr %invariant.gep64, i64 %45
  %50 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %gep65, <8 x i1> %44, <8 x float> zeroinitializer)
  %gep67 = getelementptr float, ptr %invariant.gep66, i64 %45
  %51 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %gep67, <8 x i1> %44, <8 x float> zeroinitializer)
  %gep69 = getelementptr float, ptr %invariant.gep68, i64 %45
  %52 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %gep69, <8 x i1> %44, <8 x float> zeroinitializer)
  %gep71 = getelementptr float, ptr %invariant.gep70, i64 %45
  %53 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %gep71, <8 x i1> %44, <8 x float> zeroinitializer)
  %54 = shufflevector <8 x float> %46, <8 x float> %47, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %55 = shufflevector <8 x float> %46, <8 x float> %47, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %56 = shufflevector <8 x float> %48, <8 x float> %49, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %57 = shufflevector <8 x float> %48, <8 x float> %49, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %58 = shufflevector <8 x float> %50, <8 x float> %51, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %59 = shufflevector <8 x float> %50, <8 x float> %51, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %60 = shufflevector <8 x float> %52, <8 x float> %53, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %61 = shufflevector <8 x float> %52, <8 x float> %53, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %62 = shufflevector <8 x float> %54, <8 x float> %56, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %63 = shufflevector <8 x float> %54, <8 x float> %56, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %64 = shufflevector <8 x float> %55, <8 x float> %57, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %65 = shufflevector <8 x float> %55, <8 x float> %57, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %66 = shufflevector <8 x float> %58, <8 x float> %60, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %67 = shufflevector <8 x float> %58, <8 x float> %60, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %68 = shufflevector <8 x float> %59, <8 x float> %61, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %69 = shufflevector <8 x float> %59, <8 x float> %61, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %70 = shufflevector <8 x float> %62, <8 x float> %66, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %71 = shufflevector <8 x float> %62, <8 x float> %66, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %72 = shufflevector <8 x float> %64, <8 x float> %68, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %73 = shufflevector <8 x float> %64, <8 x float> %68, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %74 = shufflevector <8 x float> %63, <8 x float> %67, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %75 = shufflevector <8 x float> %63, <8 x float> %67, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %76 = shufflevector <8 x float> %65, <8 x float> %69, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %77 = shufflevector <8 x float> %65, <8 x float> %69, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %.idx42 = shl i64 %i17, 6
  %gep73 = getelementptr i8, ptr %invariant.gep72, i64 %.idx42
  store <8 x float> %70, ptr %gep73, align 16
  %78 = getelementptr i8, ptr %b, i64 %.idx42
  %79 = getelementptr i8, ptr %78, i64 64
  %80 = getelementptr float, ptr %79, i64 %24
  store <8 x float> %72, ptr %80, align 16
  %81 = getelementptr i8, ptr %78, i64 128
  %82 = getelementptr float, ptr %81, i64 %24
  store <8 x float> %74, ptr %82, align 16
  %83 = getelementptr i8, ptr %78, i64 192
  %84 = getelementptr float, ptr %83, i64 %24
  store <8 x float> %76, ptr %84, align 16
  %85 = getelementptr i8, ptr %78, i64 256
  %86 = getelementptr float, ptr %85, i64 %24
  store <8 x float> %71, ptr %86, align 16
  %87 = getelementptr i8, ptr %78, i64 320
  %88 = getelementptr float, ptr %87, i64 %24
  store <8 x float> %73, ptr %88, align 16
  %89 = getelementptr i8, ptr %78, i64 384
  %90 = getelementptr float, ptr %89, i64 %24
  store <8 x float> %75, ptr %90, align 16
  %91 = getelementptr i8, ptr %78, i64 448
  %92 = getelementptr float, ptr %91, i64 %24
  store <8 x float> %77, ptr %92, align 16
  %93 = add nuw nsw i64 %i17, 8
  %94 = icmp eq i64 %i17, 0
  br i1 %94, label %loop15, label %done16

done16:                                           ; preds = %loop15
  %95 = add nuw nsw i64 %i14, 8
  %96 = icmp eq i64 %i14, 0
  br i1 %96, label %loop12, label %loop21.preheader

loop21.preheader:                                 ; preds = %done16
  br label %loop21

loop21:                                           ; preds = %loop21.preheader, %loop21
  %i23 = phi i64 [ %99, %loop21 ], [ 0, %loop21.preheader ]
  %.idx51 = shl i64 %i23, 6
  %97 = getelementptr i8, ptr %8, i64 %.idx51
  %98 = getelementptr i8, ptr %c, i64 %.idx51
  call void @contract.f32.4x2.of16.by16(ptr %97, i64 16, ptr nonnull %b, i64 16, ptr %98, i1 true, i64 3)
  %99 = add nuw nsw i64 %i23, 4
  %100 = icmp eq i64 %i23, 0
  br i1 %100, label %loop21, label %done22

done22:                                           ; preds = %loop21
  br label %loop27

loop27:                                           ; preds = %done22, %loop27
  %i29 = phi i64 [ 0, %done22 ], [ %111, %loop27 ]
  %.idx53 = shl i64 %i29, 6
  %101 = getelementptr i8, ptr %c, i64 %.idx53
  %102 = load <8 x float>, ptr %101, align 16
  %103 = fmul <8 x float> %102, splat (float 2.500000e-01)
  %.idx55 = mul i64 %i29, 40
  %104 = getelementptr i8, ptr %9, i64 %.idx55
  store <8 x float> %103, ptr %104, align 4
  store volatile i32 2, ptr %lanes, align 4
  %105 = load volatile i32, ptr %lanes, align 4
  %.splatinsert33 = insertelement <8 x i32> poison, i32 %105, i64 0
  %.splat34 = shufflevector <8 x i32> %.splatinsert33, <8 x i32> poison, <8 x i32> zeroinitializer
  %106 = icmp ugt <8 x i32> %.splat34, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %107 = getelementptr i8, ptr %101, i64 32
  %108 = load <8 x float>, ptr %107, align 16
  %109 = fmul <8 x float> %108, splat (float 2.500000e-01)
  %110 = getelementptr i8, ptr %104, i64 32
  call void @llvm.masked.store.v8f32.p0(<8 x float> %109, ptr align 4 %110, <8 x i1> %106)
  %111 = add nuw nsw i64 %i29, 1
  %112 = icmp samesign ult i64 %i29, 7
  br i1 %112, label %loop27, label %done28

done28:                                           ; preds = %loop27
  br i1 false, label %loop6, label %done7
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr captures(none), <8 x i1>, <8 x float>) #1

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

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr captures(none), <8 x i1>) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { noinline nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #5 = { nounwind }

!0 = !{}
