; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @neg_adfeb0b8(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 3, i64 2048, ptr nonnull @neg_adfeb0b8.tasks0, ptr nonnull %context) #3
  ret void
}

; Function Attrs: nounwind
define internal void @neg_adfeb0b8.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b3_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %task.0 = phi i64 [ %13, %loop ], [ %1, %loop.preheader ]
  %i = phi i64 [ %14, %loop ], [ %1, %loop.preheader ]
  %6 = mul i64 %task.0, 36
  %7 = add i64 %6, 14
  %.splatinsert4 = insertelement <8 x i64> poison, i64 %7, i64 0
  %.splat5 = shufflevector <8 x i64> %.splatinsert4, <8 x i64> poison, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 poison, i32 poison, i32 poison, i32 poison>
  %8 = add <8 x i64> %.splat5, <i64 0, i64 2, i64 4, i64 6, i64 poison, i64 poison, i64 poison, i64 poison>
  %9 = getelementptr float, ptr %x_0, <8 x i64> %8
  %10 = call contract <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %9, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <8 x float> <float poison, float poison, float poison, float poison, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00>)
  %11 = fneg contract <8 x float> %10
  %.idx = shl i64 %task.0, 4
  %12 = getelementptr i8, ptr %b3_1, i64 %.idx
  call void @llvm.masked.store.v8f32.p0(<8 x float> %11, ptr align 4 %12, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>)
  %13 = add i64 %task.0, 1
  %14 = add nsw i64 %i, 1
  %15 = icmp slt i64 %14, %2
  br i1 %15, label %loop, label %done.loopexit

done.loopexit:                                    ; preds = %loop
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(read)
declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, <8 x i1>, <8 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr captures(none), <8 x i1>) #2

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(read) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #3 = { nounwind }

!0 = !{}
