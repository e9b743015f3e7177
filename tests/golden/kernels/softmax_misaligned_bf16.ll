; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_cast_max_sub_exp_sum_7616872b(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 12, i64 8, ptr nonnull @fused_cast_max_sub_exp_sum_7616872b.tasks0, ptr nonnull %context) #4
  ret void
}

; Function Attrs: nounwind
define internal void @fused_cast_max_sub_exp_sum_7616872b.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %lanes24 = alloca i32, align 4
  %mask16 = alloca i8, align 1
  %lanes11 = alloca i32, align 4
  %mask = alloca i32, align 4
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b9_2 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %done18
  %task.0 = phi i64 [ %274, %done18 ], [ %1, %loop.preheader ]
  %i = phi i64 [ %275, %done18 ], [ %1, %loop.preheader ]
  %.idx = mul i64 %task.0, 2046
  %6 = getelementptr i8, ptr %x_0, i64 %.idx
  br label %loop1

done.loopexit:                                    ; preds = %done18
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop1:                                            ; preds = %loop, %loop1
  %partial.0 = phi <32 x float> [ splat (float 0xFFF0000000000000), %loop ], [ %15, %loop1 ]
  %i3 = phi i64 [ 0, %loop ], [ %16, %loop1 ]
  %7 = getelementptr i16, ptr %6, i64 %i3
  %8 = load <32 x i16>, ptr %7, align 2, !invariant.load !0
  %9 = zext <32 x i16> %8 to <32 x i32>
  %10 = shl nuw <32 x i32> %9, splat (i32 16)
  %11 = bitcast <32 x i32> %10 to <32 x float>
  %12 = fcmp ogt <32 x float> %partial.0, %11
  %13 = fcmp uno <32 x float> %partial.0, zeroinitializer
  %14 = select <32 x i1> %13, <32 x i1> splat (i1 true), <32 x i1> %12
  %15 = select <32 x i1> %14, <32 x float> %partial.0, <32 x float> %11
  %16 = add nuw nsw i64 %i3, 32
  %17 = icmp samesign ult i64 %i3, 960
  br i1 %17, label %loop1, label %done2

done2:                                            ; preds = %loop1
  store volatile i32 31, ptr %lanes, align 4
  %18 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <32 x i32> poison, i32 %18, i64 0
  %.splat = shufflevector <32 x i32> %.splatinsert, <32 x i32> poison, <32 x i32> zeroinitializer
  %19 = icmp ugt <32 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %20 = mul i64 %task.0, 1023
  %21 = getelementptr i16, ptr %x_0, i64 %20
  %22 = getelementptr i8, ptr %21, i64 1984
  %23 = call <32 x i16> @llvm.masked.load.v32i16.p0(ptr align 2 %22, <32 x i1> %19, <32 x i16> zeroinitializer)
  %24 = zext <32 x i16> %23 to <32 x i32>
  %25 = shl nuw <32 x i32> %24, splat (i32 16)
  %26 = bitcast <32 x i32> %25 to <32 x float>
  %27 = fcmp ogt <32 x float> %15, %26
  %28 = fcmp uno <32 x float> %15, zeroinitializer
  %29 = select <32 x i1> %28, <32 x i1> splat (i1 true), <32 x i1> %27
  %30 = select <32 x i1> %29, <32 x float> %15, <32 x float> %26
  %31 = bitcast <32 x i1> %19 to i32
  store volatile i32 %31, ptr %mask, align 4
  %32 = load volatile i32, ptr %mask, align 4
  %33 = bitcast i32 %32 to <32 x i1>
  %34 = select <32 x i1> %33, <32 x float> %30, <32 x float> %15
  %35 = shufflevector <32 x float> %34, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %36 = shufflevector <32 x float> %34, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %37 = fcmp olt <16 x float> %35, %36
  %38 = fcmp uno <16 x float> %36, zeroinitializer
  %39 = select <16 x i1> %38, <16 x i1> splat (i1 true), <16 x i1> %37
  %40 = select <16 x i1> %39, <16 x float> %36, <16 x float> %35
  %41 = shufflevector <16 x float> %40, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %42 = shufflevector <16 x float> %40, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %43 = fcmp olt <8 x float> %41, %42
  %44 = fcmp uno <8 x float> %42, zeroinitializer
  %45 = select <8 x i1> %44, <8 x i1> splat (i1 true), <8 x i1> %43
  %46 = select <8 x i1> %45, <8 x float> %42, <8 x float> %41
  %47 = shufflevector <8 x float> %46, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %48 = shufflevector <8 x float> %46, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %49 = fcmp olt <4 x float> %47, %48
  %50 = fcmp uno <4 x float> %48, zeroinitializer
  %51 = select <4 x i1> %50, <4 x i1> splat (i1 true), <4 x i1> %49
  %52 = select <4 x i1> %51, <4 x float> %48, <4 x float> %47
  %53 = shufflevector <4 x float> %52, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %54 = shufflevector <4 x float> %52, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %55 = fcmp olt <2 x float> %53, %54
  %56 = fcmp uno <2 x float> %54, zeroinitializer
  %57 = select <2 x i1> %56, <2 x i1> splat (i1 true), <2 x i1> %55
  %58 = select <2 x i1> %57, <2 x float> %54, <2 x float> %53
  %59 = shufflevector <2 x float> %58, <2 x float> poison, <1 x i32> <i32 1>
  %60 = shufflevector <2 x float> %58, <2 x float> poison, <1 x i32> zeroinitializer
  %61 = fcmp olt <1 x float> %59, %60
  %62 = fcmp uno <1 x float> %60, zeroinitializer
  %63 = select <1 x i1> %62, <1 x i1> splat (i1 true), <1 x i1> %61
  %64 = select <1 x i1> %63, <1 x float> %60, <1 x float> %59
  %.splat10 = shufflevector <1 x float> %64, <1 x float> poison, <8 x i32> zeroinitializer
  br label %loop6

