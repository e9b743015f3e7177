; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_max_sub_exp_sum_div_f3478de6(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 4, i64 409, ptr nonnull @fused_max_sub_exp_sum_div_f3478de6.tasks0, ptr nonnull %context) #4
  ret void
}

; Function Attrs: nounwind
define internal void @fused_max_sub_exp_sum_div_f3478de6.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b5_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %done12
  %task.0 = phi i64 [ %190, %done12 ], [ %1, %loop.preheader ]
  %i = phi i64 [ %191, %done12 ], [ %1, %loop.preheader ]
  %.idx = mul i64 %task.0, 80
  %6 = getelementptr i8, ptr %x_0, i64 %.idx
  %7 = load <16 x float>, ptr %6, align 4, !invariant.load !0
  %8 = mul i64 %task.0, 20
  %9 = add i64 %8, 16
  %10 = getelementptr float, ptr %x_0, i64 %9
  %11 = call contract <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %10, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> <float poison, float poison, float poison, float poison, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00>)
  %12 = fcmp contract olt <16 x float> %11, %7
  %13 = fcmp contract uno <16 x float> %7, zeroinitializer
  %14 = select <16 x i1> %13, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison>, <16 x i1> %12
  %15 = select contract <16 x i1> %14, <16 x float> %7, <16 x float> %11
  %16 = shufflevector <16 x float> %15, <16 x float> %7, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %17 = shufflevector <16 x float> %16, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %18 = shufflevector <16 x float> %16, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %19 = fcmp contract olt <8 x float> %17, %18
  %20 = fcmp contract uno <8 x float> %18, zeroinitializer
  %21 = select <8 x i1> %20, <8 x i1> splat (i1 true), <8 x i1> %19
  %22 = select contract <8 x i1> %21, <8 x float> %18, <8 x float> %17
  %23 = shufflevector <8 x float> %22, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %24 = shufflevector <8 x float> %22, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %25 = fcmp contract olt <4 x float> %23, %24
  %26 = fcmp contract uno <4 x float> %24, zeroinitializer
  %27 = select <4 x i1> %26, <4 x i1> splat (i1 true), <4 x i1> %25
  %28 = select contract <4 x i1> %27, <4 x float> %24, <4 x float> %23
  %29 = shufflevector <4 x float> %28, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %30 = shufflevector <4 x float> %28, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %31 = fcmp contract olt <2 x float> %29, %30
  %32 = fcmp contract uno <2 x float> %30, zeroinitializer
  %33 = select <2 x i1> %32, <2 x i1> splat (i1 true), <2 x i1> %31
  %34 = select contract <2 x i1> %33, <2 x float> %30, <2 x float> %29
  %35 = shufflevector <2 x float> %34, <2 x float> poison, <1 x i32> <i32 1>
  %36 = shufflevector <2 x float> %34, <2 x float> poison, <1 x i32> zeroinitializer
  %37 = fcmp contract olt <1 x float> %35, %36
  %38 = fcmp contract uno <1 x float> %36, zeroinitializer
  %39 = select <1 x i1> %38, <1 x i1> splat (i1 true), <1 x i1> %37
  %40 = select contract <1 x i1> %39, <1 x float> %36, <1 x float> %35
  %41 = getelementptr float, ptr %x_0, i64 %8
  %.splat = shufflevector <1 x float> %40, <1 x float> poison, <8 x i32> zeroinitializer
  br label %loop6

done.loopexit:                                    ; preds = %done12
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop6:                                            ; preds = %loop, %loop6
  %partial5.0 = phi <8 x float> [ zeroinitializer, %loop ], [ %74, %loop6 ]
  %i8 = phi i64 [ 0, %loop ], [ %75, %loop6 ]
  %42 = getelementptr float, ptr %41, i64 %i8
  %43 = load <8 x float>, ptr %42, align 4, !invariant.load !0
  %44 = fsub contract <8 x float> %43, %.splat
  %45 = fcmp ogt <8 x float> %44, splat (float 8.875000e+01)
  %46 = select <8 x i1> %45, <8 x float> splat (float 8.875000e+01), <8 x float> %44
  %47 = fcmp olt <8 x float> %46, splat (float -1.040000e+02)
  %48 = select <8 x i1> %47, <8 x float> splat (float -1.040000e+02), <8 x float> %46
  %49 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %48, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %50 = fadd <8 x float> %49, splat (float 0xC168000000000000)
  %51 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %50, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %48)
  %52 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %50, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %51)
  %53 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %52, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %54 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %53, <8 x float> %52, <8 x float> splat (float 0x3F81112100000000))
  %55 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %54, <8 x float> %52, <8 x float> splat (float 0x3FA5553820000000))
  %56 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %55, <8 x float> %52, <8 x float> splat (float 0x3FC5555540000000))
  %57 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %56, <8 x float> %52, <8 x float> splat (float 5.000000e-01))
  %58 = fmul <8 x float> %52, %52
  %59 = fmul <8 x float> %58, %57
  %60 = fadd <8 x float> %59, %52
  %61 = fadd <8 x float> %60, splat (float 1.000000e+00)
  %62 = bitcast <8 x float> %49 to <8 x i32>
  %63 = add <8 x i32> %62, splat (i32 -1262485504)
  %64 = ashr <8 x i32> %63, splat (i32 1)
  %65 = shl <8 x i32> %64, splat (i32 23)
  %66 = add <8 x i32> %65, splat (i32 1065353216)
  %67 = bitcast <8 x i32> %66 to <8 x float>
  %68 = fmul <8 x float> %61, %67
  %69 = sub <8 x i32> %62, %64
  %70 = shl <8 x i32> %69, splat (i32 23)
  %71 = add <8 x i32> %70, splat (i32 1065353216)
  %72 = bitcast <8 x i32> %71 to <8 x float>
  %73 = fmul <8 x float> %68, %72
  %74 = fadd contract <8 x float> %partial5.0, %73
  %75 = add nuw nsw i64 %i8, 8
  %76 = icmp eq i64 %i8, 0
  br i1 %76, label %loop6, label %done7

