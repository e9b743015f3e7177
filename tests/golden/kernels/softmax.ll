; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_max_sub_exp_sum_div_6dd64c32(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 4, i64 409, ptr nonnull @fused_max_sub_exp_sum_div_6dd64c32.tasks0, ptr nonnull %context) #4
  ret void
}

; Function Attrs: nounwind
define internal void @fused_max_sub_exp_sum_div_6dd64c32.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %lanes24 = alloca i32, align 4
  %mask16 = alloca i8, align 1
  %lanes11 = alloca i32, align 4
  %mask = alloca i16, align 2
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b7_2 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %done18
  %task.0 = phi i64 [ %204, %done18 ], [ %1, %loop.preheader ]
  %i = phi i64 [ %205, %done18 ], [ %1, %loop.preheader ]
  %.idx = mul i64 %task.0, 80
  %6 = getelementptr i8, ptr %x_0, i64 %.idx
  %7 = load <16 x float>, ptr %6, align 4, !invariant.load !0
  store volatile i32 4, ptr %lanes, align 4
  %8 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <16 x i32> poison, i32 %8, i64 0
  %.splat = shufflevector <16 x i32> %.splatinsert, <16 x i32> poison, <16 x i32> zeroinitializer
  %9 = icmp ugt <16 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %10 = mul i64 %task.0, 20
  %11 = add i64 %10, 16
  %12 = getelementptr float, ptr %x_0, i64 %11
  %13 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %12, <16 x i1> %9, <16 x float> zeroinitializer)
  %14 = fcmp olt <16 x float> %13, %7
  %15 = fcmp uno <16 x float> %7, zeroinitializer
  %16 = select <16 x i1> %15, <16 x i1> splat (i1 true), <16 x i1> %14
  %17 = select <16 x i1> %16, <16 x float> %7, <16 x float> %13
  %18 = bitcast <16 x i1> %9 to i16
  store volatile i16 %18, ptr %mask, align 2
  %19 = load volatile i16, ptr %mask, align 2
  %20 = bitcast i16 %19 to <16 x i1>
  %21 = select <16 x i1> %20, <16 x float> %17, <16 x float> %7
  %22 = shufflevector <16 x float> %21, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %23 = shufflevector <16 x float> %21, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %24 = fcmp olt <8 x float> %22, %23
  %25 = fcmp uno <8 x float> %23, zeroinitializer
  %26 = select <8 x i1> %25, <8 x i1> splat (i1 true), <8 x i1> %24
  %27 = select <8 x i1> %26, <8 x float> %23, <8 x float> %22
  %28 = shufflevector <8 x float> %27, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %29 = shufflevector <8 x float> %27, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %30 = fcmp olt <4 x float> %28, %29
  %31 = fcmp uno <4 x float> %29, zeroinitializer
  %32 = select <4 x i1> %31, <4 x i1> splat (i1 true), <4 x i1> %30
  %33 = select <4 x i1> %32, <4 x float> %29, <4 x float> %28
  %34 = shufflevector <4 x float> %33, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %35 = shufflevector <4 x float> %33, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %36 = fcmp olt <2 x float> %34, %35
  %37 = fcmp uno <2 x float> %35, zeroinitializer
  %38 = select <2 x i1> %37, <2 x i1> splat (i1 true), <2 x i1> %36
  %39 = select <2 x i1> %38, <2 x float> %35, <2 x float> %34
  %40 = shufflevector <2 x float> %39, <2 x float> poison, <1 x i32> <i32 1>
  %41 = shufflevector <2 x float> %39, <2 x float> poison, <1 x i32> zeroinitializer
  %42 = fcmp olt <1 x float> %40, %41
  %43 = fcmp uno <1 x float> %41, zeroinitializer
  %44 = select <1 x i1> %43, <1 x i1> splat (i1 true), <1 x i1> %42
  %45 = select <1 x i1> %44, <1 x float> %41, <1 x float> %40
  %46 = getelementptr float, ptr %x_0, i64 %10
  %.splat10 = shufflevector <1 x float> %45, <1 x float> poison, <8 x i32> zeroinitializer
  br label %loop6

