; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @random_bits_7d3ae5b0(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 4, i64 1024, ptr nonnull @random_bits_7d3ae5b0.tasks0, ptr nonnull %context) #1
  ret void
}

; Function Attrs: nounwind
define internal void @random_bits_7d3ae5b0.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %3 = load ptr, ptr %0, align 8
  %state_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %b1_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  %6 = load i64, ptr %state_0, align 8, !invariant.load !0
  %7 = getelementptr i8, ptr %state_0, i64 8
  %8 = load i64, ptr %7, align 8, !invariant.load !0
  %9 = getelementptr i8, ptr %state_0, i64 16
  %10 = load i64, ptr %9, align 8, !invariant.load !0
  %11 = and i64 %10, 4294967295
  %12 = lshr i64 %10, 32
  %13 = and i64 %6, 4294967295
  %14 = and i64 %8, 4294967295
  %15 = lshr i64 %6, 32
  %16 = xor i64 %15, %14
  %17 = mul nuw i64 %11, 3449720151
  %18 = lshr i64 %17, 32
  %.splatinsert6 = insertelement <8 x i64> poison, i64 %18, i64 0
  %.splatinsert8 = insertelement <8 x i64> poison, i64 %13, i64 0
  %invariant.op = xor <8 x i64> %.splatinsert8, %.splatinsert6
  %19 = and i64 %17, 4294967295
  %.splatinsert10 = insertelement <8 x i64> poison, i64 %12, i64 0
  %.splatinsert12 = insertelement <8 x i64> poison, i64 %16, i64 0
  %20 = xor <8 x i64> %.splatinsert12, %.splatinsert10
  %21 = shufflevector <8 x i64> %20, <8 x i64> poison, <8 x i32> zeroinitializer
  %22 = add i64 %6, 2654435769
  %23 = and i64 %22, 4294967295
  %24 = add nuw nsw i64 %16, 3144134277
  %25 = and i64 %24, 4294967295
  %.splatinsert14 = insertelement <8 x i64> poison, i64 %19, i64 0
  %.splatinsert16 = insertelement <8 x i64> poison, i64 %23, i64 0
  %26 = xor <8 x i64> %.splatinsert16, %.splatinsert14
  %27 = shufflevector <8 x i64> %26, <8 x i64> poison, <8 x i32> zeroinitializer
  %.splatinsert18 = insertelement <8 x i64> poison, i64 %25, i64 0
  %28 = add i64 %6, 1013904242
  %29 = and i64 %28, 4294967295
  %30 = add nuw nsw i64 %16, 1993301258
  %31 = and i64 %30, 4294967295
  %.splatinsert20 = insertelement <8 x i64> poison, i64 %29, i64 0
  %.splat21 = shufflevector <8 x i64> %.splatinsert20, <8 x i64> poison, <8 x i32> zeroinitializer
  %.splatinsert22 = insertelement <8 x i64> poison, i64 %31, i64 0
  %32 = add i64 %6, 3668340011
  %33 = and i64 %32, 4294967295
  %34 = add nuw nsw i64 %16, 842468239
  %35 = and i64 %34, 4294967295
  %.splatinsert24 = insertelement <8 x i64> poison, i64 %33, i64 0
  %.splat25 = shufflevector <8 x i64> %.splatinsert24, <8 x i64> poison, <8 x i32> zeroinitializer
  %.splatinsert26 = insertelement <8 x i64> poison, i64 %35, i64 0
  %.splat27 = shufflevector <8 x i64> %.splatinsert26, <8 x i64> poison, <8 x i32> zeroinitializer
  %36 = add i64 %6, 2027808484
  %37 = and i64 %36, 4294967295
  %38 = add nuw nsw i64 %16, 3986602516
  %39 = and i64 %38, 4294967295
  %.splatinsert28 = insertelement <8 x i64> poison, i64 %37, i64 0
  %.splat29 = shufflevector <8 x i64> %.splatinsert28, <8 x i64> poison, <8 x i32> zeroinitializer
  %.splatinsert30 = insertelement <8 x i64> poison, i64 %39, i64 0
  %.splat31 = shufflevector <8 x i64> %.splatinsert30, <8 x i64> poison, <8 x i32> zeroinitializer
  %40 = add i64 %6, 387276957
  %41 = and i64 %40, 4294967295
  %42 = add nuw nsw i64 %16, 2835769497
  %43 = and i64 %42, 4294967295
  %.splatinsert32 = insertelement <8 x i64> poison, i64 %41, i64 0
  %.splat33 = shufflevector <8 x i64> %.splatinsert32, <8 x i64> poison, <8 x i32> zeroinitializer
  %.splatinsert34 = insertelement <8 x i64> poison, i64 %43, i64 0
  %.splat35 = shufflevector <8 x i64> %.splatinsert34, <8 x i64> poison, <8 x i32> zeroinitializer
  %44 = add i64 %6, 3041712726
  %45 = and i64 %44, 4294967295
  %46 = add nuw nsw i64 %16, 1684936478
  %47 = and i64 %46, 4294967295
  %.splatinsert36 = insertelement <8 x i64> poison, i64 %45, i64 0
  %.splat37 = shufflevector <8 x i64> %.splatinsert36, <8 x i64> poison, <8 x i32> zeroinitializer
  %.splatinsert38 = insertelement <8 x i64> poison, i64 %47, i64 0
  %.splat39 = shufflevector <8 x i64> %.splatinsert38, <8 x i64> poison, <8 x i32> zeroinitializer
  %48 = add i64 %6, 1401181199
  %49 = and i64 %48, 4294967295
  %50 = add nuw nsw i64 %16, 534103459
  %51 = and i64 %50, 4294967295
  %.splatinsert40 = insertelement <8 x i64> poison, i64 %49, i64 0
  %.splat41 = shufflevector <8 x i64> %.splatinsert40, <8 x i64> poison, <8 x i32> zeroinitializer
  %.splatinsert42 = insertelement <8 x i64> poison, i64 %51, i64 0
  %.splat43 = shufflevector <8 x i64> %.splatinsert42, <8 x i64> poison, <8 x i32> zeroinitializer
  %52 = add nuw nsw i64 %16, 3678237736
  %53 = and i64 %52, 4294967295
  %.splatinsert46 = insertelement <8 x i64> poison, i64 %53, i64 0
  %.splat47 = shufflevector <8 x i64> %.splatinsert46, <8 x i64> poison, <8 x i32> zeroinitializer
  %54 = add i64 %6, 2415085441
  %55 = and i64 %54, 4294967295
  %.splatinsert48 = insertelement <8 x i64> poison, i64 %55, i64 0
  %.splat49 = shufflevector <8 x i64> %.splatinsert48, <8 x i64> poison, <8 x i32> zeroinitializer
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %task.0 = phi i64 [ %145, %loop ], [ %1, %loop.preheader ]
  %i = phi i64 [ %146, %loop ], [ %1, %loop.preheader ]
  %56 = shl i64 %task.0, 3
  %.splatinsert4 = insertelement <8 x i64> poison, i64 %56, i64 0
  %.splat5 = shufflevector <8 x i64> %.splatinsert4, <8 x i64> poison, <8 x i32> zeroinitializer
  %57 = or disjoint <8 x i64> %.splat5, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %58 = and <8 x i64> %57, splat (i64 4294967295)
  %59 = lshr <8 x i64> %.splat5, splat (i64 32)
  %60 = mul nuw <8 x i64> %58, splat (i64 3528531795)
  %.reass = xor <8 x i64> %59, %invariant.op
  %61 = lshr <8 x i64> %60, splat (i64 32)
  %62 = xor <8 x i64> %21, %61
  %63 = and <8 x i64> %60, splat (i64 4294967295)
  %64 = mul <8 x i64> %.reass, <i64 3528531795, i64 poison, i64 poison, i64 poison, i64 poison, i64 poison, i64 poison, i64 poison>
  %65 = shufflevector <8 x i64> %64, <8 x i64> poison, <8 x i32> zeroinitializer
  %66 = mul nuw <8 x i64> %62, splat (i64 3449720151)
  %67 = lshr <8 x i64> %66, splat (i64 32)
  %68 = xor <8 x i64> %27, %67
  %69 = and <8 x i64> %66, splat (i64 4294967295)
  %70 = lshr <8 x i64> %65, splat (i64 32)
  %71 = xor <8 x i64> %.splatinsert18, %70
  %72 = shufflevector <8 x i64> %71, <8 x i64> poison, <8 x i32> zeroinitializer
  %73 = xor <8 x i64> %72, %63
  %74 = and <8 x i64> %65, <i64 4294967295, i64 poison, i64 poison, i64 poison, i64 poison, i64 poison, i64 poison, i64 poison>
  %75 = mul nuw <8 x i64> %68, splat (i64 3528531795)
  %76 = mul nuw <8 x i64> %73, splat (i64 3449720151)
  %77 = lshr <8 x i64> %76, splat (i64 32)
  %78 = xor <8 x i64> %77, %69
  %79 = xor <8 x i64> %78, %.splat21
  %80 = and <8 x i64> %76, splat (i64 4294967295)
  %81 = lshr <8 x i64> %75, splat (i64 32)
  %82 = xor <8 x i64> %.splatinsert22, %74
  %83 = shufflevector <8 x i64> %82, <8 x i64> poison, <8 x i32> zeroinitializer
  %84 = xor <8 x i64> %83, %81
  %85 = and <8 x i64> %75, splat (i64 4294967295)
  %86 = mul nuw <8 x i64> %79, splat (i64 3528531795)
  %87 = mul nuw <8 x i64> %84, splat (i64 3449720151)
  %88 = lshr <8 x i64> %87, splat (i64 32)
  %89 = xor <8 x i64> %88, %80
  %90 = xor <8 x i64> %89, %.splat25
  %91 = and <8 x i64> %87, splat (i64 4294967295)
  %92 = lshr <8 x i64> %86, splat (i64 32)
  %93 = xor <8 x i64> %92, %85
  %94 = xor <8 x i64> %93, %.splat27
  %95 = and <8 x i64> %86, splat (i64 4294967295)
  %96 = mul nuw <8 x i64> %90, splat (i64 3528531795)
  %97 = mul nuw <8 x i64> %94, splat (i64 3449720151)
  %98 = lshr <8 x i64> %97, splat (i64 32)
  %99 = xor <8 x i64> %98, %91
  %100 = xor <8 x i64> %99, %.splat29
  %101 = and <8 x i64> %97, splat (i64 4294967295)
  %102 = lshr <8 x i64> %96, splat (i64 32)
  %103 = xor <8 x i64> %102, %95
  %104 = xor <8 x i64> %103, %.splat31
  %105 = and <8 x i64> %96, splat (i64 4294967295)
  %106 = mul nuw <8 x i64> %100, splat (i64 3528531795)
  %107 = mul nuw <8 x i64> %104, splat (i64 3449720151)
  %108 = lshr <8 x i64> %107, splat (i64 32)
  %109 = xor <8 x i64> %108, %101
  %110 = xor <8 x i64> %109, %.splat33
  %111 = and <8 x i64> %107, splat (i64 4294967295)
  %112 = lshr <8 x i64> %106, splat (i64 32)
  %113 = xor <8 x i64> %112, %105
  %114 = xor <8 x i64> %113, %.splat35
  %115 = and <8 x i64> %106, splat (i64 4294967295)
  %116 = mul nuw <8 x i64> %110, splat (i64 3528531795)
  %117 = mul nuw <8 x i64> %114, splat (i64 3449720151)
  %118 = lshr <8 x i64> %117, splat (i64 32)
  %119 = xor <8 x i64> %118, %111
  %120 = xor <8 x i64> %119, %.splat37
  %121 = and <8 x i64> %117, splat (i64 4294967295)
  %122 = lshr <8 x i64> %116, splat (i64 32)
  %123 = xor <8 x i64> %122, %115
  %124 = xor <8 x i64> %123, %.splat39
  %125 = mul nuw <8 x i64> %120, splat (i64 3528531795)
  %126 = mul nuw <8 x i64> %124, splat (i64 3449720151)
  %127 = lshr <8 x i64> %126, splat (i64 32)
  %128 = xor <8 x i64> %127, %121
  %129 = xor <8 x i64> %128, %.splat41
  %130 = lshr <8 x i64> %125, splat (i64 32)
  %131 = xor <8 x i64> %130, %.splat43
  %132 = xor <8 x i64> %131, %116
  %133 = and <8 x i64> %125, splat (i64 4294967295)
  %134 = mul nuw <8 x i64> %129, splat (i64 3528531795)
  %135 = mul <8 x i64> %132, splat (i64 3449720151)
  %136 = and <8 x i64> %135, splat (i64 4294967295)
  %137 = lshr <8 x i64> %134, splat (i64 32)
  %138 = xor <8 x i64> %137, %133
  %139 = xor <8 x i64> %138, %.splat47
  %140 = mul nuw <8 x i64> %139, splat (i64 3449720151)
  %141 = lshr <8 x i64> %140, splat (i64 32)
  %142 = xor <8 x i64> %141, %136
  %143 = xor <8 x i64> %142, %.splat49
  %144 = getelementptr i64, ptr %b1_1, i64 %56
  store <8 x i64> %143, ptr %144, align 8
  %145 = add i64 %task.0, 1
  %146 = add nsw i64 %i, 1
  %147 = icmp slt i64 %146, %2
  br i1 %147, label %loop, label %done.loopexit

done.loopexit:                                    ; preds = %loop
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void
}

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nounwind }

!0 = !{}
