; launched with input 1, input 2, arena at 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_equal_cast_sub_sum_div_171e7f1e(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %lanes6 = alloca i32, align 4
  %mask = alloca i16, align 2
  %lanes = alloca i32, align 4
  %classes_1 = load ptr, ptr %0, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %gradient_2 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %b27_10 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = load <16 x i64>, ptr %classes_1, align 8, !invariant.load !0
  %7 = icmp eq <16 x i64> %6, splat (i64 -100)
  %8 = uitofp <16 x i1> %7 to <16 x float>
  %9 = fsub <16 x float> splat (float 1.000000e+00), %8
  store volatile i32 8, ptr %lanes, align 4
  %10 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <16 x i32> poison, i32 %10, i64 0
  %.splat = shufflevector <16 x i32> %.splatinsert, <16 x i32> poison, <16 x i32> zeroinitializer
  %11 = icmp ugt <16 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %12 = getelementptr i8, ptr %classes_1, i64 128
  %13 = call <16 x i64> @llvm.masked.load.v16i64.p0(ptr align 8 %12, <16 x i1> %11, <16 x i64> zeroinitializer)
  %14 = icmp eq <16 x i64> %13, splat (i64 -100)
  %15 = uitofp <16 x i1> %14 to <16 x float>
  %16 = fsub <16 x float> splat (float 1.000000e+00), %15
  %17 = bitcast <16 x i1> %11 to i16
  store volatile i16 %17, ptr %mask, align 2
  %18 = load volatile i16, ptr %mask, align 2
  %19 = bitcast i16 %18 to <16 x i1>
  %20 = select <16 x i1> %19, <16 x float> %16, <16 x float> splat (float -0.000000e+00)
  %21 = fadd <16 x float> %9, %20
  %22 = shufflevector <16 x float> %21, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %23 = shufflevector <16 x float> %21, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %24 = fadd <8 x float> %23, %22
  %25 = shufflevector <8 x float> %24, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %26 = shufflevector <8 x float> %24, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %27 = fadd <4 x float> %26, %25
  %28 = shufflevector <4 x float> %27, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %29 = shufflevector <4 x float> %27, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %30 = fadd <2 x float> %29, %28
  %31 = shufflevector <2 x float> %30, <2 x float> poison, <1 x i32> <i32 1>
  %32 = shufflevector <2 x float> %30, <2 x float> poison, <1 x i32> zeroinitializer
  %33 = fadd <1 x float> %32, %31
  %34 = extractelement <1 x float> %33, i64 0
  %35 = fadd float %34, 0.000000e+00
  %36 = load float, ptr %gradient_2, align 4, !invariant.load !0
  %37 = fdiv float %36, %35
  %.splatinsert4 = insertelement <16 x float> poison, float %37, i64 0
  %.splat5 = shufflevector <16 x float> %.splatinsert4, <16 x float> poison, <16 x i32> zeroinitializer
  %38 = select <16 x i1> %7, <16 x float> zeroinitializer, <16 x float> %.splat5
  store <16 x float> %38, ptr %b27_10, align 4
  store volatile i32 8, ptr %lanes6, align 4
  %39 = load volatile i32, ptr %lanes6, align 4
  %.splatinsert7 = insertelement <16 x i32> poison, i32 %39, i64 0
  %.splat8 = shufflevector <16 x i32> %.splatinsert7, <16 x i32> poison, <16 x i32> zeroinitializer
  %40 = icmp ugt <16 x i32> %.splat8, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %41 = call <16 x i64> @llvm.masked.load.v16i64.p0(ptr align 8 %12, <16 x i1> %40, <16 x i64> zeroinitializer)
  %42 = icmp eq <16 x i64> %41, splat (i64 -100)
  %43 = select <16 x i1> %42, <16 x float> zeroinitializer, <16 x float> %.splat5
  %44 = getelementptr i8, ptr %b27_10, i64 64
  call void @llvm.masked.store.v16f32.p0(<16 x float> %43, ptr align 4 %44, <16 x i1> %40)
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x i64> @llvm.masked.load.v16i64.p0(ptr captures(none), <16 x i1>, <16 x i64>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr captures(none), <16 x i1>) #2

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }

!0 = !{}

; launched with input 0, input 1, arena at 0, output 1, arena at 128, arena at 256
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_max_sub_exp_sum_arange_9f24aa7d(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 24, i64 16, ptr nonnull @fused_max_sub_exp_sum_arange_9f24aa7d.tasks0, ptr nonnull %context) #4
  ret void
}

