; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @neg_247f20b7(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 3, i64 2048, ptr nonnull @neg_247f20b7.tasks0, ptr nonnull %context) #3
  ret void
}

; Function Attrs: nounwind
define internal void @neg_247f20b7.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %lanes = alloca i32, align 4
  %3 = load ptr, ptr %0, align 8
  %x_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b3_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %task.0 = phi i64 [ %15, %loop ], [ %1, %loop.preheader ]
  %i = phi i64 [ %16, %loop ], [ %1, %loop.preheader ]
  store volatile i32 4, ptr %lanes, align 4
  %6 = load volatile i32, ptr %lanes, align 4
  %.splatinsert4 = insertelement <8 x i32> poison, i32 %6, i64 0
  %.splat5 = shufflevector <8 x i32> %.splatinsert4, <8 x i32> poison, <8 x i32> zeroinitializer
  %7 = icmp ugt <8 x i32> %.splat5, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %8 = mul i64 %task.0, 36
  %9 = add i64 %8, 14
  %.splatinsert6 = insertelement <8 x i64> poison, i64 %9, i64 0
  %.splat7 = shufflevector <8 x i64> %.splatinsert6, <8 x i64> poison, <8 x i32> zeroinitializer
  %10 = add <8 x i64> %.splat7, <i64 0, i64 2, i64 4, i64 6, i64 8, i64 10, i64 12, i64 14>
  %11 = getelementptr float, ptr %x_0, <8 x i64> %10
  %12 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %11, <8 x i1> %7, <8 x float> zeroinitializer)
  %13 = fneg <8 x float> %12
  %.idx = shl i64 %task.0, 4
  %14 = getelementptr i8, ptr %b3_1, i64 %.idx
  call void @llvm.masked.store.v8f32.p0(<8 x float> %13, ptr align 4 %14, <8 x i1> %7)
  %15 = add i64 %task.0, 1
  %16 = add nsw i64 %i, 1
  %17 = icmp slt i64 %16, %2
  br i1 %17, label %loop, label %done.loopexit

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
