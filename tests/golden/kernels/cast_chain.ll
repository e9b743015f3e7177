; launched with input 0, input 1, output 0, output 1
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_cast_mul_e15ffe48(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %x_0 = load ptr, ptr %0, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %y_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %b3_2 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %b5_3 = load ptr, ptr %6, align 8, !invariant.load !0
  br label %loop

loop:                                             ; preds = %entry, %loop
  %i = phi i64 [ 0, %entry ], [ %41, %loop ]
  %7 = getelementptr i16, ptr %x_0, i64 %i
  %8 = load <16 x i16>, ptr %7, align 2, !invariant.load !0
  %9 = zext <16 x i16> %8 to <16 x i32>
  %10 = shl nuw <16 x i32> %9, splat (i32 16)
  %11 = bitcast <16 x i32> %10 to <16 x float>
  %12 = getelementptr i16, ptr %y_1, i64 %i
  %13 = load <16 x half>, ptr %12, align 2, !invariant.load !0
  %14 = fpext <16 x half> %13 to <16 x float>
  %15 = bitcast <16 x float> %14 to <16 x i32>
  %16 = lshr <16 x i32> %15, splat (i32 16)
  %17 = and <16 x i32> %16, splat (i32 1)
  %18 = add <16 x i32> %15, splat (i32 32767)
  %19 = add <16 x i32> %18, %17
  %20 = lshr <16 x i32> %19, splat (i32 16)
  %21 = or <16 x i32> %16, splat (i32 64)
  %22 = fcmp uno <16 x half> %13, zeroinitializer
  %23 = select <16 x i1> %22, <16 x i32> %21, <16 x i32> %20
  %24 = shl nuw <16 x i32> %23, splat (i32 16)
  %25 = bitcast <16 x i32> %24 to <16 x float>
  %26 = fmul contract <16 x float> %11, %25
  %27 = bitcast <16 x float> %26 to <16 x i32>
  %28 = lshr <16 x i32> %27, splat (i32 16)
  %29 = and <16 x i32> %28, splat (i32 1)
  %30 = add <16 x i32> %27, splat (i32 32767)
  %31 = add <16 x i32> %30, %29
  %32 = lshr <16 x i32> %31, splat (i32 16)
  %33 = or <16 x i32> %28, splat (i32 64)
  %34 = fcmp uno <16 x float> %26, zeroinitializer
  %35 = select <16 x i1> %34, <16 x i32> %33, <16 x i32> %32
  %36 = trunc nuw <16 x i32> %35 to <16 x i16>
  %37 = getelementptr i16, ptr %b3_2, i64 %i
  store <16 x i16> %36, ptr %37, align 2
  %38 = call <16 x i64> @llvm.fptosi.sat.v16i64.v16f32(<16 x float> %26)
  %39 = trunc <16 x i64> %38 to <16 x i32>
  %40 = getelementptr i32, ptr %b5_3, i64 %i
  store <16 x i32> %39, ptr %40, align 4
  %41 = add nuw nsw i64 %i, 16
  %42 = icmp eq i64 %i, 0
  br i1 %42, label %loop, label %done

done:                                             ; preds = %loop
  %43 = getelementptr i8, ptr %x_0, i64 64
  %44 = call <16 x i16> @llvm.masked.load.v16i16.p0(ptr align 2 %43, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x i16> <i16 poison, i16 poison, i16 poison, i16 poison, i16 poison, i16 poison, i16 poison, i16 poison, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0>)
  %45 = zext <16 x i16> %44 to <16 x i32>
  %46 = shl nuw <16 x i32> %45, splat (i32 16)
  %47 = bitcast <16 x i32> %46 to <16 x float>
  %48 = getelementptr i8, ptr %y_1, i64 64
  %49 = call <16 x i16> @llvm.masked.load.v16i16.p0(ptr align 2 %48, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x i16> <i16 poison, i16 poison, i16 poison, i16 poison, i16 poison, i16 poison, i16 poison, i16 poison, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0>)
  %50 = bitcast <16 x i16> %49 to <16 x half>
  %51 = fpext <16 x half> %50 to <16 x float>
  %52 = bitcast <16 x float> %51 to <16 x i32>
  %53 = lshr <16 x i32> %52, splat (i32 16)
  %54 = and <16 x i32> %53, splat (i32 1)
  %55 = add <16 x i32> %52, splat (i32 32767)
  %56 = add <16 x i32> %55, %54
  %57 = lshr <16 x i32> %56, splat (i32 16)
  %58 = or <16 x i32> %53, splat (i32 64)
  %59 = fcmp uno <16 x half> %50, zeroinitializer
  %60 = select <16 x i1> %59, <16 x i32> %58, <16 x i32> %57
  %61 = shl nuw <16 x i32> %60, splat (i32 16)
  %62 = bitcast <16 x i32> %61 to <16 x float>
  %63 = fmul contract <16 x float> %47, %62
  %64 = bitcast <16 x float> %63 to <16 x i32>
  %65 = lshr <16 x i32> %64, splat (i32 16)
  %66 = and <16 x i32> %65, splat (i32 1)
  %67 = add <16 x i32> %64, splat (i32 32767)
  %68 = add <16 x i32> %67, %66
  %69 = lshr <16 x i32> %68, splat (i32 16)
  %70 = or <16 x i32> %65, splat (i32 64)
  %71 = fcmp uno <16 x float> %63, zeroinitializer
  %72 = select <16 x i1> %71, <16 x i32> %70, <16 x i32> %69
  %73 = trunc nuw <16 x i32> %72 to <16 x i16>
  %74 = getelementptr i8, ptr %b3_2, i64 64
  call void @llvm.masked.store.v16i16.p0(<16 x i16> %73, ptr align 2 %74, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  %75 = call <16 x i64> @llvm.fptosi.sat.v16i64.v16f32(<16 x float> %63)
  %76 = trunc <16 x i64> %75 to <16 x i32>
  %77 = getelementptr i8, ptr %b5_3, i64 128
  call void @llvm.masked.store.v16i32.p0(<16 x i32> %76, ptr align 4 %77, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x i64> @llvm.fptosi.sat.v16i64.v16f32(<16 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x i16> @llvm.masked.load.v16i16.p0(ptr captures(none), <16 x i1>, <16 x i16>) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v16i16.p0(<16 x i16>, ptr captures(none), <16 x i1>) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v16i32.p0(<16 x i32>, ptr captures(none), <16 x i1>) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }

!0 = !{}