; Function Attrs: nounwind
define internal void @fused_max_sub_exp_sum_arange_9f24aa7d.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %lanes30 = alloca i32, align 4
  %mask16 = alloca i8, align 1
  %lanes11 = alloca i32, align 4
  %mask = alloca i32, align 4
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %logits_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %classes_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %b27_10 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %b39_9 = load ptr, ptr %6, align 8, !invariant.load !0
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 32
  %b8_11 = load ptr, ptr %7, align 8, !invariant.load !0
  %8 = getelementptr inbounds nuw i8, ptr %3, i64 40
  %b11_12 = load ptr, ptr %8, align 8, !invariant.load !0
  %9 = icmp slt i64 %1, %2
  br i1 %9, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %done18
  %task.0 = phi i64 [ %236, %done18 ], [ %1, %loop.preheader ]
  %i = phi i64 [ %237, %done18 ], [ %1, %loop.preheader ]
  %.idx = mul i64 %task.0, 2000
  %10 = getelementptr i8, ptr %logits_0, i64 %.idx
  br label %loop1

done.loopexit:                                    ; preds = %done18
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop1:                                            ; preds = %loop, %loop1
  %partial.0 = phi <32 x float> [ splat (float 0xFFF0000000000000), %loop ], [ %16, %loop1 ]
  %i3 = phi i64 [ 0, %loop ], [ %17, %loop1 ]
  %11 = getelementptr float, ptr %10, i64 %i3
  %12 = load <32 x float>, ptr %11, align 4, !invariant.load !0
  %13 = fcmp olt <32 x float> %12, %partial.0
  %14 = fcmp uno <32 x float> %partial.0, zeroinitializer
  %15 = select <32 x i1> %14, <32 x i1> splat (i1 true), <32 x i1> %13
  %16 = select <32 x i1> %15, <32 x float> %partial.0, <32 x float> %12
  %17 = add nuw nsw i64 %i3, 32
  %18 = icmp samesign ult i64 %i3, 448
  br i1 %18, label %loop1, label %done2

done2:                                            ; preds = %loop1
  store volatile i32 20, ptr %lanes, align 4
  %19 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <32 x i32> poison, i32 %19, i64 0
  %.splat = shufflevector <32 x i32> %.splatinsert, <32 x i32> poison, <32 x i32> zeroinitializer
  %20 = icmp ugt <32 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %21 = mul i64 %task.0, 500
  %22 = getelementptr float, ptr %logits_0, i64 %21
  %23 = getelementptr i8, ptr %22, i64 1920
  %24 = call <32 x float> @llvm.masked.load.v32f32.p0(ptr align 4 %23, <32 x i1> %20, <32 x float> zeroinitializer)
  %25 = fcmp olt <32 x float> %24, %16
  %26 = fcmp uno <32 x float> %16, zeroinitializer
  %27 = select <32 x i1> %26, <32 x i1> splat (i1 true), <32 x i1> %25
  %28 = select <32 x i1> %27, <32 x float> %16, <32 x float> %24
  %29 = bitcast <32 x i1> %20 to i32
  store volatile i32 %29, ptr %mask, align 4
  %30 = load volatile i32, ptr %mask, align 4
  %31 = bitcast i32 %30 to <32 x i1>
  %32 = select <32 x i1> %31, <32 x float> %28, <32 x float> %16
  %33 = shufflevector <32 x float> %32, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %34 = shufflevector <32 x float> %32, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %35 = fcmp olt <16 x float> %33, %34
  %36 = fcmp uno <16 x float> %34, zeroinitializer
  %37 = select <16 x i1> %36, <16 x i1> splat (i1 true), <16 x i1> %35
  %38 = select <16 x i1> %37, <16 x float> %34, <16 x float> %33
  %39 = shufflevector <16 x float> %38, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %40 = shufflevector <16 x float> %38, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %41 = fcmp olt <8 x float> %39, %40
  %42 = fcmp uno <8 x float> %40, zeroinitializer
  %43 = select <8 x i1> %42, <8 x i1> splat (i1 true), <8 x i1> %41
  %44 = select <8 x i1> %43, <8 x float> %40, <8 x float> %39
  %45 = shufflevector <8 x float> %44, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %46 = shufflevector <8 x float> %44, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %47 = fcmp olt <4 x float> %45, %46
  %48 = fcmp uno <4 x float> %46, zeroinitializer
  %49 = select <4 x i1> %48, <4 x i1> splat (i1 true), <4 x i1> %47
  %50 = select <4 x i1> %49, <4 x float> %46, <4 x float> %45
  %51 = shufflevector <4 x float> %50, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %52 = shufflevector <4 x float> %50, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %53 = fcmp olt <2 x float> %51, %52
  %54 = fcmp uno <2 x float> %52, zeroinitializer
  %55 = select <2 x i1> %54, <2 x i1> splat (i1 true), <2 x i1> %53
  %56 = select <2 x i1> %55, <2 x float> %52, <2 x float> %51
  %57 = shufflevector <2 x float> %56, <2 x float> poison, <1 x i32> <i32 1>
  %58 = shufflevector <2 x float> %56, <2 x float> poison, <1 x i32> zeroinitializer
  %59 = fcmp olt <1 x float> %57, %58
  %60 = fcmp uno <1 x float> %58, zeroinitializer
  %61 = select <1 x i1> %60, <1 x i1> splat (i1 true), <1 x i1> %59
  %62 = select <1 x i1> %61, <1 x float> %58, <1 x float> %57
  %63 = extractelement <1 x float> %62, i64 0
  %.splat10 = shufflevector <1 x float> %62, <1 x float> poison, <8 x i32> zeroinitializer
  br label %loop6

