; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_max_sub_exp_sum_div_a55db8e1(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 2, i64 1, ptr nonnull @fused_max_sub_exp_sum_div_a55db8e1.tasks0, ptr nonnull %context) #2
  ret void
}

; Function Attrs: nounwind
define internal void @fused_max_sub_exp_sum_div_a55db8e1.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b7_2 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %done10
  %task.0 = phi i64 [ %130, %done10 ], [ %1, %loop.preheader ]
  %i = phi i64 [ %131, %done10 ], [ %1, %loop.preheader ]
  %.idx = shl i64 %task.0, 20
  %6 = getelementptr i8, ptr %x_0, i64 %.idx
  br label %loop1

done.loopexit:                                    ; preds = %done10
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop1:                                            ; preds = %loop, %loop1
  %partial.0 = phi <32 x float> [ splat (float 0xFFF0000000000000), %loop ], [ %12, %loop1 ]
  %i3 = phi i64 [ 0, %loop ], [ %13, %loop1 ]
  %7 = getelementptr float, ptr %6, i64 %i3
  %8 = load <32 x float>, ptr %7, align 4, !invariant.load !0
  %9 = fcmp olt <32 x float> %8, %partial.0
  %10 = fcmp uno <32 x float> %partial.0, zeroinitializer
  %11 = select <32 x i1> %10, <32 x i1> splat (i1 true), <32 x i1> %9
  %12 = select <32 x i1> %11, <32 x float> %partial.0, <32 x float> %8
  %13 = add nuw nsw i64 %i3, 32
  %14 = icmp samesign ult i64 %i3, 262112
  br i1 %14, label %loop1, label %done2

done2:                                            ; preds = %loop1
  %15 = shufflevector <32 x float> %12, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %16 = shufflevector <32 x float> %12, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %17 = fcmp olt <16 x float> %15, %16
  %18 = fcmp uno <16 x float> %16, zeroinitializer
  %19 = select <16 x i1> %18, <16 x i1> splat (i1 true), <16 x i1> %17
  %20 = select <16 x i1> %19, <16 x float> %16, <16 x float> %15
  %21 = shufflevector <16 x float> %20, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %22 = shufflevector <16 x float> %20, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %23 = fcmp olt <8 x float> %21, %22
  %24 = fcmp uno <8 x float> %22, zeroinitializer
  %25 = select <8 x i1> %24, <8 x i1> splat (i1 true), <8 x i1> %23
  %26 = select <8 x i1> %25, <8 x float> %22, <8 x float> %21
  %27 = shufflevector <8 x float> %26, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %28 = shufflevector <8 x float> %26, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %29 = fcmp olt <4 x float> %27, %28
  %30 = fcmp uno <4 x float> %28, zeroinitializer
  %31 = select <4 x i1> %30, <4 x i1> splat (i1 true), <4 x i1> %29
  %32 = select <4 x i1> %31, <4 x float> %28, <4 x float> %27
  %33 = shufflevector <4 x float> %32, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %34 = shufflevector <4 x float> %32, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %35 = fcmp olt <2 x float> %33, %34
  %36 = fcmp uno <2 x float> %34, zeroinitializer
  %37 = select <2 x i1> %36, <2 x i1> splat (i1 true), <2 x i1> %35
  %38 = select <2 x i1> %37, <2 x float> %34, <2 x float> %33
  %39 = shufflevector <2 x float> %38, <2 x float> poison, <1 x i32> <i32 1>
  %40 = shufflevector <2 x float> %38, <2 x float> poison, <1 x i32> zeroinitializer
  %41 = fcmp olt <1 x float> %39, %40
  %42 = fcmp uno <1 x float> %40, zeroinitializer
  %43 = select <1 x i1> %42, <1 x i1> splat (i1 true), <1 x i1> %41
  %44 = select <1 x i1> %43, <1 x float> %40, <1 x float> %39
  %.splat = shufflevector <1 x float> %44, <1 x float> poison, <8 x i32> zeroinitializer
  br label %loop6