done7:                                            ; preds = %loop6
  %77 = call contract <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %10, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <8 x float> <float poison, float poison, float poison, float poison, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00>)
  %78 = fsub contract <8 x float> %77, %.splat
  %79 = fcmp ogt <8 x float> %78, splat (float 8.875000e+01)
  %80 = select <8 x i1> %79, <8 x float> splat (float 8.875000e+01), <8 x float> %78
  %81 = fcmp olt <8 x float> %80, splat (float -1.040000e+02)
  %82 = select <8 x i1> %81, <8 x float> splat (float -1.040000e+02), <8 x float> %80
  %83 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %82, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %84 = fadd <8 x float> %83, splat (float 0xC168000000000000)
  %85 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %84, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %82)
  %86 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %84, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %85)
  %87 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %86, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %88 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %87, <8 x float> %86, <8 x float> splat (float 0x3F81112100000000))
  %89 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %88, <8 x float> %86, <8 x float> splat (float 0x3FA5553820000000))
  %90 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %89, <8 x float> %86, <8 x float> splat (float 0x3FC5555540000000))
  %91 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %90, <8 x float> %86, <8 x float> splat (float 5.000000e-01))
  %92 = fmul <8 x float> %86, %86
  %93 = fmul <8 x float> %92, %91
  %94 = fadd <8 x float> %93, %86
  %95 = fadd <8 x float> %94, <float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float poison, float poison, float poison, float poison>
  %96 = bitcast <8 x float> %83 to <8 x i32>
  %97 = add <8 x i32> %96, splat (i32 -1262485504)
  %98 = ashr <8 x i32> %97, splat (i32 1)
  %99 = shl <8 x i32> %98, splat (i32 23)
  %100 = add <8 x i32> %99, <i32 1065353216, i32 1065353216, i32 1065353216, i32 1065353216, i32 poison, i32 poison, i32 poison, i32 poison>
  %101 = bitcast <8 x i32> %100 to <8 x float>
  %102 = fmul <8 x float> %95, %101
  %103 = sub <8 x i32> %96, %98
  %104 = shl <8 x i32> %103, splat (i32 23)
  %105 = add <8 x i32> %104, <i32 1065353216, i32 1065353216, i32 1065353216, i32 1065353216, i32 poison, i32 poison, i32 poison, i32 poison>
  %106 = bitcast <8 x i32> %105 to <8 x float>
  %107 = fmul <8 x float> %102, %106
  %108 = fadd contract <8 x float> %74, %107
  %109 = shufflevector <8 x float> %74, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %110 = shufflevector <8 x float> %108, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %111 = fadd contract <4 x float> %110, %109
  %112 = shufflevector <4 x float> %111, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %113 = shufflevector <4 x float> %111, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %114 = fadd contract <2 x float> %113, %112
  %115 = shufflevector <2 x float> %114, <2 x float> poison, <1 x i32> <i32 1>
  %116 = shufflevector <2 x float> %114, <2 x float> poison, <1 x i32> zeroinitializer
  %117 = fadd contract <1 x float> %116, %115
  %118 = extractelement <1 x float> %117, i64 0
  %119 = fadd contract float %118, 0.000000e+00
  %.splatinsert16 = insertelement <8 x float> poison, float %119, i64 0
  %.splat17 = shufflevector <8 x float> %.splatinsert16, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop11

