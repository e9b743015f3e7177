; launched with input 0, input 1, output 0, output 1
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_cast_mul_3b50b488(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
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
  %i = phi i64 [ 0, %entry ], [ %44, %loop ]
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
  %38 = call contract <16 x float> @llvm.fabs.v16f32(<16 x float> %26)
  %39 = fcmp contract one <16 x float> %38, splat (float 0x7FF0000000000000)
  %40 = call <16 x i64> @llvm.fptosi.sat.v16i64.v16f32(<16 x float> %26)
  %41 = trunc <16 x i64> %40 to <16 x i32>
  %42 = select <16 x i1> %39, <16 x i32> %41, <16 x i32> zeroinitializer
  %43 = getelementptr i32, ptr %b5_3, i64 %i
  store <16 x i32> %42, ptr %43, align 4
  %44 = add nuw nsw i64 %i, 16
  %45 = icmp eq i64 %i, 0
  br i1 %45, label %loop, label %done

done:                                             ; preds = %loop
  %46 = getelementptr i8, ptr %x_0, i64 64
  %47 = call <16 x i16> @llvm.masked.load.v16i16.p0(ptr align 2 %46, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x i16> <i16 poison, i16 poison, i16 poison, i16 poison, i16 poison, i16 poison, i16 poison, i16 poison, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0>)
  %48 = zext <16 x i16> %47 to <16 x i32>
  %49 = shl nuw <16 x i32> %48, splat (i32 16)
  %50 = bitcast <16 x i32> %49 to <16 x float>
  %51 = getelementptr i8, ptr %y_1, i64 64
  %52 = call <16 x i16> @llvm.masked.load.v16i16.p0(ptr align 2 %51, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x i16> <i16 poison, i16 poison, i16 poison, i16 poison, i16 poison, i16 poison, i16 poison, i16 poison, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0>)
  %53 = bitcast <16 x i16> %52 to <16 x half>
  %54 = fpext <16 x half> %53 to <16 x float>
  %55 = bitcast <16 x float> %54 to <16 x i32>
  %56 = lshr <16 x i32> %55, splat (i32 16)
  %57 = and <16 x i32> %56, splat (i32 1)
  %58 = add <16 x i32> %55, splat (i32 32767)
  %59 = add <16 x i32> %58, %57
  %60 = lshr <16 x i32> %59, splat (i32 16)
  %61 = or <16 x i32> %56, splat (i32 64)
  %62 = fcmp uno <16 x half> %53, zeroinitializer
  %63 = select <16 x i1> %62, <16 x i32> %61, <16 x i32> %60
  %64 = shl nuw <16 x i32> %63, splat (i32 16)
  %65 = bitcast <16 x i32> %64 to <16 x float>
  %66 = fmul contract <16 x float> %50, %65
  %67 = bitcast <16 x float> %66 to <16 x i32>
  %68 = lshr <16 x i32> %67, splat (i32 16)
  %69 = and <16 x i32> %68, splat (i32 1)
  %70 = add <16 x i32> %67, splat (i32 32767)
  %71 = add <16 x i32> %70, %69
  %72 = lshr <16 x i32> %71, splat (i32 16)
  %73 = or <16 x i32> %68, splat (i32 64)
  %74 = fcmp uno <16 x float> %66, zeroinitializer
  %75 = select <16 x i1> %74, <16 x i32> %73, <16 x i32> %72
  %76 = trunc nuw <16 x i32> %75 to <16 x i16>
  %77 = getelementptr i8, ptr %b3_2, i64 64
  call void @llvm.masked.store.v16i16.p0(<16 x i16> %76, ptr align 2 %77, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  %78 = call contract <16 x float> @llvm.fabs.v16f32(<16 x float> %66)
  %79 = fcmp contract one <16 x float> %78, splat (float 0x7FF0000000000000)
  %80 = call <16 x i64> @llvm.fptosi.sat.v16i64.v16f32(<16 x float> %66)
  %81 = trunc <16 x i64> %80 to <16 x i32>
  %82 = select <16 x i1> %79, <16 x i32> %81, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %83 = getelementptr i8, ptr %b5_3, i64 128
  call void @llvm.masked.store.v16i32.p0(<16 x i32> %82, ptr align 4 %83, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x float> @llvm.fabs.v16f32(<16 x float>) #1

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
