; launched with input 2, input 1, input 0, output 0, output 1, arena at 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_mul_sum_div_add_rsqrt_d36ccafb(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 10, i64 8, ptr nonnull @fused_mul_sum_div_add_rsqrt_d36ccafb.tasks0, ptr nonnull %context) #4
  ret void
}

; Function Attrs: nounwind
define internal void @fused_mul_sum_div_add_rsqrt_d36ccafb.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %lanes16 = alloca i32, align 4
  %mask6 = alloca i32, align 4
  %mask = alloca i32, align 4
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %gradient_2 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %weight_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %x_0 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %b11_7 = load ptr, ptr %6, align 8, !invariant.load !0
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 32
  %b28_8 = load ptr, ptr %7, align 8, !invariant.load !0
  %8 = getelementptr inbounds nuw i8, ptr %3, i64 40
  %b9_10 = load ptr, ptr %8, align 8, !invariant.load !0
  %9 = icmp slt i64 %1, %2
  br i1 %9, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  %10 = getelementptr i8, ptr %weight_1, i64 3968
  br label %loop

loop:                                             ; preds = %loop.preheader, %done8
  %task.0 = phi i64 [ %120, %done8 ], [ %1, %loop.preheader ]
  %i = phi i64 [ %121, %done8 ], [ %1, %loop.preheader ]
  %11 = mul i64 %task.0, 1000
  br label %loop3

done.loopexit:                                    ; preds = %done8
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop3:                                            ; preds = %loop, %loop3
  %partial.0 = phi <32 x float> [ zeroinitializer, %loop ], [ %21, %loop3 ]
  %partial2.0 = phi <32 x float> [ zeroinitializer, %loop ], [ %23, %loop3 ]
  %i5 = phi i64 [ 0, %loop ], [ %24, %loop3 ]
  %12 = add i64 %11, %i5
  %13 = getelementptr float, ptr %gradient_2, i64 %12
  %14 = load <32 x float>, ptr %13, align 4, !invariant.load !0
  %15 = getelementptr float, ptr %weight_1, i64 %i5
  %16 = load <32 x float>, ptr %15, align 4, !invariant.load !0
  %17 = fmul <32 x float> %14, %16
  %18 = getelementptr float, ptr %x_0, i64 %12
  %19 = load <32 x float>, ptr %18, align 4, !invariant.load !0
  %20 = fmul <32 x float> %17, %19
  %21 = fadd <32 x float> %partial.0, %20
  %22 = fmul <32 x float> %19, %19
  %23 = fadd <32 x float> %partial2.0, %22
  %24 = add nuw nsw i64 %i5, 32
  %25 = icmp samesign ult i64 %i5, 960
  br i1 %25, label %loop3, label %done4

