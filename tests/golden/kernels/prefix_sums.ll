; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_cumsum_exp_4c1d8a10(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 6, i64 27, ptr nonnull @fused_cumsum_exp_4c1d8a10.tasks0, ptr nonnull %context) #2
  ret void
}

; Function Attrs: nounwind
define internal void @fused_cumsum_exp_4c1d8a10.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b2_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %done2
  %task.0 = phi i64 [ %45, %done2 ], [ %1, %loop.preheader ]
  %i = phi i64 [ %46, %done2 ], [ %1, %loop.preheader ]
  %6 = mul i64 %task.0, 300
  br label %loop1

done.loopexit:                                    ; preds = %done2
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop1:                                            ; preds = %loop, %loop1
  %var.0 = phi double [ 0.000000e+00, %loop ], [ %11, %loop1 ]
  %i3 = phi i64 [ 0, %loop ], [ %43, %loop1 ]
  %7 = add i64 %6, %i3
  %8 = getelementptr float, ptr %x_0, i64 %7
  %9 = load float, ptr %8, align 4, !invariant.load !0
  %10 = fpext float %9 to double
  %11 = fadd double %var.0, %10
  %12 = fptrunc double %11 to float
  %13 = fcmp ogt float %12, 8.875000e+01
  %14 = select i1 %13, float 8.875000e+01, float %12
  %15 = fcmp olt float %14, -1.040000e+02
  %16 = select i1 %15, float -1.040000e+02, float %14
  %17 = call float @llvm.fma.f32(float %16, float 0x3FF7154760000000, float 0x4168000000000000)
  %18 = fadd float %17, 0xC168000000000000
  %19 = call float @llvm.fma.f32(float %18, float 0xBFE6300000000000, float %16)
  %20 = call float @llvm.fma.f32(float %18, float 0x3F2BD01060000000, float %19)
  %21 = call float @llvm.fma.f32(float %20, float 0x3F2A0D2CE0000000, float 0x3F56E879C0000000)
  %22 = call float @llvm.fma.f32(float %21, float %20, float 0x3F81112100000000)
  %23 = call float @llvm.fma.f32(float %22, float %20, float 0x3FA5553820000000)
  %24 = call float @llvm.fma.f32(float %23, float %20, float 0x3FC5555540000000)
  %25 = call float @llvm.fma.f32(float %24, float %20, float 5.000000e-01)
  %26 = fmul float %20, %20
  %27 = fmul float %26, %25
  %28 = fadd float %27, %20
  %29 = fadd float %28, 1.000000e+00
  %30 = bitcast float %17 to i32
  %31 = add i32 %30, -1262485504
  %32 = ashr i32 %31, 1
  %33 = shl i32 %32, 23
  %34 = add i32 %33, 1065353216
  %35 = bitcast i32 %34 to float
  %36 = fmul float %29, %35
  %37 = sub i32 %30, %32
  %38 = shl i32 %37, 23
  %39 = add i32 %38, 1065353216
  %40 = bitcast i32 %39 to float
  %41 = fmul float %36, %40
  %42 = getelementptr float, ptr %b2_1, i64 %7
  store float %41, ptr %42, align 4
  %43 = add nuw nsw i64 %i3, 1
  %44 = icmp samesign ult i64 %i3, 299
  br i1 %44, label %loop1, label %done2

done2:                                            ; preds = %loop1
  %45 = add i64 %task.0, 1
  %46 = add nsw i64 %i, 1
  %47 = icmp slt i64 %46, %2
  br i1 %47, label %loop, label %done.loopexit
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fma.f32(float, float, float) #1

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }

!0 = !{}
