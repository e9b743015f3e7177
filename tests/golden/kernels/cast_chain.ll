; launched with input 0, input 1, output 0, output 1
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_cast_mul_3b50b488(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %lanes = alloca i32, align 4
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
  store volatile i32 8, ptr %lanes, align 4
  %46 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <16 x i32> poison, i32 %46, i64 0
  %.splat = shufflevector <16 x i32> %.splatinsert, <16 x i32> poison, <16 x i32> zeroinitializer
  %47 = icmp ugt <16 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %48 = getelementptr i8, ptr %x_0, i64 64
  %49 = call <16 x i16> @llvm.masked.load.v16i16.p0(ptr align 2 %48, <16 x i1> %47, <16 x i16> zeroinitializer)
  %50 = zext <16 x i16> %49 to <16 x i32>
  %51 = shl nuw <16 x i32> %50, splat (i32 16)
  %52 = bitcast <16 x i32> %51 to <16 x float>
  %53 = getelementptr i8, ptr %y_1, i64 64
  %54 = call <16 x i16> @llvm.masked.load.v16i16.p0(ptr align 2 %53, <16 x i1> %47, <16 x i16> zeroinitializer)
  %55 = bitcast <16 x i16> %54 to <16 x half>
  %56 = fpext <16 x half> %55 to <16 x float>
  %57 = bitcast <16 x float> %56 to <16 x i32>
  %58 = lshr <16 x i32> %57, splat (i32 16)
  %59 = and <16 x i32> %58, splat (i32 1)
  %60 = add <16 x i32> %57, splat (i32 32767)
  %61 = add <16 x i32> %60, %59
  %62 = lshr <16 x i32> %61, splat (i32 16)
  %63 = or <16 x i32> %58, splat (i32 64)
  %64 = fcmp uno <16 x half> %55, zeroinitializer
  %65 = select <16 x i1> %64, <16 x i32> %63, <16 x i32> %62
  %66 = shl nuw <16 x i32> %65, splat (i32 16)
  %67 = bitcast <16 x i32> %66 to <16 x float>
  %68 = fmul contract <16 x float> %52, %67
  %69 = bitcast <16 x float> %68 to <16 x i32>
  %70 = lshr <16 x i32> %69, splat (i32 16)
  %71 = and <16 x i32> %70, splat (i32 1)
  %72 = add <16 x i32> %69, splat (i32 32767)
  %73 = add <16 x i32> %72, %71
  %74 = lshr <16 x i32> %73, splat (i32 16)
  %75 = or <16 x i32> %70, splat (i32 64)
  %76 = fcmp uno <16 x float> %68, zeroinitializer
  %77 = select <16 x i1> %76, <16 x i32> %75, <16 x i32> %74
  %78 = trunc nuw <16 x i32> %77 to <16 x i16>
  %79 = getelementptr i8, ptr %b3_2, i64 64
  call void @llvm.masked.store.v16i16.p0(<16 x i16> %78, ptr align 2 %79, <16 x i1> %47)
  %80 = call contract <16 x float> @llvm.fabs.v16f32(<16 x float> %68)
  %81 = fcmp contract one <16 x float> %80, splat (float 0x7FF0000000000000)
  %82 = call <16 x i64> @llvm.fptosi.sat.v16i64.v16f32(<16 x float> %68)
  %83 = trunc <16 x i64> %82 to <16 x i32>
  %84 = select <16 x i1> %81, <16 x i32> %83, <16 x i32> zeroinitializer
  %85 = getelementptr i8, ptr %b5_3, i64 128
  call void @llvm.masked.store.v16i32.p0(<16 x i32> %84, ptr align 4 %85, <16 x i1> %47)
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