done4:                                            ; preds = %loop3
  store volatile i32 8, ptr %lanes, align 4
  %26 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <32 x i32> poison, i32 %26, i64 0
  %.splat = shufflevector <32 x i32> %.splatinsert, <32 x i32> poison, <32 x i32> zeroinitializer
  %27 = icmp ugt <32 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %28 = add i64 %11, 992
  %29 = getelementptr float, ptr %gradient_2, i64 %28
  %30 = call <32 x float> @llvm.masked.load.v32f32.p0(ptr align 4 %29, <32 x i1> %27, <32 x float> zeroinitializer)
  %31 = call <32 x float> @llvm.masked.load.v32f32.p0(ptr align 4 %10, <32 x i1> %27, <32 x float> zeroinitializer)
  %32 = fmul <32 x float> %30, %31
  %33 = getelementptr float, ptr %x_0, i64 %28
  %34 = call <32 x float> @llvm.masked.load.v32f32.p0(ptr align 4 %33, <32 x i1> %27, <32 x float> zeroinitializer)
  %35 = fmul <32 x float> %32, %34
  %36 = fadd <32 x float> %21, %35
  %37 = bitcast <32 x i1> %27 to i32
  store volatile i32 %37, ptr %mask, align 4
  %38 = load volatile i32, ptr %mask, align 4
  %39 = bitcast i32 %38 to <32 x i1>
  %40 = select <32 x i1> %39, <32 x float> %36, <32 x float> %21
  %41 = fmul <32 x float> %34, %34
  %42 = fadd <32 x float> %23, %41
  store volatile i32 %37, ptr %mask6, align 4
  %43 = load volatile i32, ptr %mask6, align 4
  %44 = bitcast i32 %43 to <32 x i1>
  %45 = select <32 x i1> %44, <32 x float> %42, <32 x float> %23
  %46 = shufflevector <32 x float> %40, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %47 = shufflevector <32 x float> %40, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %48 = fadd <16 x float> %47, %46
  %49 = shufflevector <16 x float> %48, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %50 = shufflevector <16 x float> %48, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %51 = fadd <8 x float> %50, %49
  %52 = shufflevector <8 x float> %51, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %53 = shufflevector <8 x float> %51, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %54 = fadd <4 x float> %53, %52
  %55 = shufflevector <4 x float> %54, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %56 = shufflevector <4 x float> %54, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %57 = fadd <2 x float> %56, %55
  %58 = shufflevector <2 x float> %57, <2 x float> poison, <1 x i32> <i32 1>
  %59 = shufflevector <2 x float> %57, <2 x float> poison, <1 x i32> zeroinitializer
  %60 = fadd <1 x float> %59, %58
  %61 = extractelement <1 x float> %60, i64 0
  %62 = fadd float %61, 0.000000e+00
  %63 = shufflevector <32 x float> %45, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %64 = shufflevector <32 x float> %45, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %65 = fadd <16 x float> %64, %63
  %66 = shufflevector <16 x float> %65, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %67 = shufflevector <16 x float> %65, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %68 = fadd <8 x float> %67, %66
  %69 = shufflevector <8 x float> %68, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %70 = shufflevector <8 x float> %68, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %71 = fadd <4 x float> %70, %69
  %72 = shufflevector <4 x float> %71, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %73 = shufflevector <4 x float> %71, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %74 = fadd <2 x float> %73, %72
  %75 = shufflevector <2 x float> %74, <2 x float> poison, <1 x i32> <i32 1>
  %76 = shufflevector <2 x float> %74, <2 x float> poison, <1 x i32> zeroinitializer
  %77 = fadd <1 x float> %76, %75
  %78 = extractelement <1 x float> %77, i64 0
  %79 = fadd float %78, 0.000000e+00
  %80 = fdiv float %79, 1.000000e+03
  %81 = fadd float %80, 0x3EB0C6F7A0000000
  %82 = call float @llvm.sqrt.f32(float %81)
  %83 = fdiv float 1.000000e+00, %82
  %84 = fmul float %83, %83
  %85 = fmul float %84, %83
  %86 = fmul float %85, -5.000000e-01
  %87 = fmul float %62, %86
  %88 = fdiv float %87, 1.000000e+03
  %.splatinsert10 = insertelement <16 x float> poison, float %83, i64 0
  %.splat11 = shufflevector <16 x float> %.splatinsert10, <16 x float> poison, <16 x i32> zeroinitializer
  %.splatinsert12 = insertelement <16 x float> poison, float %88, i64 0
  %.splat13 = shufflevector <16 x float> %.splatinsert12, <16 x float> poison, <16 x i32> zeroinitializer
  br label %loop7

loop7:                                            ; preds = %done4, %loop7
  %i9 = phi i64 [ 0, %done4 ], [ %104, %loop7 ]
  %89 = add i64 %11, %i9
  %90 = getelementptr float, ptr %x_0, i64 %89
  %91 = load <16 x float>, ptr %90, align 4, !invariant.load !0
  %92 = fmul <16 x float> %91, %.splat11
  %93 = getelementptr float, ptr %weight_1, i64 %i9
  %94 = load <16 x float>, ptr %93, align 4, !invariant.load !0
  %95 = fmul <16 x float> %92, %94
  %96 = getelementptr float, ptr %b11_7, i64 %89
  store <16 x float> %95, ptr %96, align 4
  %97 = getelementptr float, ptr %gradient_2, i64 %89
  %98 = load <16 x float>, ptr %97, align 4, !invariant.load !0
  %99 = fmul <16 x float> %98, %94
  %100 = fmul <16 x float> %.splat13, %91
  %101 = call <16 x float> @llvm.fma.v16f32(<16 x float> %99, <16 x float> %.splat11, <16 x float> %100)
  %102 = fadd <16 x float> %101, %100
  %103 = getelementptr float, ptr %b28_8, i64 %89
  store <16 x float> %102, ptr %103, align 4
  %104 = add nuw nsw i64 %i9, 16
  %105 = icmp samesign ult i64 %i9, 976
  br i1 %105, label %loop7, label %done8