loop11:                                           ; preds = %done7, %loop11
  %i13 = phi i64 [ 0, %done7 ], [ %155, %loop11 ]
  %120 = add i64 %8, %i13
  %121 = getelementptr float, ptr %x_0, i64 %120
  %122 = load <8 x float>, ptr %121, align 4, !invariant.load !0
  %123 = fsub contract <8 x float> %122, %.splat
  %124 = fcmp ogt <8 x float> %123, splat (float 8.875000e+01)
  %125 = select <8 x i1> %124, <8 x float> splat (float 8.875000e+01), <8 x float> %123
  %126 = fcmp olt <8 x float> %125, splat (float -1.040000e+02)
  %127 = select <8 x i1> %126, <8 x float> splat (float -1.040000e+02), <8 x float> %125
  %128 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %127, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %129 = fadd <8 x float> %128, splat (float 0xC168000000000000)
  %130 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %129, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %127)
  %131 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %129, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %130)
  %132 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %131, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %133 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %132, <8 x float> %131, <8 x float> splat (float 0x3F81112100000000))
  %134 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %133, <8 x float> %131, <8 x float> splat (float 0x3FA5553820000000))
  %135 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %134, <8 x float> %131, <8 x float> splat (float 0x3FC5555540000000))
  %136 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %135, <8 x float> %131, <8 x float> splat (float 5.000000e-01))
  %137 = fmul <8 x float> %131, %131
  %138 = fmul <8 x float> %137, %136
  %139 = fadd <8 x float> %138, %131
  %140 = fadd <8 x float> %139, splat (float 1.000000e+00)
  %141 = bitcast <8 x float> %128 to <8 x i32>
  %142 = add <8 x i32> %141, splat (i32 -1262485504)
  %143 = ashr <8 x i32> %142, splat (i32 1)
  %144 = shl <8 x i32> %143, splat (i32 23)
  %145 = add <8 x i32> %144, splat (i32 1065353216)
  %146 = bitcast <8 x i32> %145 to <8 x float>
  %147 = fmul <8 x float> %140, %146
  %148 = sub <8 x i32> %141, %143
  %149 = shl <8 x i32> %148, splat (i32 23)
  %150 = add <8 x i32> %149, splat (i32 1065353216)
  %151 = bitcast <8 x i32> %150 to <8 x float>
  %152 = fmul <8 x float> %147, %151
  %153 = fdiv contract <8 x float> %152, %.splat17
  %154 = getelementptr float, ptr %b5_1, i64 %120
  store <8 x float> %153, ptr %154, align 4
  %155 = add nuw nsw i64 %i13, 8
  %156 = icmp eq i64 %i13, 0
  br i1 %156, label %loop11, label %done12

done12:                                           ; preds = %loop11
  %157 = call contract <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %10, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <8 x float> <float poison, float poison, float poison, float poison, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00>)
  %158 = fsub contract <8 x float> %157, %.splat
  %159 = fcmp ogt <8 x float> %158, splat (float 8.875000e+01)
  %160 = select <8 x i1> %159, <8 x float> splat (float 8.875000e+01), <8 x float> %158
  %161 = fcmp olt <8 x float> %160, splat (float -1.040000e+02)
  %162 = select <8 x i1> %161, <8 x float> splat (float -1.040000e+02), <8 x float> %160
  %163 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %162, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %164 = fadd <8 x float> %163, splat (float 0xC168000000000000)
  %165 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %164, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %162)
  %166 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %164, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %165)
  %167 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %166, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %168 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %167, <8 x float> %166, <8 x float> splat (float 0x3F81112100000000))
  %169 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %168, <8 x float> %166, <8 x float> splat (float 0x3FA5553820000000))
  %170 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %169, <8 x float> %166, <8 x float> splat (float 0x3FC5555540000000))
  %171 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %170, <8 x float> %166, <8 x float> splat (float 5.000000e-01))
  %172 = fmul <8 x float> %166, %166
  %173 = fmul <8 x float> %172, %171
  %174 = fadd <8 x float> %173, %166
  %175 = fadd <8 x float> %174, <float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float poison, float poison, float poison, float poison>
  %176 = bitcast <8 x float> %163 to <8 x i32>
  %177 = add <8 x i32> %176, splat (i32 -1262485504)
  %178 = ashr <8 x i32> %177, splat (i32 1)
  %179 = shl <8 x i32> %178, splat (i32 23)
  %180 = add <8 x i32> %179, <i32 1065353216, i32 1065353216, i32 1065353216, i32 1065353216, i32 poison, i32 poison, i32 poison, i32 poison>
  %181 = bitcast <8 x i32> %180 to <8 x float>
  %182 = fmul <8 x float> %175, %181
  %183 = sub <8 x i32> %176, %178
  %184 = shl <8 x i32> %183, splat (i32 23)
  %185 = add <8 x i32> %184, <i32 1065353216, i32 1065353216, i32 1065353216, i32 1065353216, i32 poison, i32 poison, i32 poison, i32 poison>
  %186 = bitcast <8 x i32> %185 to <8 x float>
  %187 = fmul <8 x float> %182, %186
  %.splat21 = shufflevector <8 x float> %.splatinsert16, <8 x float> poison, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 poison, i32 poison, i32 poison, i32 poison>
  %188 = fdiv contract <8 x float> %187, %.splat21
  %189 = getelementptr float, ptr %b5_1, i64 %9
  call void @llvm.masked.store.v8f32.p0(<8 x float> %188, ptr align 4 %189, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>)
  %190 = add i64 %task.0, 1
  %191 = add nsw i64 %i, 1
  %192 = icmp slt i64 %191, %2
  br i1 %192, label %loop, label %done.loopexit
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr captures(none), <16 x i1>, <16 x float>) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x float> @llvm.fmuladd.v8f32(<8 x float>, <8 x float>, <8 x float>) #2

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
