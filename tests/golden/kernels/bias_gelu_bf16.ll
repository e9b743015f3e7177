; launched with input 0, input 1, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_add_gelu_d2e788cb(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 48, i64 10, ptr nonnull @fused_add_gelu_d2e788cb.tasks0, ptr nonnull %context) #2
  ret void
}

; Function Attrs: nounwind
define internal void @fused_add_gelu_d2e788cb.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %bias_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %b3_2 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = icmp slt i64 %1, %2
  br i1 %6, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %done2
  %task.0 = phi i64 [ %90, %done2 ], [ %1, %loop.preheader ]
  %i = phi i64 [ %91, %done2 ], [ %1, %loop.preheader ]
  %7 = mul i64 %task.0, 768
  br label %loop1

done.loopexit:                                    ; preds = %done2
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop1:                                            ; preds = %loop, %loop1
  %i3 = phi i64 [ 0, %loop ], [ %88, %loop1 ]
  %8 = add i64 %7, %i3
  %9 = getelementptr i16, ptr %x_0, i64 %8
  %10 = load <8 x i16>, ptr %9, align 2, !invariant.load !0
  %11 = zext <8 x i16> %10 to <8 x i32>
  %12 = shl nuw <8 x i32> %11, splat (i32 16)
  %13 = bitcast <8 x i32> %12 to <8 x float>
  %14 = getelementptr i16, ptr %bias_1, i64 %i3
  %15 = load <8 x i16>, ptr %14, align 2, !invariant.load !0
  %16 = zext <8 x i16> %15 to <8 x i32>
  %17 = shl nuw <8 x i32> %16, splat (i32 16)
  %18 = bitcast <8 x i32> %17 to <8 x float>
  %19 = fadd <8 x float> %13, %18
  %20 = fmul <8 x float> %19, splat (float 5.000000e-01)
  %21 = fdiv <8 x float> %19, splat (float 0x3FF6A09E60000000)
  %22 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %21)
  %23 = fmul <8 x float> %21, %21
  %24 = call <8 x float> @llvm.fma.v8f32(<8 x float> %23, <8 x float> splat (float 0xBF438E0000000000), <8 x float> splat (float 0x3F7471A580000000))
  %25 = call <8 x float> @llvm.fma.v8f32(<8 x float> %24, <8 x float> %23, <8 x float> splat (float 0xBF9B691B20000000))
  %26 = call <8 x float> @llvm.fma.v8f32(<8 x float> %25, <8 x float> %23, <8 x float> splat (float 0x3FBCE1C440000000))
  %27 = call <8 x float> @llvm.fma.v8f32(<8 x float> %26, <8 x float> %23, <8 x float> splat (float 0xBFD8127000000000))
  %28 = call <8 x float> @llvm.fma.v8f32(<8 x float> %27, <8 x float> %23, <8 x float> splat (float 0x3FC06EBA80000000))
  %29 = call <8 x float> @llvm.fma.v8f32(<8 x float> %28, <8 x float> %21, <8 x float> %21)
  %30 = fcmp oeq <8 x float> %21, zeroinitializer
  %31 = select <8 x i1> %30, <8 x float> %21, <8 x float> %29
  %32 = fcmp ogt <8 x float> %22, splat (float 4.000000e+00)
  %33 = select <8 x i1> %32, <8 x float> splat (float 4.000000e+00), <8 x float> %22
  %34 = fneg <8 x float> %33
  %35 = call <8 x float> @llvm.fma.v8f32(<8 x float> %33, <8 x float> splat (float 0xBEF2200000000000), <8 x float> splat (float 0x3F391CFB20000000))
  %36 = call <8 x float> @llvm.fma.v8f32(<8 x float> %35, <8 x float> %33, <8 x float> splat (float 0xBF6FD14380000000))
  %37 = call <8 x float> @llvm.fma.v8f32(<8 x float> %36, <8 x float> %33, <8 x float> splat (float 0x3F98D63420000000))
  %38 = call <8 x float> @llvm.fma.v8f32(<8 x float> %37, <8 x float> %33, <8 x float> splat (float 0xBFBB55CB80000000))
  %39 = call <8 x float> @llvm.fma.v8f32(<8 x float> %38, <8 x float> %33, <8 x float> splat (float 0xBFE450AA00000000))
  %40 = call <8 x float> @llvm.fma.v8f32(<8 x float> %39, <8 x float> %33, <8 x float> splat (float 0xBFC079D0C0000000))
  %41 = call <8 x float> @llvm.fma.v8f32(<8 x float> %40, <8 x float> %33, <8 x float> %34)
  %42 = fcmp ogt <8 x float> %41, splat (float 8.875000e+01)
  %43 = select <8 x i1> %42, <8 x float> splat (float 8.875000e+01), <8 x float> %41
  %44 = fcmp olt <8 x float> %43, splat (float -1.040000e+02)
  %45 = select <8 x i1> %44, <8 x float> splat (float -1.040000e+02), <8 x float> %43
  %46 = call <8 x float> @llvm.fma.v8f32(<8 x float> %45, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %47 = fadd <8 x float> %46, splat (float 0xC168000000000000)
  %48 = call <8 x float> @llvm.fma.v8f32(<8 x float> %47, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %45)
  %49 = call <8 x float> @llvm.fma.v8f32(<8 x float> %47, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %48)
  %50 = call <8 x float> @llvm.fma.v8f32(<8 x float> %49, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %51 = call <8 x float> @llvm.fma.v8f32(<8 x float> %50, <8 x float> %49, <8 x float> splat (float 0x3F81112100000000))
  %52 = call <8 x float> @llvm.fma.v8f32(<8 x float> %51, <8 x float> %49, <8 x float> splat (float 0x3FA5553820000000))
  %53 = call <8 x float> @llvm.fma.v8f32(<8 x float> %52, <8 x float> %49, <8 x float> splat (float 0x3FC5555540000000))
  %54 = call <8 x float> @llvm.fma.v8f32(<8 x float> %53, <8 x float> %49, <8 x float> splat (float 5.000000e-01))
  %55 = fmul <8 x float> %49, %49
  %56 = fmul <8 x float> %55, %54
  %57 = fadd <8 x float> %56, %49
  %58 = fadd <8 x float> %57, splat (float 1.000000e+00)
  %59 = bitcast <8 x float> %46 to <8 x i32>
  %60 = add <8 x i32> %59, splat (i32 -1262485504)
  %61 = ashr <8 x i32> %60, splat (i32 1)
  %62 = shl <8 x i32> %61, splat (i32 23)
  %63 = add <8 x i32> %62, splat (i32 1065353216)
  %64 = bitcast <8 x i32> %63 to <8 x float>
  %65 = fmul <8 x float> %58, %64
  %66 = sub <8 x i32> %59, %61
  %67 = shl <8 x i32> %66, splat (i32 23)
  %68 = add <8 x i32> %67, splat (i32 1065353216)
  %69 = bitcast <8 x i32> %68 to <8 x float>
  %70 = fmul <8 x float> %65, %69
  %71 = fsub <8 x float> splat (float 1.000000e+00), %70
  %72 = call <8 x float> @llvm.copysign.v8f32(<8 x float> %71, <8 x float> %21)
  %73 = fcmp ole <8 x float> %22, splat (float 0x3FEDB00000000000)
  %74 = select <8 x i1> %73, <8 x float> %31, <8 x float> %72
  %75 = fadd <8 x float> %74, splat (float 1.000000e+00)
  %76 = fmul <8 x float> %20, %75
  %77 = bitcast <8 x float> %76 to <8 x i32>
  %78 = lshr <8 x i32> %77, splat (i32 16)
  %79 = and <8 x i32> %78, splat (i32 1)
  %80 = add <8 x i32> %77, splat (i32 32767)
  %81 = add <8 x i32> %80, %79
  %82 = lshr <8 x i32> %81, splat (i32 16)
  %83 = or <8 x i32> %78, splat (i32 64)
  %84 = fcmp uno <8 x float> %76, zeroinitializer
  %85 = select <8 x i1> %84, <8 x i32> %83, <8 x i32> %82
  %86 = trunc nuw <8 x i32> %85 to <8 x i16>
  %87 = getelementptr i16, ptr %b3_2, i64 %8
  store <8 x i16> %86, ptr %87, align 2
  %88 = add nuw nsw i64 %i3, 8
  %89 = icmp samesign ult i64 %i3, 760
  br i1 %89, label %loop1, label %done2

done2:                                            ; preds = %loop1
  %90 = add i64 %task.0, 1
  %91 = add nsw i64 %i, 1
  %92 = icmp slt i64 %91, %2
  br i1 %92, label %loop, label %done.loopexit
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x float> @llvm.fabs.v8f32(<8 x float>) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x float> @llvm.copysign.v8f32(<8 x float>, <8 x float>) #1

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }

!0 = !{}