done8:                                            ; preds = %loop7
  store volatile i32 8, ptr %lanes16, align 4
  %106 = load volatile i32, ptr %lanes16, align 4
  %.splatinsert17 = insertelement <16 x i32> poison, i32 %106, i64 0
  %.splat18 = shufflevector <16 x i32> %.splatinsert17, <16 x i32> poison, <16 x i32> zeroinitializer
  %107 = icmp ugt <16 x i32> %.splat18, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %108 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %33, <16 x i1> %107, <16 x float> zeroinitializer)
  %109 = fmul <16 x float> %108, %.splat11
  %110 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %10, <16 x i1> %107, <16 x float> zeroinitializer)
  %111 = fmul <16 x float> %109, %110
  %112 = getelementptr float, ptr %b11_7, i64 %28
  call void @llvm.masked.store.v16f32.p0(<16 x float> %111, ptr align 4 %112, <16 x i1> %107)
  %113 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %29, <16 x i1> %107, <16 x float> zeroinitializer)
  %114 = fmul <16 x float> %113, %110
  %115 = fmul <16 x float> %.splat13, %108
  %116 = call <16 x float> @llvm.fma.v16f32(<16 x float> %114, <16 x float> %.splat11, <16 x float> %115)
  %117 = fadd <16 x float> %116, %115
  %118 = getelementptr float, ptr %b28_8, i64 %28
  call void @llvm.masked.store.v16f32.p0(<16 x float> %117, ptr align 4 %118, <16 x i1> %107)
  %119 = getelementptr float, ptr %b9_10, i64 %task.0
  store float %83, ptr %119, align 4
  %120 = add i64 %task.0, 1
  %121 = add nsw i64 %i, 1
  %122 = icmp slt i64 %121, %2
  br i1 %122, label %loop, label %done.loopexit
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <32 x float> @llvm.masked.load.v32f32.p0(ptr captures(none), <32 x i1>, <32 x float>) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.sqrt.f32(float) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr captures(none), <16 x i1>, <16 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr captures(none), <16 x i1>) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #4 = { nounwind }

!0 = !{}

; launched with input 2, input 0, arena at 0, output 2
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_mul_sum_c72c62e0(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 32, i64 25, ptr nonnull @fused_mul_sum_c72c62e0.tasks0, ptr nonnull %context) #4
  ret void
}

; Function Attrs: nounwind
define internal void @fused_mul_sum_c72c62e0.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %mask = alloca i32, align 4
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %gradient_2 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %x_0 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %b9_10 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %b15_9 = load ptr, ptr %6, align 8, !invariant.load !0
  %7 = icmp slt i64 %1, %2
  br i1 %7, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %endtail
  %task.0 = phi i64 [ %34, %endtail ], [ %1, %loop.preheader ]
  %i = phi i64 [ %35, %endtail ], [ %1, %loop.preheader ]
  %8 = shl i64 %task.0, 5
  %9 = sub i64 1000, %8
  %10 = call i64 @llvm.smin.i64(i64 %9, i64 32)
  %11 = and i64 %10, -32
  %12 = icmp sgt i64 %9, 31
  br i1 %12, label %loop1.preheader, label %done2

loop1.preheader:                                  ; preds = %loop
  %.idx = shl i64 %task.0, 7
  %13 = getelementptr i8, ptr %b15_9, i64 %.idx
  br label %loop1

done.loopexit:                                    ; preds = %endtail
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop1:                                            ; preds = %loop1.preheader, %done5
  %i3 = phi i64 [ %27, %done5 ], [ 0, %loop1.preheader ]
  %invariant.op = add i64 %8, %i3
  br label %loop4

done2.loopexit:                                   ; preds = %done5
  br label %done2

done2:                                            ; preds = %done2.loopexit, %loop
  %.not = icmp eq i64 %11, %10
  br i1 %.not, label %endtail, label %tail