loop6:                                            ; preds = %done2, %loop6
  %partial5.0 = phi <8 x float> [ zeroinitializer, %done2 ], [ %100, %loop6 ]
  %i8 = phi i64 [ 0, %done2 ], [ %101, %loop6 ]
  %65 = getelementptr i16, ptr %21, i64 %i8
  %66 = load <8 x i16>, ptr %65, align 2, !invariant.load !0
  %67 = zext <8 x i16> %66 to <8 x i32>
  %68 = shl nuw <8 x i32> %67, splat (i32 16)
  %69 = bitcast <8 x i32> %68 to <8 x float>
  %70 = fsub <8 x float> %69, %.splat10
  %71 = fcmp ogt <8 x float> %70, splat (float 8.875000e+01)
  %72 = select <8 x i1> %71, <8 x float> splat (float 8.875000e+01), <8 x float> %70
  %73 = fcmp olt <8 x float> %72, splat (float -1.040000e+02)
  %74 = select <8 x i1> %73, <8 x float> splat (float -1.040000e+02), <8 x float> %72
  %75 = call <8 x float> @llvm.fma.v8f32(<8 x float> %74, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %76 = fadd <8 x float> %75, splat (float 0xC168000000000000)
  %77 = call <8 x float> @llvm.fma.v8f32(<8 x float> %76, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %74)
  %78 = call <8 x float> @llvm.fma.v8f32(<8 x float> %76, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %77)
  %79 = call <8 x float> @llvm.fma.v8f32(<8 x float> %78, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %80 = call <8 x float> @llvm.fma.v8f32(<8 x float> %79, <8 x float> %78, <8 x float> splat (float 0x3F81112100000000))
  %81 = call <8 x float> @llvm.fma.v8f32(<8 x float> %80, <8 x float> %78, <8 x float> splat (float 0x3FA5553820000000))
  %82 = call <8 x float> @llvm.fma.v8f32(<8 x float> %81, <8 x float> %78, <8 x float> splat (float 0x3FC5555540000000))
  %83 = call <8 x float> @llvm.fma.v8f32(<8 x float> %82, <8 x float> %78, <8 x float> splat (float 5.000000e-01))
  %84 = fmul <8 x float> %78, %78
  %85 = fmul <8 x float> %84, %83
  %86 = fadd <8 x float> %85, %78
  %87 = fadd <8 x float> %86, splat (float 1.000000e+00)
  %88 = bitcast <8 x float> %75 to <8 x i32>
  %89 = add <8 x i32> %88, splat (i32 -1262485504)
  %90 = ashr <8 x i32> %89, splat (i32 1)
  %91 = shl <8 x i32> %90, splat (i32 23)
  %92 = add <8 x i32> %91, splat (i32 1065353216)
  %93 = bitcast <8 x i32> %92 to <8 x float>
  %94 = fmul <8 x float> %87, %93
  %95 = sub <8 x i32> %88, %90
  %96 = shl <8 x i32> %95, splat (i32 23)
  %97 = add <8 x i32> %96, splat (i32 1065353216)
  %98 = bitcast <8 x i32> %97 to <8 x float>
  %99 = fmul <8 x float> %94, %98
  %100 = fadd <8 x float> %partial5.0, %99
  %101 = add nuw nsw i64 %i8, 8
  %102 = icmp samesign ult i64 %i8, 1008
  br i1 %102, label %loop6, label %done7

done7:                                            ; preds = %loop6
  store volatile i32 7, ptr %lanes11, align 4
  %103 = load volatile i32, ptr %lanes11, align 4
  %.splatinsert12 = insertelement <8 x i32> poison, i32 %103, i64 0
  %.splat13 = shufflevector <8 x i32> %.splatinsert12, <8 x i32> poison, <8 x i32> zeroinitializer
  %104 = icmp ugt <8 x i32> %.splat13, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %105 = add i64 %20, 1016
  %106 = getelementptr i16, ptr %x_0, i64 %105
  %107 = call <8 x i16> @llvm.masked.load.v8i16.p0(ptr align 2 %106, <8 x i1> %104, <8 x i16> zeroinitializer)
  %108 = zext <8 x i16> %107 to <8 x i32>
  %109 = shl nuw <8 x i32> %108, splat (i32 16)
  %110 = bitcast <8 x i32> %109 to <8 x float>
  %111 = fsub <8 x float> %110, %.splat10
  %112 = fcmp ogt <8 x float> %111, splat (float 8.875000e+01)
  %113 = select <8 x i1> %112, <8 x float> splat (float 8.875000e+01), <8 x float> %111
  %114 = fcmp olt <8 x float> %113, splat (float -1.040000e+02)
  %115 = select <8 x i1> %114, <8 x float> splat (float -1.040000e+02), <8 x float> %113
  %116 = call <8 x float> @llvm.fma.v8f32(<8 x float> %115, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %117 = fadd <8 x float> %116, splat (float 0xC168000000000000)
  %118 = call <8 x float> @llvm.fma.v8f32(<8 x float> %117, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %115)
  %119 = call <8 x float> @llvm.fma.v8f32(<8 x float> %117, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %118)
  %120 = call <8 x float> @llvm.fma.v8f32(<8 x float> %119, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %121 = call <8 x float> @llvm.fma.v8f32(<8 x float> %120, <8 x float> %119, <8 x float> splat (float 0x3F81112100000000))
  %122 = call <8 x float> @llvm.fma.v8f32(<8 x float> %121, <8 x float> %119, <8 x float> splat (float 0x3FA5553820000000))
  %123 = call <8 x float> @llvm.fma.v8f32(<8 x float> %122, <8 x float> %119, <8 x float> splat (float 0x3FC5555540000000))
  %124 = call <8 x float> @llvm.fma.v8f32(<8 x float> %123, <8 x float> %119, <8 x float> splat (float 5.000000e-01))
  %125 = fmul <8 x float> %119, %119
  %126 = fmul <8 x float> %125, %124
  %127 = fadd <8 x float> %126, %119
  %128 = fadd <8 x float> %127, splat (float 1.000000e+00)
  %129 = bitcast <8 x float> %116 to <8 x i32>
  %130 = add <8 x i32> %129, splat (i32 -1262485504)
  %131 = ashr <8 x i32> %130, splat (i32 1)
  %132 = shl <8 x i32> %131, splat (i32 23)
  %133 = add <8 x i32> %132, splat (i32 1065353216)
  %134 = bitcast <8 x i32> %133 to <8 x float>
  %135 = fmul <8 x float> %128, %134
  %136 = sub <8 x i32> %129, %131
  %137 = shl <8 x i32> %136, splat (i32 23)
  %138 = add <8 x i32> %137, splat (i32 1065353216)
  %139 = bitcast <8 x i32> %138 to <8 x float>
  %140 = fmul <8 x float> %135, %139
  %141 = fadd <8 x float> %100, %140
  %142 = bitcast <8 x i1> %104 to i8
  store volatile i8 %142, ptr %mask16, align 1
  %143 = load volatile i8, ptr %mask16, align 1
  %144 = bitcast i8 %143 to <8 x i1>
  %145 = select <8 x i1> %144, <8 x float> %141, <8 x float> %100
  %146 = shufflevector <8 x float> %145, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %147 = shufflevector <8 x float> %145, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %148 = fadd <4 x float> %147, %146
  %149 = shufflevector <4 x float> %148, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %150 = shufflevector <4 x float> %148, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %151 = fadd <2 x float> %150, %149
  %152 = shufflevector <2 x float> %151, <2 x float> poison, <1 x i32> <i32 1>
  %153 = shufflevector <2 x float> %151, <2 x float> poison, <1 x i32> zeroinitializer
  %154 = fadd <1 x float> %153, %152
  %155 = extractelement <1 x float> %154, i64 0
  %156 = fadd float %155, 0.000000e+00
  %157 = fdiv float 1.000000e+00, %156
  %.splatinsert22 = insertelement <8 x float> poison, float %157, i64 0
  %.splat23 = shufflevector <8 x float> %.splatinsert22, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop17

loop17:                                           ; preds = %done7, %loop17
  %i19 = phi i64 [ 0, %done7 ], [ %215, %loop17 ]
  %158 = add i64 %20, %i19
  %159 = getelementptr i16, ptr %x_0, i64 %158
  %160 = load <8 x i16>, ptr %159, align 2, !invariant.load !0
  %161 = zext <8 x i16> %160 to <8 x i32>
  %162 = shl nuw <8 x i32> %161, splat (i32 16)
  %163 = bitcast <8 x i32> %162 to <8 x float>
  %164 = fsub <8 x float> %163, %.splat10
  %165 = fcmp ogt <8 x float> %164, splat (float 8.875000e+01)
  %166 = select <8 x i1> %165, <8 x float> splat (float 8.875000e+01), <8 x float> %164
  %167 = fcmp olt <8 x float> %166, splat (float -1.040000e+02)
  %168 = select <8 x i1> %167, <8 x float> splat (float -1.040000e+02), <8 x float> %166
  %169 = call <8 x float> @llvm.fma.v8f32(<8 x float> %168, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %170 = fadd <8 x float> %169, splat (float 0xC168000000000000)
  %171 = call <8 x float> @llvm.fma.v8f32(<8 x float> %170, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %168)
  %172 = call <8 x float> @llvm.fma.v8f32(<8 x float> %170, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %171)
  %173 = call <8 x float> @llvm.fma.v8f32(<8 x float> %172, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %174 = call <8 x float> @llvm.fma.v8f32(<8 x float> %173, <8 x float> %172, <8 x float> splat (float 0x3F81112100000000))
  %175 = call <8 x float> @llvm.fma.v8f32(<8 x float> %174, <8 x float> %172, <8 x float> splat (float 0x3FA5553820000000))
  %176 = call <8 x float> @llvm.fma.v8f32(<8 x float> %175, <8 x float> %172, <8 x float> splat (float 0x3FC5555540000000))
  %177 = call <8 x float> @llvm.fma.v8f32(<8 x float> %176, <8 x float> %172, <8 x float> splat (float 5.000000e-01))
  %178 = fmul <8 x float> %172, %172
  %179 = fmul <8 x float> %178, %177
  %180 = fadd <8 x float> %179, %172
  %181 = fadd <8 x float> %180, splat (float 1.000000e+00)
  %182 = bitcast <8 x float> %169 to <8 x i32>
  %183 = add <8 x i32> %182, splat (i32 -1262485504)
  %184 = ashr <8 x i32> %183, splat (i32 1)
  %185 = shl <8 x i32> %184, splat (i32 23)
  %186 = add <8 x i32> %185, splat (i32 1065353216)
  %187 = bitcast <8 x i32> %186 to <8 x float>
  %188 = fmul <8 x float> %181, %187
  %189 = sub <8 x i32> %182, %184
  %190 = shl <8 x i32> %189, splat (i32 23)
  %191 = add <8 x i32> %190, splat (i32 1065353216)
  %192 = bitcast <8 x i32> %191 to <8 x float>
  %193 = fmul <8 x float> %188, %192
  %194 = fmul <8 x float> %193, %.splat23
  %195 = bitcast <8 x float> %194 to <8 x i32>
  %196 = lshr <8 x i32> %195, splat (i32 16)
  %197 = and <8 x i32> %196, splat (i32 1)
  %198 = add <8 x i32> %195, splat (i32 32767)
  %199 = add <8 x i32> %198, %197
  %200 = lshr <8 x i32> %199, splat (i32 16)
  %201 = or <8 x i32> %196, splat (i32 64)
  %202 = fcmp uno <8 x float> %194, zeroinitializer
  %203 = select <8 x i1> %202, <8 x i32> %201, <8 x i32> %200
  %204 = shl nuw <8 x i32> %203, splat (i32 16)
  %205 = bitcast <8 x i32> %204 to <8 x float>
  %206 = and <8 x i32> %203, splat (i32 1)
  %207 = or disjoint <8 x i32> %204, splat (i32 32767)
  %208 = add nuw nsw <8 x i32> %207, %206
  %209 = lshr <8 x i32> %208, splat (i32 16)
  %210 = or <8 x i32> %203, splat (i32 64)
  %211 = fcmp uno <8 x float> %205, zeroinitializer
  %212 = select <8 x i1> %211, <8 x i32> %210, <8 x i32> %209
  %213 = trunc nuw <8 x i32> %212 to <8 x i16>
  %214 = getelementptr i16, ptr %b9_2, i64 %158
  store <8 x i16> %213, ptr %214, align 2
  %215 = add nuw nsw i64 %i19, 8
  %216 = icmp samesign ult i64 %i19, 1008
  br i1 %216, label %loop17, label %done18

done18:                                           ; preds = %loop17
  store volatile i32 7, ptr %lanes24, align 4
  %217 = load volatile i32, ptr %lanes24, align 4
  %.splatinsert25 = insertelement <8 x i32> poison, i32 %217, i64 0
  %.splat26 = shufflevector <8 x i32> %.splatinsert25, <8 x i32> poison, <8 x i32> zeroinitializer
  %218 = icmp ugt <8 x i32> %.splat26, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %219 = call <8 x i16> @llvm.masked.load.v8i16.p0(ptr align 2 %106, <8 x i1> %218, <8 x i16> zeroinitializer)
  %220 = zext <8 x i16> %219 to <8 x i32>
  %221 = shl nuw <8 x i32> %220, splat (i32 16)
  %222 = bitcast <8 x i32> %221 to <8 x float>
  %223 = fsub <8 x float> %222, %.splat10
  %224 = fcmp ogt <8 x float> %223, splat (float 8.875000e+01)
  %225 = select <8 x i1> %224, <8 x float> splat (float 8.875000e+01), <8 x float> %223
  %226 = fcmp olt <8 x float> %225, splat (float -1.040000e+02)
  %227 = select <8 x i1> %226, <8 x float> splat (float -1.040000e+02), <8 x float> %225
  %228 = call <8 x float> @llvm.fma.v8f32(<8 x float> %227, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %229 = fadd <8 x float> %228, splat (float 0xC168000000000000)
  %230 = call <8 x float> @llvm.fma.v8f32(<8 x float> %229, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %227)
  %231 = call <8 x float> @llvm.fma.v8f32(<8 x float> %229, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %230)
  %232 = call <8 x float> @llvm.fma.v8f32(<8 x float> %231, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %233 = call <8 x float> @llvm.fma.v8f32(<8 x float> %232, <8 x float> %231, <8 x float> splat (float 0x3F81112100000000))
  %234 = call <8 x float> @llvm.fma.v8f32(<8 x float> %233, <8 x float> %231, <8 x float> splat (float 0x3FA5553820000000))
  %235 = call <8 x float> @llvm.fma.v8f32(<8 x float> %234, <8 x float> %231, <8 x float> splat (float 0x3FC5555540000000))
  %236 = call <8 x float> @llvm.fma.v8f32(<8 x float> %235, <8 x float> %231, <8 x float> splat (float 5.000000e-01))
  %237 = fmul <8 x float> %231, %231
  %238 = fmul <8 x float> %237, %236
  %239 = fadd <8 x float> %238, %231
  %240 = fadd <8 x float> %239, splat (float 1.000000e+00)
  %241 = bitcast <8 x float> %228 to <8 x i32>
  %242 = add <8 x i32> %241, splat (i32 -1262485504)
  %243 = ashr <8 x i32> %242, splat (i32 1)
  %244 = shl <8 x i32> %243, splat (i32 23)
  %245 = add <8 x i32> %244, splat (i32 1065353216)
  %246 = bitcast <8 x i32> %245 to <8 x float>
  %247 = fmul <8 x float> %240, %246
  %248 = sub <8 x i32> %241, %243
  %249 = shl <8 x i32> %248, splat (i32 23)
  %250 = add <8 x i32> %249, splat (i32 1065353216)
  %251 = bitcast <8 x i32> %250 to <8 x float>
  %252 = fmul <8 x float> %247, %251
  %253 = fmul <8 x float> %252, %.splat23
  %254 = bitcast <8 x float> %253 to <8 x i32>
  %255 = lshr <8 x i32> %254, splat (i32 16)
  %256 = and <8 x i32> %255, splat (i32 1)
  %257 = add <8 x i32> %254, splat (i32 32767)
  %258 = add <8 x i32> %257, %256
  %259 = lshr <8 x i32> %258, splat (i32 16)
  %260 = or <8 x i32> %255, splat (i32 64)
  %261 = fcmp uno <8 x float> %253, zeroinitializer
  %262 = select <8 x i1> %261, <8 x i32> %260, <8 x i32> %259
  %263 = shl nuw <8 x i32> %262, splat (i32 16)
  %264 = bitcast <8 x i32> %263 to <8 x float>
  %265 = and <8 x i32> %262, splat (i32 1)
  %266 = or disjoint <8 x i32> %263, splat (i32 32767)
  %267 = add nuw nsw <8 x i32> %266, %265
  %268 = lshr <8 x i32> %267, splat (i32 16)
  %269 = or <8 x i32> %262, splat (i32 64)
  %270 = fcmp uno <8 x float> %264, zeroinitializer
  %271 = select <8 x i1> %270, <8 x i32> %269, <8 x i32> %268
  %272 = trunc nuw <8 x i32> %271 to <8 x i16>
  %273 = getelementptr i16, ptr %b9_2, i64 %105
  call void @llvm.masked.store.v8i16.p0(<8 x i16> %272, ptr align 2 %273, <8 x i1> %218)
  %274 = add i64 %task.0, 1
  %275 = add nsw i64 %i, 1
  %276 = icmp slt i64 %275, %2
  br i1 %276, label %loop, label %done.loopexit
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <32 x i16> @llvm.masked.load.v32i16.p0(ptr captures(none), <32 x i1>, <32 x i16>) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <8 x i16> @llvm.masked.load.v8i16.p0(ptr captures(none), <8 x i1>, <8 x i16>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v8i16.p0(<8 x i16>, ptr captures(none), <8 x i1>) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #4 = { nounwind }

!0 = !{}
