; launched with input 0, input 1, output 0, output 1
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_cast_mul_0db3adeb(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
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
  %i = phi i64 [ 0, %entry ], [ %52, %loop ]
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
  %26 = fmul <16 x float> %11, %25
  %27 = bitcast <16 x float> %26 to <16 x i32>
  %28 = lshr <16 x i32> %27, splat (i32 16)
  %29 = and <16 x i32> %28, splat (i32 1)
  %30 = add <16 x i32> %27, splat (i32 32767)
  %31 = add <16 x i32> %30, %29
  %32 = lshr <16 x i32> %31, splat (i32 16)
  %33 = or <16 x i32> %28, splat (i32 64)
  %34 = fcmp uno <16 x float> %26, zeroinitializer
  %35 = select <16 x i1> %34, <16 x i32> %33, <16 x i32> %32
  %36 = shl nuw <16 x i32> %35, splat (i32 16)
  %37 = bitcast <16 x i32> %36 to <16 x float>
  %38 = and <16 x i32> %35, splat (i32 1)
  %39 = or disjoint <16 x i32> %36, splat (i32 32767)
  %40 = add nuw nsw <16 x i32> %39, %38
  %41 = lshr <16 x i32> %40, splat (i32 16)
  %42 = or <16 x i32> %35, splat (i32 64)
  %43 = fcmp uno <16 x float> %37, zeroinitializer
  %44 = select <16 x i1> %43, <16 x i32> %42, <16 x i32> %41
  %45 = trunc nuw <16 x i32> %44 to <16 x i16>
  %46 = getelementptr i16, ptr %b3_2, i64 %i
  store <16 x i16> %45, ptr %46, align 2
  %47 = call <16 x i64> @llvm.fptosi.sat.v16i64.v16f32(<16 x float> %37)
  %48 = call <16 x i64> @llvm.smax.v16i64(<16 x i64> %47, <16 x i64> splat (i64 -2147483648))
  %49 = call <16 x i64> @llvm.smin.v16i64(<16 x i64> %48, <16 x i64> splat (i64 2147483647))
  %50 = trunc nsw <16 x i64> %49 to <16 x i32>
  %51 = getelementptr i32, ptr %b5_3, i64 %i
  store <16 x i32> %50, ptr %51, align 4
  %52 = add nuw nsw i64 %i, 16
  %53 = icmp eq i64 %i, 0
  br i1 %53, label %loop, label %done

done:                                             ; preds = %loop
  store volatile i32 8, ptr %lanes, align 4
  %54 = load volatile i32, ptr %lanes, align 4
  %.splatinsert = insertelement <16 x i32> poison, i32 %54, i64 0
  %.splat = shufflevector <16 x i32> %.splatinsert, <16 x i32> poison, <16 x i32> zeroinitializer
  %55 = icmp ugt <16 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %56 = getelementptr i8, ptr %x_0, i64 64
  %57 = call <16 x i16> @llvm.masked.load.v16i16.p0(ptr align 2 %56, <16 x i1> %55, <16 x i16> zeroinitializer)
  %58 = zext <16 x i16> %57 to <16 x i32>
  %59 = shl nuw <16 x i32> %58, splat (i32 16)
  %60 = bitcast <16 x i32> %59 to <16 x float>
  %61 = getelementptr i8, ptr %y_1, i64 64
  %62 = call <16 x i16> @llvm.masked.load.v16i16.p0(ptr align 2 %61, <16 x i1> %55, <16 x i16> zeroinitializer)
  %63 = bitcast <16 x i16> %62 to <16 x half>
  %64 = fpext <16 x half> %63 to <16 x float>
  %65 = bitcast <16 x float> %64 to <16 x i32>
  %66 = lshr <16 x i32> %65, splat (i32 16)
  %67 = and <16 x i32> %66, splat (i32 1)
  %68 = add <16 x i32> %65, splat (i32 32767)
  %69 = add <16 x i32> %68, %67
  %70 = lshr <16 x i32> %69, splat (i32 16)
  %71 = or <16 x i32> %66, splat (i32 64)
  %72 = fcmp uno <16 x half> %63, zeroinitializer
  %73 = select <16 x i1> %72, <16 x i32> %71, <16 x i32> %70
  %74 = shl nuw <16 x i32> %73, splat (i32 16)
  %75 = bitcast <16 x i32> %74 to <16 x float>
  %76 = fmul <16 x float> %60, %75
  %77 = bitcast <16 x float> %76 to <16 x i32>
  %78 = lshr <16 x i32> %77, splat (i32 16)
  %79 = and <16 x i32> %78, splat (i32 1)
  %80 = add <16 x i32> %77, splat (i32 32767)
  %81 = add <16 x i32> %80, %79
  %82 = lshr <16 x i32> %81, splat (i32 16)
  %83 = or <16 x i32> %78, splat (i32 64)
  %84 = fcmp uno <16 x float> %76, zeroinitializer
  %85 = select <16 x i1> %84, <16 x i32> %83, <16 x i32> %82
  %86 = shl nuw <16 x i32> %85, splat (i32 16)
  %87 = bitcast <16 x i32> %86 to <16 x float>
  %88 = and <16 x i32> %85, splat (i32 1)
  %89 = or disjoint <16 x i32> %86, splat (i32 32767)
  %90 = add nuw nsw <16 x i32> %89, %88
  %91 = lshr <16 x i32> %90, splat (i32 16)
  %92 = or <16 x i32> %85, splat (i32 64)
  %93 = fcmp uno <16 x float> %87, zeroinitializer
  %94 = select <16 x i1> %93, <16 x i32> %92, <16 x i32> %91
  %95 = trunc nuw <16 x i32> %94 to <16 x i16>
  %96 = getelementptr i8, ptr %b3_2, i64 64
  call void @llvm.masked.store.v16i16.p0(<16 x i16> %95, ptr align 2 %96, <16 x i1> %55)
  %97 = call <16 x i64> @llvm.fptosi.sat.v16i64.v16f32(<16 x float> %87)
  %98 = call <16 x i64> @llvm.smax.v16i64(<16 x i64> %97, <16 x i64> splat (i64 -2147483648))
  %99 = call <16 x i64> @llvm.smin.v16i64(<16 x i64> %98, <16 x i64> splat (i64 2147483647))
  %100 = trunc nsw <16 x i64> %99 to <16 x i32>
  %101 = getelementptr i8, ptr %b5_3, i64 128
  call void @llvm.masked.store.v16i32.p0(<16 x i32> %100, ptr align 4 %101, <16 x i1> %55)
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

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x i64> @llvm.smax.v16i64(<16 x i64>, <16 x i64>) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x i64> @llvm.smin.v16i64(<16 x i64>, <16 x i64>) #1

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }

!0 = !{}