loop4:                                            ; preds = %loop1, %loop4
  %var.0 = phi <32 x float> [ zeroinitializer, %loop1 ], [ %23, %loop4 ]
  %i6 = phi i64 [ 0, %loop1 ], [ %24, %loop4 ]
  %14 = mul i64 %i6, 1000
  %.reass = add i64 %14, %invariant.op
  %15 = getelementptr float, ptr %gradient_2, i64 %.reass
  %16 = load <32 x float>, ptr %15, align 4, !invariant.load !0
  %17 = getelementptr float, ptr %x_0, i64 %.reass
  %18 = load <32 x float>, ptr %17, align 4, !invariant.load !0
  %19 = getelementptr float, ptr %b9_10, i64 %i6
  %20 = load float, ptr %19, align 4, !invariant.load !0
  %.splatinsert = insertelement <32 x float> poison, float %20, i64 0
  %.splat = shufflevector <32 x float> %.splatinsert, <32 x float> poison, <32 x i32> zeroinitializer
  %21 = fmul <32 x float> %18, %.splat
  %22 = fmul <32 x float> %16, %21
  %23 = fadd <32 x float> %var.0, %22
  %24 = add nuw nsw i64 %i6, 1
  %25 = icmp samesign ult i64 %i6, 9
  br i1 %25, label %loop4, label %done5

done5:                                            ; preds = %loop4
  %26 = getelementptr float, ptr %13, i64 %i3
  store <32 x float> %23, ptr %26, align 4
  %27 = add nuw nsw i64 %i3, 32
  %28 = icmp slt i64 %27, %11
  br i1 %28, label %loop1, label %done2.loopexit

tail:                                             ; preds = %done2
  %29 = trunc i64 %10 to i32
  %30 = and i32 %29, 8
  store volatile i32 %30, ptr %lanes, align 4
  %31 = load volatile i32, ptr %lanes, align 4
  %.splatinsert7 = insertelement <32 x i32> poison, i32 %31, i64 0
  %.splat8 = shufflevector <32 x i32> %.splatinsert7, <32 x i32> poison, <32 x i32> zeroinitializer
  %32 = icmp ugt <32 x i32> %.splat8, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %invariant.op17 = add i64 %8, %11
  %33 = bitcast <32 x i1> %32 to i32
  br label %loop10

endtail:                                          ; preds = %done11, %done2
  %34 = add i64 %task.0, 1
  %35 = add nsw i64 %i, 1
  %36 = icmp slt i64 %35, %2
  br i1 %36, label %loop, label %done.loopexit

loop10:                                           ; preds = %tail, %loop10
  %var9.0 = phi <32 x float> [ zeroinitializer, %tail ], [ %49, %loop10 ]
  %i12 = phi i64 [ 0, %tail ], [ %50, %loop10 ]
  %37 = mul i64 %i12, 1000
  %.reass18 = add i64 %37, %invariant.op17
  %38 = getelementptr float, ptr %gradient_2, i64 %.reass18
  %39 = call <32 x float> @llvm.masked.load.v32f32.p0(ptr align 4 %38, <32 x i1> %32, <32 x float> zeroinitializer)
  %40 = getelementptr float, ptr %x_0, i64 %.reass18
  %41 = call <32 x float> @llvm.masked.load.v32f32.p0(ptr align 4 %40, <32 x i1> %32, <32 x float> zeroinitializer)
  %42 = getelementptr float, ptr %b9_10, i64 %i12
  %43 = load float, ptr %42, align 4, !invariant.load !0
  %.splatinsert13 = insertelement <32 x float> poison, float %43, i64 0
  %.splat14 = shufflevector <32 x float> %.splatinsert13, <32 x float> poison, <32 x i32> zeroinitializer
  %44 = fmul <32 x float> %41, %.splat14
  %45 = fmul <32 x float> %39, %44
  %46 = fadd <32 x float> %var9.0, %45
  store volatile i32 %33, ptr %mask, align 4
  %47 = load volatile i32, ptr %mask, align 4
  %48 = bitcast i32 %47 to <32 x i1>
  %49 = select <32 x i1> %48, <32 x float> %46, <32 x float> %var9.0
  %50 = add nuw nsw i64 %i12, 1
  %51 = icmp samesign ult i64 %i12, 9
  br i1 %51, label %loop10, label %done11

done11:                                           ; preds = %loop10
  %.idx15 = shl i64 %task.0, 7
  %52 = getelementptr i8, ptr %b15_9, i64 %.idx15
  %53 = getelementptr float, ptr %52, i64 %11
  call void @llvm.masked.store.v32f32.p0(<32 x float> %49, ptr align 4 %53, <32 x i1> %32)
  br label %endtail
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <32 x float> @llvm.masked.load.v32f32.p0(ptr captures(none), <32 x i1>, <32 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v32f32.p0(<32 x float>, ptr captures(none), <32 x i1>) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }

!0 = !{}