loop6:                                            ; preds = %done2, %loop6
  %partial5.0 = phi <8 x float> [ zeroinitializer, %done2 ], [ %77, %loop6 ]
  %i8 = phi i64 [ 0, %done2 ], [ %78, %loop6 ]
  %45 = getelementptr float, ptr %6, i64 %i8
  %46 = load <8 x float>, ptr %45, align 4, !invariant.load !0
  %47 = fsub <8 x float> %46, %.splat
  %48 = fcmp ogt <8 x float> %47, splat (float 8.875000e+01)
  %49 = select <8 x i1> %48, <8 x float> splat (float 8.875000e+01), <8 x float> %47
  %50 = fcmp olt <8 x float> %49, splat (float -1.040000e+02)
  %51 = select <8 x i1> %50, <8 x float> splat (float -1.040000e+02), <8 x float> %49
  %52 = call <8 x float> @llvm.fma.v8f32(<8 x float> %51, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %53 = fadd <8 x float> %52, splat (float 0xC168000000000000)
  %54 = call <8 x float> @llvm.fma.v8f32(<8 x float> %53, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %51)
  %55 = call <8 x float> @llvm.fma.v8f32(<8 x float> %53, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %54)
  %56 = call <8 x float> @llvm.fma.v8f32(<8 x float> %55, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %57 = call <8 x float> @llvm.fma.v8f32(<8 x float> %56, <8 x float> %55, <8 x float> splat (float 0x3F81112100000000))
  %58 = call <8 x float> @llvm.fma.v8f32(<8 x float> %57, <8 x float> %55, <8 x float> splat (float 0x3FA5553820000000))
  %59 = call <8 x float> @llvm.fma.v8f32(<8 x float> %58, <8 x float> %55, <8 x float> splat (float 0x3FC5555540000000))
  %60 = call <8 x float> @llvm.fma.v8f32(<8 x float> %59, <8 x float> %55, <8 x float> splat (float 5.000000e-01))
  %61 = fmul <8 x float> %55, %55
  %62 = fmul <8 x float> %61, %60
  %63 = fadd <8 x float> %62, %55
  %64 = fadd <8 x float> %63, splat (float 1.000000e+00)
  %65 = bitcast <8 x float> %52 to <8 x i32>
  %66 = add <8 x i32> %65, splat (i32 -1262485504)
  %67 = ashr <8 x i32> %66, splat (i32 1)
  %68 = shl <8 x i32> %67, splat (i32 23)
  %69 = add <8 x i32> %68, splat (i32 1065353216)
  %70 = bitcast <8 x i32> %69 to <8 x float>
  %71 = fmul <8 x float> %64, %70
  %72 = sub <8 x i32> %65, %67
  %73 = shl <8 x i32> %72, splat (i32 23)
  %74 = add <8 x i32> %73, splat (i32 1065353216)
  %75 = bitcast <8 x i32> %74 to <8 x float>
  %76 = fmul <8 x float> %71, %75
  %77 = fadd <8 x float> %partial5.0, %76
  %78 = add nuw nsw i64 %i8, 8
  %79 = icmp samesign ult i64 %i8, 262136
  br i1 %79, label %loop6, label %done7

done7:                                            ; preds = %loop6
  %80 = shufflevector <8 x float> %77, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %81 = shufflevector <8 x float> %77, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %82 = fadd <4 x float> %81, %80
  %83 = shufflevector <4 x float> %82, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %84 = shufflevector <4 x float> %82, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %85 = fadd <2 x float> %84, %83
  %86 = shufflevector <2 x float> %85, <2 x float> poison, <1 x i32> <i32 1>
  %87 = shufflevector <2 x float> %85, <2 x float> poison, <1 x i32> zeroinitializer
  %88 = fadd <1 x float> %87, %86
  %89 = extractelement <1 x float> %88, i64 0
  %90 = fadd float %89, 0.000000e+00
  %91 = fdiv float 1.000000e+00, %90
  %92 = shl i64 %task.0, 18
  %.splatinsert14 = insertelement <8 x float> poison, float %91, i64 0
  %.splat15 = shufflevector <8 x float> %.splatinsert14, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop9

loop9:                                            ; preds = %done7, %loop9
  %i11 = phi i64 [ 0, %done7 ], [ %128, %loop9 ]
  %93 = add i64 %92, %i11
  %94 = getelementptr float, ptr %x_0, i64 %93
  %95 = load <8 x float>, ptr %94, align 4, !invariant.load !0
  %96 = fsub <8 x float> %95, %.splat
  %97 = fcmp ogt <8 x float> %96, splat (float 8.875000e+01)
  %98 = select <8 x i1> %97, <8 x float> splat (float 8.875000e+01), <8 x float> %96
  %99 = fcmp olt <8 x float> %98, splat (float -1.040000e+02)
  %100 = select <8 x i1> %99, <8 x float> splat (float -1.040000e+02), <8 x float> %98
  %101 = call <8 x float> @llvm.fma.v8f32(<8 x float> %100, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %102 = fadd <8 x float> %101, splat (float 0xC168000000000000)
  %103 = call <8 x float> @llvm.fma.v8f32(<8 x float> %102, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %100)
  %104 = call <8 x float> @llvm.fma.v8f32(<8 x float> %102, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %103)
  %105 = call <8 x float> @llvm.fma.v8f32(<8 x float> %104, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %106 = call <8 x float> @llvm.fma.v8f32(<8 x float> %105, <8 x float> %104, <8 x float> splat (float 0x3F81112100000000))
  %107 = call <8 x float> @llvm.fma.v8f32(<8 x float> %106, <8 x float> %104, <8 x float> splat (float 0x3FA5553820000000))
  %108 = call <8 x float> @llvm.fma.v8f32(<8 x float> %107, <8 x float> %104, <8 x float> splat (float 0x3FC5555540000000))
  %109 = call <8 x float> @llvm.fma.v8f32(<8 x float> %108, <8 x float> %104, <8 x float> splat (float 5.000000e-01))
  %110 = fmul <8 x float> %104, %104
  %111 = fmul <8 x float> %110, %109
  %112 = fadd <8 x float> %111, %104
  %113 = fadd <8 x float> %112, splat (float 1.000000e+00)
  %114 = bitcast <8 x float> %101 to <8 x i32>
  %115 = add <8 x i32> %114, splat (i32 -1262485504)
  %116 = ashr <8 x i32> %115, splat (i32 1)
  %117 = shl <8 x i32> %116, splat (i32 23)
  %118 = add <8 x i32> %117, splat (i32 1065353216)
  %119 = bitcast <8 x i32> %118 to <8 x float>
  %120 = fmul <8 x float> %113, %119
  %121 = sub <8 x i32> %114, %116
  %122 = shl <8 x i32> %121, splat (i32 23)
  %123 = add <8 x i32> %122, splat (i32 1065353216)
  %124 = bitcast <8 x i32> %123 to <8 x float>
  %125 = fmul <8 x float> %120, %124
  %126 = fmul <8 x float> %125, %.splat15
  %127 = getelementptr float, ptr %b7_2, i64 %93
  store <8 x float> %126, ptr %127, align 4
  %128 = add nuw nsw i64 %i11, 8
  %129 = icmp samesign ult i64 %i11, 262136
  br i1 %129, label %loop9, label %done10

done10:                                           ; preds = %loop9
  %130 = add i64 %task.0, 1
  %131 = add nsw i64 %i, 1
  %132 = icmp slt i64 %131, %2
  br i1 %132, label %loop, label %done.loopexit
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>) #1

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }

!0 = !{}
