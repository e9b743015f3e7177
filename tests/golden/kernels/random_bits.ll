; launched with input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @random_bits_35c4d2f8(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 4, i64 1024, ptr nonnull @random_bits_35c4d2f8.tasks0, ptr nonnull %context) #1
  ret void
}

; Function Attrs: nounwind
define internal void @random_bits_35c4d2f8.tasks0(ptr %0, i64 %1, i64 %2) #0 {
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
  %52 = add i64 %6, 4055616968
  %53 = and i64 %52, 4294967295
  %54 = add nuw nsw i64 %16, 3678237736
  %55 = and i64 %54, 4294967295
  %.splatinsert44 = insertelement <8 x i64> poison, i64 %53, i64 0
  %.splat45 = shufflevector <8 x i64> %.splatinsert44, <8 x i64> poison, <8 x i32> zeroinitializer
  %.splatinsert46 = insertelement <8 x i64> poison, i64 %55, i64 0
  %.splat47 = shufflevector <8 x i64> %.splatinsert46, <8 x i64> poison, <8 x i32> zeroinitializer
  %56 = add i64 %6, 2415085441
  %57 = and i64 %56, 4294967295
  %58 = add nuw nsw i64 %16, 2527404717
  %59 = and i64 %58, 4294967295
  %.splatinsert48 = insertelement <8 x i64> poison, i64 %57, i64 0
  %.splat49 = shufflevector <8 x i64> %.splatinsert48, <8 x i64> poison, <8 x i32> <i32 0, i32 poison, i32 poison, i32 poison, i32 0, i32 poison, i32 poison, i32 poison>
  %.splatinsert50 = insertelement <8 x i64> poison, i64 %59, i64 0
  %.splat51 = shufflevector <8 x i64> %.splatinsert50, <8 x i64> poison, <8 x i32> <i32 poison, i32 poison, i32 0, i32 poison, i32 poison, i32 poison, i32 0, i32 poison>
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %task.0 = phi i64 [ %164, %loop ], [ %1, %loop.preheader ]
  %i = phi i64 [ %165, %loop ], [ %1, %loop.preheader ]
  %60 = shl i64 %task.0, 1
  %.splatinsert4 = insertelement <8 x i64> poison, i64 %60, i64 0
  %.splat5 = shufflevector <8 x i64> %.splatinsert4, <8 x i64> poison, <8 x i32> zeroinitializer
  %61 = or disjoint <8 x i64> %.splat5, <i64 0, i64 0, i64 0, i64 0, i64 1, i64 1, i64 1, i64 1>
  %62 = and <8 x i64> %61, splat (i64 4294967295)
  %63 = lshr <8 x i64> %.splat5, splat (i64 32)
  %64 = mul nuw <8 x i64> %62, splat (i64 3528531795)
  %.reass = xor <8 x i64> %63, %invariant.op
  %65 = lshr <8 x i64> %64, splat (i64 32)
  %66 = xor <8 x i64> %21, %65
  %67 = and <8 x i64> %64, splat (i64 4294967295)
  %68 = mul <8 x i64> %.reass, <i64 3528531795, i64 poison, i64 poison, i64 poison, i64 poison, i64 poison, i64 poison, i64 poison>
  %69 = shufflevector <8 x i64> %68, <8 x i64> poison, <8 x i32> zeroinitializer
  %70 = mul nuw <8 x i64> %66, splat (i64 3449720151)
  %71 = lshr <8 x i64> %70, splat (i64 32)
  %72 = xor <8 x i64> %27, %71
  %73 = and <8 x i64> %70, splat (i64 4294967295)
  %74 = lshr <8 x i64> %69, splat (i64 32)
  %75 = xor <8 x i64> %.splatinsert18, %74
  %76 = shufflevector <8 x i64> %75, <8 x i64> poison, <8 x i32> zeroinitializer
  %77 = xor <8 x i64> %76, %67
  %78 = and <8 x i64> %69, <i64 4294967295, i64 poison, i64 poison, i64 poison, i64 poison, i64 poison, i64 poison, i64 poison>
  %79 = mul nuw <8 x i64> %72, splat (i64 3528531795)
  %80 = mul nuw <8 x i64> %77, splat (i64 3449720151)
  %81 = lshr <8 x i64> %80, splat (i64 32)
  %82 = xor <8 x i64> %81, %73
  %83 = xor <8 x i64> %82, %.splat21
  %84 = and <8 x i64> %80, splat (i64 4294967295)
  %85 = lshr <8 x i64> %79, splat (i64 32)
  %86 = xor <8 x i64> %.splatinsert22, %78
  %87 = shufflevector <8 x i64> %86, <8 x i64> poison, <8 x i32> zeroinitializer
  %88 = xor <8 x i64> %87, %85
  %89 = and <8 x i64> %79, splat (i64 4294967295)
  %90 = mul nuw <8 x i64> %83, splat (i64 3528531795)
  %91 = mul nuw <8 x i64> %88, splat (i64 3449720151)
  %92 = lshr <8 x i64> %91, splat (i64 32)
  %93 = xor <8 x i64> %92, %84
  %94 = xor <8 x i64> %93, %.splat25
  %95 = and <8 x i64> %91, splat (i64 4294967295)
  %96 = lshr <8 x i64> %90, splat (i64 32)
  %97 = xor <8 x i64> %96, %89
  %98 = xor <8 x i64> %97, %.splat27
  %99 = and <8 x i64> %90, splat (i64 4294967295)
  %100 = mul nuw <8 x i64> %94, splat (i64 3528531795)
  %101 = mul nuw <8 x i64> %98, splat (i64 3449720151)
  %102 = lshr <8 x i64> %101, splat (i64 32)
  %103 = xor <8 x i64> %102, %95
  %104 = xor <8 x i64> %103, %.splat29
  %105 = and <8 x i64> %101, splat (i64 4294967295)
  %106 = lshr <8 x i64> %100, splat (i64 32)
  %107 = xor <8 x i64> %106, %99
  %108 = xor <8 x i64> %107, %.splat31
  %109 = and <8 x i64> %100, splat (i64 4294967295)
  %110 = mul nuw <8 x i64> %104, splat (i64 3528531795)
  %111 = mul nuw <8 x i64> %108, splat (i64 3449720151)
  %112 = lshr <8 x i64> %111, splat (i64 32)
  %113 = xor <8 x i64> %112, %105
  %114 = xor <8 x i64> %113, %.splat33
  %115 = and <8 x i64> %111, splat (i64 4294967295)
  %116 = lshr <8 x i64> %110, splat (i64 32)
  %117 = xor <8 x i64> %116, %109
  %118 = xor <8 x i64> %117, %.splat35
  %119 = and <8 x i64> %110, splat (i64 4294967295)
  %120 = mul nuw <8 x i64> %114, splat (i64 3528531795)
  %121 = mul nuw <8 x i64> %118, splat (i64 3449720151)
  %122 = lshr <8 x i64> %121, splat (i64 32)
  %123 = xor <8 x i64> %122, %115
  %124 = xor <8 x i64> %123, %.splat37
  %125 = and <8 x i64> %121, splat (i64 4294967295)
  %126 = lshr <8 x i64> %120, splat (i64 32)
  %127 = xor <8 x i64> %126, %119
  %128 = xor <8 x i64> %127, %.splat39
  %129 = and <8 x i64> %120, splat (i64 4294967295)
  %130 = mul nuw <8 x i64> %124, splat (i64 3528531795)
  %131 = mul nuw <8 x i64> %128, splat (i64 3449720151)
  %132 = lshr <8 x i64> %131, splat (i64 32)
  %133 = xor <8 x i64> %132, %125
  %134 = xor <8 x i64> %133, %.splat41
  %135 = and <8 x i64> %131, splat (i64 4294967295)
  %136 = lshr <8 x i64> %130, splat (i64 32)
  %137 = xor <8 x i64> %136, %129
  %138 = xor <8 x i64> %137, %.splat43
  %139 = and <8 x i64> %130, splat (i64 4294967295)
  %140 = mul nuw <8 x i64> %134, splat (i64 3528531795)
  %141 = mul nuw <8 x i64> %138, splat (i64 3449720151)
  %142 = lshr <8 x i64> %141, splat (i64 32)
  %143 = xor <8 x i64> %142, %135
  %144 = xor <8 x i64> %143, %.splat45
  %145 = and <8 x i64> %141, <i64 4294967295, i64 poison, i64 poison, i64 poison, i64 4294967295, i64 poison, i64 poison, i64 poison>
  %146 = lshr <8 x i64> %140, splat (i64 32)
  %147 = xor <8 x i64> %146, %139
  %148 = xor <8 x i64> %147, %.splat47
  %149 = and <8 x i64> %140, <i64 poison, i64 poison, i64 4294967295, i64 poison, i64 poison, i64 poison, i64 4294967295, i64 poison>
  %150 = mul nuw <8 x i64> %144, splat (i64 3528531795)
  %151 = mul nuw <8 x i64> %148, splat (i64 3449720151)
  %152 = lshr <8 x i64> %151, splat (i64 32)
  %153 = xor <8 x i64> %152, %145
  %154 = xor <8 x i64> %153, %.splat49
  %155 = and <8 x i64> %151, <i64 poison, i64 4294967295, i64 poison, i64 poison, i64 poison, i64 4294967295, i64 poison, i64 poison>
  %156 = lshr <8 x i64> %150, splat (i64 32)
  %157 = xor <8 x i64> %156, %149
  %158 = xor <8 x i64> %157, %.splat51
  %159 = and <8 x i64> %150, <i64 poison, i64 poison, i64 poison, i64 4294967295, i64 poison, i64 poison, i64 poison, i64 4294967295>
  %160 = shufflevector <8 x i64> %154, <8 x i64> %155, <8 x i32> <i32 0, i32 9, i32 poison, i32 poison, i32 4, i32 13, i32 poison, i32 poison>
  %161 = shufflevector <8 x i64> %160, <8 x i64> %158, <8 x i32> <i32 0, i32 1, i32 10, i32 poison, i32 4, i32 5, i32 14, i32 poison>
  %162 = shufflevector <8 x i64> %161, <8 x i64> %159, <8 x i32> <i32 0, i32 1, i32 2, i32 11, i32 4, i32 5, i32 6, i32 15>
  %.idx = shl i64 %task.0, 6
  %163 = getelementptr i8, ptr %b1_1, i64 %.idx
  store <8 x i64> %162, ptr %163, align 8
  %164 = add i64 %task.0, 1
  %165 = add nsw i64 %i, 1
  %166 = icmp slt i64 %165, %2
  br i1 %166, label %loop, label %done.loopexit

done.loopexit:                                    ; preds = %loop
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void
}

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nounwind }

!0 = !{}