done.loopexit:                                    ; preds = %done18
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop6:                                            ; preds = %loop, %loop6
  %partial5.0 = phi <8 x float> [ zeroinitializer, %loop ], [ %79, %loop6 ]
  %i8 = phi i64 [ 0, %loop ], [ %80, %loop6 ]
  %47 = getelementptr float, ptr %46, i64 %i8
  %48 = load <8 x float>, ptr %47, align 4, !invariant.load !0
  %49 = fsub <8 x float> %48, %.splat10
  %50 = fcmp ogt <8 x float> %49, splat (float 8.875000e+01)
  %51 = select <8 x i1> %50, <8 x float> splat (float 8.875000e+01), <8 x float> %49
  %52 = fcmp olt <8 x float> %51, splat (float -1.040000e+02)
  %53 = select <8 x i1> %52, <8 x float> splat (float -1.040000e+02), <8 x float> %51
  %54 = call <8 x float> @llvm.fma.v8f32(<8 x float> %53, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %55 = fadd <8 x float> %54, splat (float 0xC168000000000000)
  %56 = call <8 x float> @llvm.fma.v8f32(<8 x float> %55, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %53)
  %57 = call <8 x float> @llvm.fma.v8f32(<8 x float> %55, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %56)
  %58 = call <8 x float> @llvm.fma.v8f32(<8 x float> %57, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %59 = call <8 x float> @llvm.fma.v8f32(<8 x float> %58, <8 x float> %57, <8 x float> splat (float 0x3F81112100000000))
  %60 = call <8 x float> @llvm.fma.v8f32(<8 x float> %59, <8 x float> %57, <8 x float> splat (float 0x3FA5553820000000))
  %61 = call <8 x float> @llvm.fma.v8f32(<8 x float> %60, <8 x float> %57, <8 x float> splat (float 0x3FC5555540000000))
  %62 = call <8 x float> @llvm.fma.v8f32(<8 x float> %61, <8 x float> %57, <8 x float> splat (float 5.000000e-01))
  %63 = fmul <8 x float> %57, %57
  %64 = fmul <8 x float> %63, %62
  %65 = fadd <8 x float> %64, %57
  %66 = fadd <8 x float> %65, splat (float 1.000000e+00)
  %67 = bitcast <8 x float> %54 to <8 x i32>
  %68 = add <8 x i32> %67, splat (i32 -1262485504)
  %69 = ashr <8 x i32> %68, splat (i32 1)
  %70 = shl <8 x i32> %69, splat (i32 23)
  %71 = add <8 x i32> %70, splat (i32 1065353216)
  %72 = bitcast <8 x i32> %71 to <8 x float>
  %73 = fmul <8 x float> %66, %72
  %74 = sub <8 x i32> %67, %69
  %75 = shl <8 x i32> %74, splat (i32 23)
  %76 = add <8 x i32> %75, splat (i32 1065353216)
  %77 = bitcast <8 x i32> %76 to <8 x float>
  %78 = fmul <8 x float> %73, %77
  %79 = fadd <8 x float> %partial5.0, %78
  %80 = add nuw nsw i64 %i8, 8
  %81 = icmp eq i64 %i8, 0
  br i1 %81, label %loop6, label %done7

done7:                                            ; preds = %loop6
  store volatile i32 4, ptr %lanes11, align 4
  %82 = load volatile i32, ptr %lanes11, align 4
  %.splatinsert12 = insertelement <8 x i32> poison, i32 %82, i64 0
  %.splat13 = shufflevector <8 x i32> %.splatinsert12, <8 x i32> poison, <8 x i32> zeroinitializer
  %83 = icmp ugt <8 x i32> %.splat13, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %84 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %12, <8 x i1> %83, <8 x float> zeroinitializer)
  %85 = fsub <8 x float> %84, %.splat10
  %86 = fcmp ogt <8 x float> %85, splat (float 8.875000e+01)
  %87 = select <8 x i1> %86, <8 x float> splat (float 8.875000e+01), <8 x float> %85
  %88 = fcmp olt <8 x float> %87, splat (float -1.040000e+02)
  %89 = select <8 x i1> %88, <8 x float> splat (float -1.040000e+02), <8 x float> %87
  %90 = call <8 x float> @llvm.fma.v8f32(<8 x float> %89, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %91 = fadd <8 x float> %90, splat (float 0xC168000000000000)
  %92 = call <8 x float> @llvm.fma.v8f32(<8 x float> %91, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %89)
  %93 = call <8 x float> @llvm.fma.v8f32(<8 x float> %91, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %92)
  %94 = call <8 x float> @llvm.fma.v8f32(<8 x float> %93, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %95 = call <8 x float> @llvm.fma.v8f32(<8 x float> %94, <8 x float> %93, <8 x float> splat (float 0x3F81112100000000))
  %96 = call <8 x float> @llvm.fma.v8f32(<8 x float> %95, <8 x float> %93, <8 x float> splat (float 0x3FA5553820000000))
  %97 = call <8 x float> @llvm.fma.v8f32(<8 x float> %96, <8 x float> %93, <8 x float> splat (float 0x3FC5555540000000))
  %98 = call <8 x float> @llvm.fma.v8f32(<8 x float> %97, <8 x float> %93, <8 x float> splat (float 5.000000e-01))
  %99 = fmul <8 x float> %93, %93
  %100 = fmul <8 x float> %99, %98
  %101 = fadd <8 x float> %100, %93
  %102 = fadd <8 x float> %101, splat (float 1.000000e+00)
  %103 = bitcast <8 x float> %90 to <8 x i32>
  %104 = add <8 x i32> %103, splat (i32 -1262485504)
  %105 = ashr <8 x i32> %104, splat (i32 1)
  %106 = shl <8 x i32> %105, splat (i32 23)
  %107 = add <8 x i32> %106, splat (i32 1065353216)
  %108 = bitcast <8 x i32> %107 to <8 x float>
  %109 = fmul <8 x float> %102, %108
  %110 = sub <8 x i32> %103, %105
  %111 = shl <8 x i32> %110, splat (i32 23)
  %112 = add <8 x i32> %111, splat (i32 1065353216)
  %113 = bitcast <8 x i32> %112 to <8 x float>
  %114 = fmul <8 x float> %109, %113
  %115 = fadd <8 x float> %79, %114
  %116 = bitcast <8 x i1> %83 to i8
  store volatile i8 %116, ptr %mask16, align 1
  %117 = load volatile i8, ptr %mask16, align 1
  %118 = bitcast i8 %117 to <8 x i1>
  %119 = select <8 x i1> %118, <8 x float> %115, <8 x float> %79
  %120 = shufflevector <8 x float> %119, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %121 = shufflevector <8 x float> %119, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %122 = fadd <4 x float> %121, %120
  %123 = shufflevector <4 x float> %122, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %124 = shufflevector <4 x float> %122, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %125 = fadd <2 x float> %124, %123
  %126 = shufflevector <2 x float> %125, <2 x float> poison, <1 x i32> <i32 1>
  %127 = shufflevector <2 x float> %125, <2 x float> poison, <1 x i32> zeroinitializer
  %128 = fadd <1 x float> %127, %126
  %129 = extractelement <1 x float> %128, i64 0
  %130 = fadd float %129, 0.000000e+00
  %131 = fdiv float 1.000000e+00, %130
  %.splatinsert22 = insertelement <8 x float> poison, float %131, i64 0
  %.splat23 = shufflevector <8 x float> %.splatinsert22, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop17

loop17:                                           ; preds = %done7, %loop17
  %i19 = phi i64 [ 0, %done7 ], [ %167, %loop17 ]
  %132 = add i64 %10, %i19
  %133 = getelementptr float, ptr %x_0, i64 %132
  %134 = load <8 x float>, ptr %133, align 4, !invariant.load !0
  %135 = fsub <8 x float> %134, %.splat10
  %136 = fcmp ogt <8 x float> %135, splat (float 8.875000e+01)
  %137 = select <8 x i1> %136, <8 x float> splat (float 8.875000e+01), <8 x float> %135
  %138 = fcmp olt <8 x float> %137, splat (float -1.040000e+02)
  %139 = select <8 x i1> %138, <8 x float> splat (float -1.040000e+02), <8 x float> %137
  %140 = call <8 x float> @llvm.fma.v8f32(<8 x float> %139, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %141 = fadd <8 x float> %140, splat (float 0xC168000000000000)
  %142 = call <8 x float> @llvm.fma.v8f32(<8 x float> %141, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %139)
  %143 = call <8 x float> @llvm.fma.v8f32(<8 x float> %141, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %142)
  %144 = call <8 x float> @llvm.fma.v8f32(<8 x float> %143, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %145 = call <8 x float> @llvm.fma.v8f32(<8 x float> %144, <8 x float> %143, <8 x float> splat (float 0x3F81112100000000))
  %146 = call <8 x float> @llvm.fma.v8f32(<8 x float> %145, <8 x float> %143, <8 x float> splat (float 0x3FA5553820000000))
  %147 = call <8 x float> @llvm.fma.v8f32(<8 x float> %146, <8 x float> %143, <8 x float> splat (float 0x3FC5555540000000))
  %148 = call <8 x float> @llvm.fma.v8f32(<8 x float> %147, <8 x float> %143, <8 x float> splat (float 5.000000e-01))
  %149 = fmul <8 x float> %143, %143
  %150 = fmul <8 x float> %149, %148
  %151 = fadd <8 x float> %150, %143
  %152 = fadd <8 x float> %151, splat (float 1.000000e+00)
  %153 = bitcast <8 x float> %140 to <8 x i32>
  %154 = add <8 x i32> %153, splat (i32 -1262485504)
  %155 = ashr <8 x i32> %154, splat (i32 1)
  %156 = shl <8 x i32> %155, splat (i32 23)
  %157 = add <8 x i32> %156, splat (i32 1065353216)
  %158 = bitcast <8 x i32> %157 to <8 x float>
  %159 = fmul <8 x float> %152, %158
  %160 = sub <8 x i32> %153, %155
  %161 = shl <8 x i32> %160, splat (i32 23)
  %162 = add <8 x i32> %161, splat (i32 1065353216)
  %163 = bitcast <8 x i32> %162 to <8 x float>
  %164 = fmul <8 x float> %159, %163
  %165 = fmul <8 x float> %164, %.splat23
  %166 = getelementptr float, ptr %b7_2, i64 %132
  store <8 x float> %165, ptr %166, align 4
  %167 = add nuw nsw i64 %i19, 8
  %168 = icmp eq i64 %i19, 0
  br i1 %168, label %loop17, label %done18

done18:                                           ; preds = %loop17
  store volatile i32 4, ptr %lanes24, align 4
  %169 = load volatile i32, ptr %lanes24, align 4
  %.splatinsert25 = insertelement <8 x i32> poison, i32 %169, i64 0
  %.splat26 = shufflevector <8 x i32> %.splatinsert25, <8 x i32> poison, <8 x i32> zeroinitializer
  %170 = icmp ugt <8 x i32> %.splat26, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %171 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %12, <8 x i1> %170, <8 x float> zeroinitializer)
  %172 = fsub <8 x float> %171, %.splat10
  %173 = fcmp ogt <8 x float> %172, splat (float 8.875000e+01)
  %174 = select <8 x i1> %173, <8 x float> splat (float 8.875000e+01), <8 x float> %172
  %175 = fcmp olt <8 x float> %174, splat (float -1.040000e+02)
  %176 = select <8 x i1> %175, <8 x float> splat (float -1.040000e+02), <8 x float> %174
  %177 = call <8 x float> @llvm.fma.v8f32(<8 x float> %176, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %178 = fadd <8 x float> %177, splat (float 0xC168000000000000)
  %179 = call <8 x float> @llvm.fma.v8f32(<8 x float> %178, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %176)
  %180 = call <8 x float> @llvm.fma.v8f32(<8 x float> %178, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %179)
  %181 = call <8 x float> @llvm.fma.v8f32(<8 x float> %180, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %182 = call <8 x float> @llvm.fma.v8f32(<8 x float> %181, <8 x float> %180, <8 x float> splat (float 0x3F81112100000000))
  %183 = call <8 x float> @llvm.fma.v8f32(<8 x float> %182, <8 x float> %180, <8 x float> splat (float 0x3FA5553820000000))
  %184 = call <8 x float> @llvm.fma.v8f32(<8 x float> %183, <8 x float> %180, <8 x float> splat (float 0x3FC5555540000000))
  %185 = call <8 x float> @llvm.fma.v8f32(<8 x float> %184, <8 x float> %180, <8 x float> splat (float 5.000000e-01))
  %186 = fmul <8 x float> %180, %180
  %187 = fmul <8 x float> %186, %185
  %188 = fadd <8 x float> %187, %180
  %189 = fadd <8 x float> %188, splat (float 1.000000e+00)
  %190 = bitcast <8 x float> %177 to <8 x i32>
  %191 = add <8 x i32> %190, splat (i32 -1262485504)
  %192 = ashr <8 x i32> %191, splat (i32 1)
  %193 = shl <8 x i32> %192, splat (i32 23)
  %194 = add <8 x i32> %193, splat (i32 1065353216)
  %195 = bitcast <8 x i32> %194 to <8 x float>
  %196 = fmul <8 x float> %189, %195
  %197 = sub <8 x i32> %190, %192
  %198 = shl <8 x i32> %197, splat (i32 23)
  %199 = add <8 x i32> %198, splat (i32 1065353216)
  %200 = bitcast <8 x i32> %199 to <8 x float>
  %201 = fmul <8 x float> %196, %200
  %202 = fmul <8 x float> %201, %.splat23
  %203 = getelementptr float, ptr %b7_2, i64 %11
  call void @llvm.masked.store.v8f32.p0(<8 x float> %202, ptr align 4 %203, <8 x i1> %170)
  %204 = add i64 %task.0, 1
  %205 = add nsw i64 %i, 1
  %206 = icmp slt i64 %205, %2
  br i1 %206, label %loop, label %done.loopexit
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr captures(none), <16 x i1>, <16 x float>) #1

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
