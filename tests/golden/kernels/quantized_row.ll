; launched with input 1, input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_dequantize_batched_matmul_69fe76fa(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 5, i64 85, ptr nonnull @fused_dequantize_batched_matmul_69fe76fa.tasks0, ptr nonnull %context) #4
  ret void
}

; Function Attrs: nounwind
define internal void @fused_dequantize_batched_matmul_69fe76fa.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %3 = load ptr, ptr %0, align 8
  %byte_0_1 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %x_0_0 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %b4_2 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = urem i64 %1, 5
  %7 = icmp slt i64 %1, %2
  br i1 %7, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %done31
  %task.0 = phi i64 [ %86, %done31 ], [ %6, %loop.preheader ]
  %i = phi i64 [ %87, %done31 ], [ %1, %loop.preheader ]
  %8 = mul i64 %task.0, 60
  br label %loop5

done.loopexit:                                    ; preds = %done31
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop5:                                            ; preds = %loop, %loop5
  %partial.0 = phi <8 x float> [ zeroinitializer, %loop ], [ %45, %loop5 ]
  %partial2.0 = phi <8 x float> [ zeroinitializer, %loop ], [ %54, %loop5 ]
  %partial3.0 = phi <8 x float> [ zeroinitializer, %loop ], [ %60, %loop5 ]
  %partial4.0 = phi <8 x float> [ zeroinitializer, %loop ], [ %66, %loop5 ]
  %i7 = phi i64 [ 0, %loop ], [ %67, %loop5 ]
  %9 = shl i64 %i7, 5
  %10 = getelementptr float, ptr %x_0_0, i64 %9
  %11 = load <8 x float>, ptr %10, align 4, !invariant.load !0
  %12 = mul i64 %i7, 20
  %13 = add i64 %8, %12
  %14 = getelementptr i8, ptr %byte_0_1, i64 %13
  %15 = getelementptr i8, ptr %14, i64 1
  %16 = load i8, ptr %15, align 1, !invariant.load !0
  %17 = zext i8 %16 to i16
  %18 = load i8, ptr %14, align 1, !invariant.load !0
  %19 = zext i8 %18 to i16
  %20 = getelementptr i8, ptr %14, i64 4
  %21 = getelementptr i8, ptr %14, i64 2052
  call void @llvm.prefetch.p0(ptr %21, i32 0, i32 0, i32 1)
  %22 = load <8 x i8>, ptr %20, align 1, !invariant.load !0
  %23 = zext <8 x i8> %22 to <8 x i64>
  %24 = getelementptr i8, ptr %14, i64 2
  %25 = load i8, ptr %24, align 1, !invariant.load !0
  %26 = zext i8 %25 to i16
  %27 = getelementptr i8, ptr %14, i64 3
  %28 = load i8, ptr %27, align 1, !invariant.load !0
  %29 = zext i8 %28 to i16
  %30 = shl nuw i16 %17, 8
  %31 = or disjoint i16 %30, %19
  %32 = insertelement <8 x i16> poison, i16 %31, i64 0
  %33 = bitcast <8 x i16> %32 to <8 x half>
  %34 = shufflevector <8 x half> %33, <8 x half> poison, <8 x i32> zeroinitializer
  %35 = fpext <8 x half> %34 to <8 x float>
  %36 = and <8 x i64> %23, splat (i64 15)
  %37 = uitofp nneg <8 x i64> %36 to <8 x float>
  %38 = shl nuw i16 %29, 8
  %39 = or disjoint i16 %38, %26
  %40 = insertelement <8 x i16> poison, i16 %39, i64 0
  %41 = bitcast <8 x i16> %40 to <8 x half>
  %42 = shufflevector <8 x half> %41, <8 x half> poison, <8 x i32> zeroinitializer
  %43 = fpext <8 x half> %42 to <8 x float>
  %44 = call <8 x float> @llvm.fma.v8f32(<8 x float> %35, <8 x float> %37, <8 x float> %43)
  %45 = call <8 x float> @llvm.fma.v8f32(<8 x float> %11, <8 x float> %44, <8 x float> %partial.0)
  %46 = getelementptr i8, ptr %10, i64 32
  %47 = load <8 x float>, ptr %46, align 4, !invariant.load !0
  %48 = getelementptr i8, ptr %14, i64 12
  %49 = load <8 x i8>, ptr %48, align 1, !invariant.load !0
  %50 = zext <8 x i8> %49 to <8 x i64>
  %51 = and <8 x i64> %50, splat (i64 15)
  %52 = uitofp nneg <8 x i64> %51 to <8 x float>
  %53 = call <8 x float> @llvm.fma.v8f32(<8 x float> %35, <8 x float> %52, <8 x float> %43)
  %54 = call <8 x float> @llvm.fma.v8f32(<8 x float> %47, <8 x float> %53, <8 x float> %partial2.0)
  %55 = getelementptr i8, ptr %10, i64 64
  %56 = load <8 x float>, ptr %55, align 4, !invariant.load !0
  %57 = lshr <8 x i64> %23, splat (i64 4)
  %58 = uitofp nneg <8 x i64> %57 to <8 x float>
  %59 = call <8 x float> @llvm.fma.v8f32(<8 x float> %35, <8 x float> %58, <8 x float> %43)
  %60 = call <8 x float> @llvm.fma.v8f32(<8 x float> %56, <8 x float> %59, <8 x float> %partial3.0)
  %61 = getelementptr i8, ptr %10, i64 96
  %62 = load <8 x float>, ptr %61, align 4, !invariant.load !0
  %63 = lshr <8 x i64> %50, splat (i64 4)
  %64 = uitofp nneg <8 x i64> %63 to <8 x float>
  %65 = call <8 x float> @llvm.fma.v8f32(<8 x float> %35, <8 x float> %64, <8 x float> %43)
  %66 = call <8 x float> @llvm.fma.v8f32(<8 x float> %62, <8 x float> %65, <8 x float> %partial4.0)
  %67 = add nuw nsw i64 %i7, 1
  %68 = icmp samesign ult i64 %i7, 2
  br i1 %68, label %loop5, label %done31

done31:                                           ; preds = %loop5
  %69 = fadd <8 x float> %45, %60
  %70 = fadd <8 x float> %54, %66
  %71 = fadd <8 x float> %69, %70
  %72 = shufflevector <8 x float> %71, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %73 = shufflevector <8 x float> %71, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %74 = fadd <4 x float> %73, %72
  %75 = shufflevector <4 x float> %74, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %76 = shufflevector <4 x float> %74, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %77 = fadd <2 x float> %76, %75
  %78 = shufflevector <2 x float> %77, <2 x float> poison, <1 x i32> <i32 1>
  %79 = shufflevector <2 x float> %77, <2 x float> poison, <1 x i32> zeroinitializer
  %80 = fadd <1 x float> %79, %78
  %81 = extractelement <1 x float> %80, i64 0
  %82 = fadd float %81, 0.000000e+00
  %83 = getelementptr float, ptr %b4_2, i64 %task.0
  store float %82, ptr %83, align 4
  %84 = add i64 %task.0, 1
  %85 = icmp eq i64 %84, 5
  %86 = select i1 %85, i64 0, i64 %84
  %87 = add nsw i64 %i, 1
  %88 = icmp slt i64 %87, %2
  br i1 %88, label %loop, label %done.loopexit
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr captures(none), <8 x i1>, <8 x float>) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <8 x i8> @llvm.masked.load.v8i8.p0(ptr captures(none), <8 x i1>, <8 x i8>) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #4 = { nounwind }

!0 = !{}