loop6:                                            ; preds = %done2, %loop6
  %partial5.0 = phi <8 x float> [ zeroinitializer, %done2 ], [ %96, %loop6 ]
  %i8 = phi i64 [ 0, %done2 ], [ %97, %loop6 ]
  %64 = getelementptr float, ptr %22, i64 %i8
  %65 = load <8 x float>, ptr %64, align 4, !invariant.load !0
  %66 = fsub <8 x float> %65, %.splat10
  %67 = fcmp ogt <8 x float> %66, splat (float 8.875000e+01)
  %68 = select <8 x i1> %67, <8 x float> splat (float 8.875000e+01), <8 x float> %66
  %69 = fcmp olt <8 x float> %68, splat (float -1.040000e+02)
  %70 = select <8 x i1> %69, <8 x float> splat (float -1.040000e+02), <8 x float> %68
  %71 = call <8 x float> @llvm.fma.v8f32(<8 x float> %70, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %72 = fadd <8 x float> %71, splat (float 0xC168000000000000)
  %73 = call <8 x float> @llvm.fma.v8f32(<8 x float> %72, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %70)
  %74 = call <8 x float> @llvm.fma.v8f32(<8 x float> %72, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %73)
  %75 = call <8 x float> @llvm.fma.v8f32(<8 x float> %74, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %76 = call <8 x float> @llvm.fma.v8f32(<8 x float> %75, <8 x float> %74, <8 x float> splat (float 0x3F81112100000000))
  %77 = call <8 x float> @llvm.fma.v8f32(<8 x float> %76, <8 x float> %74, <8 x float> splat (float 0x3FA5553820000000))
  %78 = call <8 x float> @llvm.fma.v8f32(<8 x float> %77, <8 x float> %74, <8 x float> splat (float 0x3FC5555540000000))
  %79 = call <8 x float> @llvm.fma.v8f32(<8 x float> %78, <8 x float> %74, <8 x float> splat (float 5.000000e-01))
  %80 = fmul <8 x float> %74, %74
  %81 = fmul <8 x float> %80, %79
  %82 = fadd <8 x float> %81, %74
  %83 = fadd <8 x float> %82, splat (float 1.000000e+00)
  %84 = bitcast <8 x float> %71 to <8 x i32>
  %85 = add <8 x i32> %84, splat (i32 -1262485504)
  %86 = ashr <8 x i32> %85, splat (i32 1)
  %87 = shl <8 x i32> %86, splat (i32 23)
  %88 = add <8 x i32> %87, splat (i32 1065353216)
  %89 = bitcast <8 x i32> %88 to <8 x float>
  %90 = fmul <8 x float> %83, %89
  %91 = sub <8 x i32> %84, %86
  %92 = shl <8 x i32> %91, splat (i32 23)
  %93 = add <8 x i32> %92, splat (i32 1065353216)
  %94 = bitcast <8 x i32> %93 to <8 x float>
  %95 = fmul <8 x float> %90, %94
  %96 = fadd <8 x float> %partial5.0, %95
  %97 = add nuw nsw i64 %i8, 8
  %98 = icmp samesign ult i64 %i8, 488
  br i1 %98, label %loop6, label %done7

done7:                                            ; preds = %loop6
  store volatile i32 4, ptr %lanes11, align 4
  %99 = load volatile i32, ptr %lanes11, align 4
  %.splatinsert12 = insertelement <8 x i32> poison, i32 %99, i64 0
  %.splat13 = shufflevector <8 x i32> %.splatinsert12, <8 x i32> poison, <8 x i32> zeroinitializer
  %100 = icmp ugt <8 x i32> %.splat13, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %101 = add i64 %21, 496
  %102 = getelementptr float, ptr %logits_0, i64 %101
  %103 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %102, <8 x i1> %100, <8 x float> zeroinitializer)
  %104 = fsub <8 x float> %103, %.splat10
  %105 = fcmp ogt <8 x float> %104, splat (float 8.875000e+01)
  %106 = select <8 x i1> %105, <8 x float> splat (float 8.875000e+01), <8 x float> %104
  %107 = fcmp olt <8 x float> %106, splat (float -1.040000e+02)
  %108 = select <8 x i1> %107, <8 x float> splat (float -1.040000e+02), <8 x float> %106
  %109 = call <8 x float> @llvm.fma.v8f32(<8 x float> %108, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %110 = fadd <8 x float> %109, splat (float 0xC168000000000000)
  %111 = call <8 x float> @llvm.fma.v8f32(<8 x float> %110, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %108)
  %112 = call <8 x float> @llvm.fma.v8f32(<8 x float> %110, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %111)
  %113 = call <8 x float> @llvm.fma.v8f32(<8 x float> %112, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %114 = call <8 x float> @llvm.fma.v8f32(<8 x float> %113, <8 x float> %112, <8 x float> splat (float 0x3F81112100000000))
  %115 = call <8 x float> @llvm.fma.v8f32(<8 x float> %114, <8 x float> %112, <8 x float> splat (float 0x3FA5553820000000))
  %116 = call <8 x float> @llvm.fma.v8f32(<8 x float> %115, <8 x float> %112, <8 x float> splat (float 0x3FC5555540000000))
  %117 = call <8 x float> @llvm.fma.v8f32(<8 x float> %116, <8 x float> %112, <8 x float> splat (float 5.000000e-01))
  %118 = fmul <8 x float> %112, %112
  %119 = fmul <8 x float> %118, %117
  %120 = fadd <8 x float> %119, %112
  %121 = fadd <8 x float> %120, splat (float 1.000000e+00)
  %122 = bitcast <8 x float> %109 to <8 x i32>
  %123 = add <8 x i32> %122, splat (i32 -1262485504)
  %124 = ashr <8 x i32> %123, splat (i32 1)
  %125 = shl <8 x i32> %124, splat (i32 23)
  %126 = add <8 x i32> %125, splat (i32 1065353216)
  %127 = bitcast <8 x i32> %126 to <8 x float>
  %128 = fmul <8 x float> %121, %127
  %129 = sub <8 x i32> %122, %124
  %130 = shl <8 x i32> %129, splat (i32 23)
  %131 = add <8 x i32> %130, splat (i32 1065353216)
  %132 = bitcast <8 x i32> %131 to <8 x float>
  %133 = fmul <8 x float> %128, %132
  %134 = fadd <8 x float> %96, %133
  %135 = bitcast <8 x i1> %100 to i8
  store volatile i8 %135, ptr %mask16, align 1
  %136 = load volatile i8, ptr %mask16, align 1
  %137 = bitcast i8 %136 to <8 x i1>
  %138 = select <8 x i1> %137, <8 x float> %134, <8 x float> %96
  %139 = shufflevector <8 x float> %138, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %140 = shufflevector <8 x float> %138, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %141 = fadd <4 x float> %140, %139
  %142 = shufflevector <4 x float> %141, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %143 = shufflevector <4 x float> %141, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %144 = fadd <2 x float> %143, %142
  %145 = shufflevector <2 x float> %144, <2 x float> poison, <1 x i32> <i32 1>
  %146 = shufflevector <2 x float> %144, <2 x float> poison, <1 x i32> zeroinitializer
  %147 = fadd <1 x float> %146, %145
  %148 = extractelement <1 x float> %147, i64 0
  %149 = fadd float %148, 0.000000e+00
  %150 = fdiv float 1.000000e+00, %149
  %151 = getelementptr i64, ptr %classes_1, i64 %task.0
  %152 = load i64, ptr %151, align 8, !invariant.load !0
  %153 = getelementptr float, ptr %b27_10, i64 %task.0
  %154 = load float, ptr %153, align 4, !invariant.load !0
  %.splatinsert24 = insertelement <8 x i64> poison, i64 %152, i64 0
  %.splat25 = shufflevector <8 x i64> %.splatinsert24, <8 x i64> poison, <8 x i32> zeroinitializer
  %.splatinsert26 = insertelement <8 x float> poison, float %150, i64 0
  %.splat27 = shufflevector <8 x float> %.splatinsert26, <8 x float> poison, <8 x i32> zeroinitializer
  %.splatinsert28 = insertelement <8 x float> poison, float %154, i64 0
  %.splat29 = shufflevector <8 x float> %.splatinsert28, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop17

loop17:                                           ; preds = %done7, %loop17
  %i19 = phi i64 [ 0, %done7 ], [ %194, %loop17 ]
  %155 = add i64 %21, %i19
  %156 = getelementptr float, ptr %logits_0, i64 %155
  %157 = load <8 x float>, ptr %156, align 4, !invariant.load !0
  %158 = fsub <8 x float> %157, %.splat10
  %159 = fcmp ogt <8 x float> %158, splat (float 8.875000e+01)
  %160 = select <8 x i1> %159, <8 x float> splat (float 8.875000e+01), <8 x float> %158
  %161 = fcmp olt <8 x float> %160, splat (float -1.040000e+02)
  %162 = select <8 x i1> %161, <8 x float> splat (float -1.040000e+02), <8 x float> %160
  %163 = call <8 x float> @llvm.fma.v8f32(<8 x float> %162, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %164 = fadd <8 x float> %163, splat (float 0xC168000000000000)
  %165 = call <8 x float> @llvm.fma.v8f32(<8 x float> %164, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %162)
  %166 = call <8 x float> @llvm.fma.v8f32(<8 x float> %164, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %165)
  %167 = call <8 x float> @llvm.fma.v8f32(<8 x float> %166, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %168 = call <8 x float> @llvm.fma.v8f32(<8 x float> %167, <8 x float> %166, <8 x float> splat (float 0x3F81112100000000))
  %169 = call <8 x float> @llvm.fma.v8f32(<8 x float> %168, <8 x float> %166, <8 x float> splat (float 0x3FA5553820000000))
  %170 = call <8 x float> @llvm.fma.v8f32(<8 x float> %169, <8 x float> %166, <8 x float> splat (float 0x3FC5555540000000))
  %171 = call <8 x float> @llvm.fma.v8f32(<8 x float> %170, <8 x float> %166, <8 x float> splat (float 5.000000e-01))
  %172 = fmul <8 x float> %166, %166
  %173 = fmul <8 x float> %172, %171
  %174 = fadd <8 x float> %173, %166
  %175 = fadd <8 x float> %174, splat (float 1.000000e+00)
  %176 = bitcast <8 x float> %163 to <8 x i32>
  %177 = add <8 x i32> %176, splat (i32 -1262485504)
  %178 = ashr <8 x i32> %177, splat (i32 1)
  %179 = shl <8 x i32> %178, splat (i32 23)
  %180 = add <8 x i32> %179, splat (i32 1065353216)
  %181 = bitcast <8 x i32> %180 to <8 x float>
  %182 = fmul <8 x float> %175, %181
  %183 = sub <8 x i32> %176, %178
  %184 = shl <8 x i32> %183, splat (i32 23)
  %185 = add <8 x i32> %184, splat (i32 1065353216)
  %186 = bitcast <8 x i32> %185 to <8 x float>
  %187 = fmul <8 x float> %182, %186
  %.splatinsert22 = insertelement <8 x i64> poison, i64 %i19, i64 0
  %.splat23 = shufflevector <8 x i64> %.splatinsert22, <8 x i64> poison, <8 x i32> zeroinitializer
  %188 = or disjoint <8 x i64> %.splat23, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %189 = icmp eq <8 x i64> %188, %.splat25
  %190 = select <8 x i1> %189, <8 x float> splat (float -1.000000e+00), <8 x float> splat (float -0.000000e+00)
  %191 = call <8 x float> @llvm.fma.v8f32(<8 x float> %187, <8 x float> %.splat27, <8 x float> %190)
  %192 = fmul <8 x float> %191, %.splat29
  %193 = getelementptr float, ptr %b39_9, i64 %155
  store <8 x float> %192, ptr %193, align 4
  %194 = add nuw nsw i64 %i19, 8
  %195 = icmp samesign ult i64 %i19, 488
  br i1 %195, label %loop17, label %done18

done18:                                           ; preds = %loop17
  store volatile i32 4, ptr %lanes30, align 4
  %196 = load volatile i32, ptr %lanes30, align 4
  %.splatinsert31 = insertelement <8 x i32> poison, i32 %196, i64 0
  %.splat32 = shufflevector <8 x i32> %.splatinsert31, <8 x i32> poison, <8 x i32> zeroinitializer
  %197 = icmp ugt <8 x i32> %.splat32, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %198 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %102, <8 x i1> %197, <8 x float> zeroinitializer)
  %199 = fsub <8 x float> %198, %.splat10
  %200 = fcmp ogt <8 x float> %199, splat (float 8.875000e+01)
  %201 = select <8 x i1> %200, <8 x float> splat (float 8.875000e+01), <8 x float> %199
  %202 = fcmp olt <8 x float> %201, splat (float -1.040000e+02)
  %203 = select <8 x i1> %202, <8 x float> splat (float -1.040000e+02), <8 x float> %201
  %204 = call <8 x float> @llvm.fma.v8f32(<8 x float> %203, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %205 = fadd <8 x float> %204, splat (float 0xC168000000000000)
  %206 = call <8 x float> @llvm.fma.v8f32(<8 x float> %205, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %203)
  %207 = call <8 x float> @llvm.fma.v8f32(<8 x float> %205, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %206)
  %208 = call <8 x float> @llvm.fma.v8f32(<8 x float> %207, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %209 = call <8 x float> @llvm.fma.v8f32(<8 x float> %208, <8 x float> %207, <8 x float> splat (float 0x3F81112100000000))
  %210 = call <8 x float> @llvm.fma.v8f32(<8 x float> %209, <8 x float> %207, <8 x float> splat (float 0x3FA5553820000000))
  %211 = call <8 x float> @llvm.fma.v8f32(<8 x float> %210, <8 x float> %207, <8 x float> splat (float 0x3FC5555540000000))
  %212 = call <8 x float> @llvm.fma.v8f32(<8 x float> %211, <8 x float> %207, <8 x float> splat (float 5.000000e-01))
  %213 = fmul <8 x float> %207, %207
  %214 = fmul <8 x float> %213, %212
  %215 = fadd <8 x float> %214, %207
  %216 = fadd <8 x float> %215, splat (float 1.000000e+00)
  %217 = bitcast <8 x float> %204 to <8 x i32>
  %218 = add <8 x i32> %217, splat (i32 -1262485504)
  %219 = ashr <8 x i32> %218, splat (i32 1)
  %220 = shl <8 x i32> %219, splat (i32 23)
  %221 = add <8 x i32> %220, splat (i32 1065353216)
  %222 = bitcast <8 x i32> %221 to <8 x float>
  %223 = fmul <8 x float> %216, %222
  %224 = sub <8 x i32> %217, %219
  %225 = shl <8 x i32> %224, splat (i32 23)
  %226 = add <8 x i32> %225, splat (i32 1065353216)
  %227 = bitcast <8 x i32> %226 to <8 x float>
  %228 = fmul <8 x float> %223, %227
  %229 = icmp eq <8 x i64> %.splat25, <i64 496, i64 497, i64 498, i64 499, i64 500, i64 501, i64 502, i64 503>
  %230 = select <8 x i1> %229, <8 x float> splat (float -1.000000e+00), <8 x float> splat (float -0.000000e+00)
  %231 = call <8 x float> @llvm.fma.v8f32(<8 x float> %228, <8 x float> %.splat27, <8 x float> %230)
  %232 = fmul <8 x float> %231, %.splat29
  %233 = getelementptr float, ptr %b39_9, i64 %101
  call void @llvm.masked.store.v8f32.p0(<8 x float> %232, ptr align 4 %233, <8 x i1> %197)
  %234 = getelementptr float, ptr %b8_11, i64 %task.0
  store float %63, ptr %234, align 4
  %235 = getelementptr float, ptr %b11_12, i64 %task.0
  store float %149, ptr %235, align 4
  %236 = add i64 %task.0, 1
  %237 = add nsw i64 %i, 1
  %238 = icmp slt i64 %237, %2
  br i1 %238, label %loop, label %done.loopexit
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <32 x float> @llvm.masked.load.v32f32.p0(ptr captures(none), <32 x i1>, <32 x float>) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr captures(none), <8 x i1>, <8 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr captures(none), <8 x i1>) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #4 = { nounwind }

!0 = !{}

; launched with input 1, arena at 256, input 0, arena at 128, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_not_equal_where_log_gather_sub_3c6a9f80(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %classes_1 = load ptr, ptr %0, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %b11_12 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %logits_0 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %b8_11 = load ptr, ptr %6, align 8, !invariant.load !0
  br label %loop

loop:                                             ; preds = %entry, %right
  %partial.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %85, %right ]
  %partial2.0 = phi <8 x i64> [ zeroinitializer, %entry ], [ %87, %right ]
  %i = phi i64 [ 0, %entry ], [ %88, %right ]
  %7 = getelementptr i64, ptr %classes_1, i64 %i
  %8 = load <8 x i64>, ptr %7, align 8, !invariant.load !0
  %9 = icmp ne <8 x i64> %8, splat (i64 -100)
  %10 = getelementptr float, ptr %b11_12, i64 %i
  %11 = load <8 x float>, ptr %10, align 4, !invariant.load !0
  %12 = fcmp olt <8 x float> %11, splat (float 0x3810000000000000)
  %13 = fmul <8 x float> %11, splat (float 0x4160000000000000)
  %14 = select <8 x i1> %12, <8 x float> %13, <8 x float> %11
  %15 = bitcast <8 x float> %14 to <8 x i32>
  %16 = add <8 x i32> %15, splat (i32 -1060439283)
  %17 = ashr <8 x i32> %16, splat (i32 23)
  %18 = and <8 x i32> %16, splat (i32 -8388608)
  %19 = sub <8 x i32> %15, %18
  %20 = bitcast <8 x i32> %19 to <8 x float>
  %21 = sitofp <8 x i32> %17 to <8 x float>
  %22 = select <8 x i1> %12, <8 x float> splat (float -2.300000e+01), <8 x float> zeroinitializer
  %23 = fadd <8 x float> %22, %21
  %24 = fadd <8 x float> %20, splat (float -1.000000e+00)
  %25 = fmul <8 x float> %24, %24
  %26 = call <8 x float> @llvm.fma.v8f32(<8 x float> %24, <8 x float> splat (float 0x3FB2043760000000), <8 x float> splat (float 0xBFBD7A3700000000))
  %27 = call <8 x float> @llvm.fma.v8f32(<8 x float> %26, <8 x float> %24, <8 x float> splat (float 0x3FBDE4A340000000))
  %28 = call <8 x float> @llvm.fma.v8f32(<8 x float> %27, <8 x float> %24, <8 x float> splat (float 0xBFBFCBA9E0000000))
  %29 = call <8 x float> @llvm.fma.v8f32(<8 x float> %28, <8 x float> %24, <8 x float> splat (float 0x3FC23D37E0000000))
  %30 = call <8 x float> @llvm.fma.v8f32(<8 x float> %29, <8 x float> %24, <8 x float> splat (float 0xBFC555CA00000000))
  %31 = call <8 x float> @llvm.fma.v8f32(<8 x float> %30, <8 x float> %24, <8 x float> splat (float 0x3FC999D580000000))
  %32 = call <8 x float> @llvm.fma.v8f32(<8 x float> %31, <8 x float> %24, <8 x float> splat (float 0xBFCFFFFF80000000))
  %33 = call <8 x float> @llvm.fma.v8f32(<8 x float> %32, <8 x float> %24, <8 x float> splat (float 0x3FD5555540000000))
  %34 = fmul <8 x float> %25, %24
  %35 = fmul <8 x float> %34, %33
  %36 = call <8 x float> @llvm.fma.v8f32(<8 x float> %23, <8 x float> splat (float 0xBF2BD01060000000), <8 x float> %35)
  %37 = call <8 x float> @llvm.fma.v8f32(<8 x float> %25, <8 x float> splat (float -5.000000e-01), <8 x float> %36)
  %38 = fadd <8 x float> %24, %37
  %39 = call <8 x float> @llvm.fma.v8f32(<8 x float> %23, <8 x float> splat (float 0x3FE6300000000000), <8 x float> %38)
  %40 = fcmp oeq <8 x float> %11, splat (float 0x7FF0000000000000)
  %41 = select <8 x i1> %40, <8 x float> splat (float 0x7FF0000000000000), <8 x float> %39
  %42 = fcmp oeq <8 x float> %11, zeroinitializer
  %43 = select <8 x i1> %42, <8 x float> splat (float 0xFFF0000000000000), <8 x float> %41
  %44 = fcmp ult <8 x float> %11, zeroinitializer
  %45 = select <8 x i1> %44, <8 x float> splat (float 0x7FF8000000000000), <8 x float> %43
  %46 = select <8 x i1> %9, <8 x i64> %8, <8 x i64> zeroinitializer
  %.splatinsert = insertelement <8 x i64> poison, i64 %i, i64 0
  %47 = mul <8 x i64> %.splatinsert, <i64 500, i64 poison, i64 poison, i64 poison, i64 poison, i64 poison, i64 poison, i64 poison>
  %48 = shufflevector <8 x i64> %47, <8 x i64> poison, <8 x i32> zeroinitializer
  %49 = add <8 x i64> %48, <i64 0, i64 500, i64 1000, i64 1500, i64 2000, i64 2500, i64 3000, i64 3500>
  %50 = icmp ugt <8 x i64> %46, splat (i64 499)
  %51 = bitcast <8 x i1> %50 to i8
  %.not = icmp eq i8 %51, 0
  br i1 %.not, label %right, label %wrong, !prof !1

done:                                             ; preds = %right
  %52 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %b20_8 = load ptr, ptr %52, align 8, !invariant.load !0
  %53 = shufflevector <8 x float> %85, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %54 = shufflevector <8 x float> %85, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %55 = fadd <4 x float> %54, %53
  %56 = shufflevector <4 x float> %55, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %57 = shufflevector <4 x float> %55, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %58 = fadd <2 x float> %57, %56
  %59 = shufflevector <2 x float> %58, <2 x float> poison, <1 x i32> <i32 1>
  %60 = shufflevector <2 x float> %58, <2 x float> poison, <1 x i32> zeroinitializer
  %61 = fadd <1 x float> %60, %59
  %62 = extractelement <1 x float> %61, i64 0
  %63 = fadd float %62, 0.000000e+00
  %64 = shufflevector <8 x i64> %87, <8 x i64> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %65 = shufflevector <8 x i64> %87, <8 x i64> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %66 = add <4 x i64> %65, %64
  %67 = shufflevector <4 x i64> %66, <4 x i64> poison, <2 x i32> <i32 2, i32 3>
  %68 = shufflevector <4 x i64> %66, <4 x i64> poison, <2 x i32> <i32 0, i32 1>
  %69 = add <2 x i64> %68, %67
  %70 = shufflevector <2 x i64> %69, <2 x i64> poison, <1 x i32> <i32 1>
  %71 = shufflevector <2 x i64> %69, <2 x i64> poison, <1 x i32> zeroinitializer
  %72 = add <1 x i64> %71, %70
  %73 = extractelement <1 x i64> %72, i64 0
  %74 = sitofp i64 %73 to float
  %75 = fdiv float %63, %74
  store float %75, ptr %b20_8, align 4
  ret void

wrong:                                            ; preds = %loop
  call void @set_status(ptr %3, i32 1)
  br label %right

right:                                            ; preds = %wrong, %loop
  %76 = select <8 x i1> %50, <8 x i64> zeroinitializer, <8 x i64> %46
  %77 = add <8 x i64> %49, %76
  %78 = getelementptr float, ptr %logits_0, <8 x i64> %77
  %79 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %78, <8 x i1> splat (i1 true), <8 x float> poison)
  %80 = getelementptr float, ptr %b8_11, i64 %i
  %81 = load <8 x float>, ptr %80, align 4, !invariant.load !0
  %82 = fsub <8 x float> %79, %81
  %83 = fsub <8 x float> %45, %82
  %84 = select <8 x i1> %9, <8 x float> %83, <8 x float> zeroinitializer
  %85 = fadd <8 x float> %partial.0, %84
  %86 = zext <8 x i1> %9 to <8 x i64>
  %87 = add <8 x i64> %partial2.0, %86
  %88 = add nuw nsw i64 %i, 8
  %89 = icmp samesign ult i64 %i, 16
  br i1 %89, label %loop, label %done
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i1 @llvm.vector.reduce.or.v8i1(<8 x i1>) #2

; Function Attrs: cold noinline nounwind
define internal void @set_status(ptr %0, i32 %1) #3 {
entry:
  %2 = cmpxchg ptr %0, i32 0, i32 %1 monotonic monotonic, align 4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(read)
declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, <8 x i1>, <8 x float>) #4

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { cold noinline nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #4 = { nocallback nofree nosync nounwind willreturn memory(read) }

!0 = !{}
!1 = !{!"branch_weights", i32 1048575, i32 1}
