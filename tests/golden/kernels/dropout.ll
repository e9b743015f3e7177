; launched with input 1, input 0, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_mul_random_bits_less_where_07b6376b(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 2, i64 2, ptr nonnull @fused_mul_random_bits_less_where_07b6376b.tasks0, ptr nonnull %context) #4
  ret void
}

; Function Attrs: nounwind
define internal void @fused_mul_random_bits_less_where_07b6376b.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %3 = load ptr, ptr %0, align 8
  %state_1 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %x_0 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %b8_5 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = icmp slt i64 %1, %2
  br i1 %6, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  %7 = load i64, ptr %state_1, align 8, !invariant.load !0
  %8 = getelementptr i8, ptr %state_1, i64 8
  %9 = load i64, ptr %8, align 8, !invariant.load !0
  %10 = getelementptr i8, ptr %state_1, i64 16
  %11 = load i64, ptr %10, align 8, !invariant.load !0
  %12 = and i64 %11, 4294967295
  %13 = lshr i64 %11, 32
  %14 = and i64 %7, 4294967295
  %15 = and i64 %9, 4294967295
  %16 = lshr i64 %7, 32
  %17 = xor i64 %16, %15
  %18 = mul nuw i64 %12, 3449720151
  %19 = lshr i64 %18, 32
  %.splatinsert6 = insertelement <8 x i64> poison, i64 %19, i64 0
  %.splatinsert8 = insertelement <8 x i64> poison, i64 %14, i64 0
  %20 = xor <8 x i64> %.splatinsert8, %.splatinsert6
  %21 = shufflevector <8 x i64> %20, <8 x i64> poison, <8 x i32> zeroinitializer
  %22 = and i64 %18, 4294967295
  %.splatinsert10 = insertelement <8 x i64> poison, i64 %13, i64 0
  %.splatinsert12 = insertelement <8 x i64> poison, i64 %17, i64 0
  %23 = xor <8 x i64> %.splatinsert12, %.splatinsert10
  %24 = shufflevector <8 x i64> %23, <8 x i64> poison, <8 x i32> zeroinitializer
  %25 = add i64 %7, 2654435769
  %26 = and i64 %25, 4294967295
  %27 = add nuw nsw i64 %17, 3144134277
  %28 = and i64 %27, 4294967295
  %.splatinsert14 = insertelement <8 x i64> poison, i64 %22, i64 0
  %.splatinsert16 = insertelement <8 x i64> poison, i64 %26, i64 0
  %29 = xor <8 x i64> %.splatinsert16, %.splatinsert14
  %30 = shufflevector <8 x i64> %29, <8 x i64> poison, <8 x i32> zeroinitializer
  %.splatinsert18 = insertelement <8 x i64> poison, i64 %28, i64 0
  %.splat19 = shufflevector <8 x i64> %.splatinsert18, <8 x i64> poison, <8 x i32> zeroinitializer
  %31 = add i64 %7, 1013904242
  %32 = and i64 %31, 4294967295
  %33 = add nuw nsw i64 %17, 1993301258
  %34 = and i64 %33, 4294967295
  %.splatinsert20 = insertelement <8 x i64> poison, i64 %32, i64 0
  %.splat21 = shufflevector <8 x i64> %.splatinsert20, <8 x i64> poison, <8 x i32> zeroinitializer
  %.splatinsert22 = insertelement <8 x i64> poison, i64 %34, i64 0
  %.splat23 = shufflevector <8 x i64> %.splatinsert22, <8 x i64> poison, <8 x i32> zeroinitializer
  %35 = add i64 %7, 3668340011
  %36 = and i64 %35, 4294967295
  %37 = add nuw nsw i64 %17, 842468239
  %38 = and i64 %37, 4294967295
  %.splatinsert24 = insertelement <8 x i64> poison, i64 %36, i64 0
  %.splat25 = shufflevector <8 x i64> %.splatinsert24, <8 x i64> poison, <8 x i32> zeroinitializer
  %.splatinsert26 = insertelement <8 x i64> poison, i64 %38, i64 0
  %.splat27 = shufflevector <8 x i64> %.splatinsert26, <8 x i64> poison, <8 x i32> zeroinitializer
  %39 = add i64 %7, 2027808484
  %40 = and i64 %39, 4294967295
  %41 = add nuw nsw i64 %17, 3986602516
  %42 = and i64 %41, 4294967295
  %.splatinsert28 = insertelement <8 x i64> poison, i64 %40, i64 0
  %.splat29 = shufflevector <8 x i64> %.splatinsert28, <8 x i64> poison, <8 x i32> zeroinitializer
  %.splatinsert30 = insertelement <8 x i64> poison, i64 %42, i64 0
  %.splat31 = shufflevector <8 x i64> %.splatinsert30, <8 x i64> poison, <8 x i32> zeroinitializer
  %43 = add i64 %7, 387276957
  %44 = and i64 %43, 4294967295
  %45 = add nuw nsw i64 %17, 2835769497
  %46 = and i64 %45, 4294967295
  %.splatinsert32 = insertelement <8 x i64> poison, i64 %44, i64 0
  %.splat33 = shufflevector <8 x i64> %.splatinsert32, <8 x i64> poison, <8 x i32> zeroinitializer
  %.splatinsert34 = insertelement <8 x i64> poison, i64 %46, i64 0
  %.splat35 = shufflevector <8 x i64> %.splatinsert34, <8 x i64> poison, <8 x i32> zeroinitializer
  %47 = add i64 %7, 3041712726
  %48 = and i64 %47, 4294967295
  %49 = add nuw nsw i64 %17, 1684936478
  %50 = and i64 %49, 4294967295
  %.splatinsert36 = insertelement <8 x i64> poison, i64 %48, i64 0
  %.splat37 = shufflevector <8 x i64> %.splatinsert36, <8 x i64> poison, <8 x i32> zeroinitializer
  %.splatinsert38 = insertelement <8 x i64> poison, i64 %50, i64 0
  %.splat39 = shufflevector <8 x i64> %.splatinsert38, <8 x i64> poison, <8 x i32> zeroinitializer
  %51 = add i64 %7, 1401181199
  %52 = and i64 %51, 4294967295
  %53 = add nuw nsw i64 %17, 534103459
  %54 = and i64 %53, 4294967295
  %.splatinsert40 = insertelement <8 x i64> poison, i64 %52, i64 0
  %.splat41 = shufflevector <8 x i64> %.splatinsert40, <8 x i64> poison, <8 x i32> zeroinitializer
  %.splatinsert42 = insertelement <8 x i64> poison, i64 %54, i64 0
  %.splat43 = shufflevector <8 x i64> %.splatinsert42, <8 x i64> poison, <8 x i32> zeroinitializer
  %55 = add i64 %7, 4055616968
  %56 = and i64 %55, 4294967295
  %57 = add nuw nsw i64 %17, 3678237736
  %58 = and i64 %57, 4294967295
  %.splatinsert44 = insertelement <8 x i64> poison, i64 %56, i64 0
  %.splat45 = shufflevector <8 x i64> %.splatinsert44, <8 x i64> poison, <8 x i32> zeroinitializer
  %.splatinsert46 = insertelement <8 x i64> poison, i64 %58, i64 0
  %.splat47 = shufflevector <8 x i64> %.splatinsert46, <8 x i64> poison, <8 x i32> zeroinitializer
  %59 = add i64 %7, 2415085441
  %60 = and i64 %59, 4294967295
  %61 = add nuw nsw i64 %17, 2527404717
  %62 = and i64 %61, 4294967295
  %.splatinsert48 = insertelement <8 x i64> poison, i64 %60, i64 0
  %.splat49 = shufflevector <8 x i64> %.splatinsert48, <8 x i64> poison, <8 x i32> <i32 0, i32 poison, i32 poison, i32 poison, i32 0, i32 poison, i32 poison, i32 poison>
  %.splatinsert50 = insertelement <8 x i64> poison, i64 %62, i64 0
  %.splat51 = shufflevector <8 x i64> %.splatinsert50, <8 x i64> poison, <8 x i32> <i32 poison, i32 poison, i32 0, i32 poison, i32 poison, i32 poison, i32 0, i32 poison>
  br label %loop

loop:                                             ; preds = %loop.preheader, %endtail
  %task.0 = phi i64 [ %179, %endtail ], [ %1, %loop.preheader ]
  %i = phi i64 [ %180, %endtail ], [ %1, %loop.preheader ]
  %63 = shl i64 %task.0, 12
  %64 = sub i64 5000, %63
  %65 = call i64 @llvm.smin.i64(i64 %64, i64 4096)
  %66 = icmp sgt i64 %64, 0
  br i1 %66, label %loop1.preheader, label %done2

loop1.preheader:                                  ; preds = %loop
  %67 = shl i64 %task.0, 10
  %.splatinsert4 = insertelement <8 x i64> poison, i64 %67, i64 0
  %.splat5 = shufflevector <8 x i64> %.splatinsert4, <8 x i64> poison, <8 x i32> zeroinitializer
  br label %loop1

done.loopexit:                                    ; preds = %endtail
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop1:                                            ; preds = %loop1.preheader, %loop1
  %i3 = phi i64 [ %177, %loop1 ], [ 0, %loop1.preheader ]
  %.splatinsert = insertelement <8 x i64> poison, i64 %i3, i64 0
  %.splat = shufflevector <8 x i64> %.splatinsert, <8 x i64> poison, <8 x i32> zeroinitializer
  %68 = or disjoint <8 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %69 = lshr <8 x i64> %68, splat (i64 2)
  %70 = add <8 x i64> %.splat5, %69
  %71 = and <8 x i64> %70, splat (i64 4294967295)
  %72 = lshr <8 x i64> %70, splat (i64 32)
  %73 = mul nuw <8 x i64> %71, splat (i64 3528531795)
  %74 = xor <8 x i64> %21, %72
  %75 = lshr <8 x i64> %73, splat (i64 32)
  %76 = xor <8 x i64> %24, %75
  %77 = and <8 x i64> %73, splat (i64 4294967295)
  %78 = mul nuw <8 x i64> %74, splat (i64 3528531795)
  %79 = mul nuw <8 x i64> %76, splat (i64 3449720151)
  %80 = lshr <8 x i64> %79, splat (i64 32)
  %81 = xor <8 x i64> %30, %80
  %82 = and <8 x i64> %79, splat (i64 4294967295)
  %83 = lshr <8 x i64> %78, splat (i64 32)
  %84 = xor <8 x i64> %83, %77
  %85 = xor <8 x i64> %84, %.splat19
  %86 = and <8 x i64> %78, splat (i64 4294967295)
  %87 = mul nuw <8 x i64> %81, splat (i64 3528531795)
  %88 = mul nuw <8 x i64> %85, splat (i64 3449720151)
  %89 = lshr <8 x i64> %88, splat (i64 32)
  %90 = xor <8 x i64> %89, %82
  %91 = xor <8 x i64> %90, %.splat21
  %92 = and <8 x i64> %88, splat (i64 4294967295)
  %93 = lshr <8 x i64> %87, splat (i64 32)
  %94 = xor <8 x i64> %93, %86
  %95 = xor <8 x i64> %94, %.splat23
  %96 = and <8 x i64> %87, splat (i64 4294967295)
  %97 = mul nuw <8 x i64> %91, splat (i64 3528531795)
  %98 = mul nuw <8 x i64> %95, splat (i64 3449720151)
  %99 = lshr <8 x i64> %98, splat (i64 32)
  %100 = xor <8 x i64> %99, %92
  %101 = xor <8 x i64> %100, %.splat25
  %102 = and <8 x i64> %98, splat (i64 4294967295)
  %103 = lshr <8 x i64> %97, splat (i64 32)
  %104 = xor <8 x i64> %103, %96
  %105 = xor <8 x i64> %104, %.splat27
  %106 = and <8 x i64> %97, splat (i64 4294967295)
  %107 = mul nuw <8 x i64> %101, splat (i64 3528531795)
  %108 = mul nuw <8 x i64> %105, splat (i64 3449720151)
  %109 = lshr <8 x i64> %108, splat (i64 32)
  %110 = xor <8 x i64> %109, %102
  %111 = xor <8 x i64> %110, %.splat29
  %112 = and <8 x i64> %108, splat (i64 4294967295)
  %113 = lshr <8 x i64> %107, splat (i64 32)
  %114 = xor <8 x i64> %113, %106
  %115 = xor <8 x i64> %114, %.splat31
  %116 = and <8 x i64> %107, splat (i64 4294967295)
  %117 = mul nuw <8 x i64> %111, splat (i64 3528531795)
  %118 = mul nuw <8 x i64> %115, splat (i64 3449720151)
  %119 = lshr <8 x i64> %118, splat (i64 32)
  %120 = xor <8 x i64> %119, %112
  %121 = xor <8 x i64> %120, %.splat33
  %122 = and <8 x i64> %118, splat (i64 4294967295)
  %123 = lshr <8 x i64> %117, splat (i64 32)
  %124 = xor <8 x i64> %123, %116
  %125 = xor <8 x i64> %124, %.splat35
  %126 = and <8 x i64> %117, splat (i64 4294967295)
  %127 = mul nuw <8 x i64> %121, splat (i64 3528531795)
  %128 = mul nuw <8 x i64> %125, splat (i64 3449720151)
  %129 = lshr <8 x i64> %128, splat (i64 32)
  %130 = xor <8 x i64> %129, %122
  %131 = xor <8 x i64> %130, %.splat37
  %132 = and <8 x i64> %128, splat (i64 4294967295)
  %133 = lshr <8 x i64> %127, splat (i64 32)
  %134 = xor <8 x i64> %133, %126
  %135 = xor <8 x i64> %134, %.splat39
  %136 = and <8 x i64> %127, splat (i64 4294967295)
  %137 = mul nuw <8 x i64> %131, splat (i64 3528531795)
  %138 = mul nuw <8 x i64> %135, splat (i64 3449720151)
  %139 = lshr <8 x i64> %138, splat (i64 32)
  %140 = xor <8 x i64> %139, %132
  %141 = xor <8 x i64> %140, %.splat41
  %142 = and <8 x i64> %138, splat (i64 4294967295)
  %143 = lshr <8 x i64> %137, splat (i64 32)
  %144 = xor <8 x i64> %143, %136
  %145 = xor <8 x i64> %144, %.splat43
  %146 = and <8 x i64> %137, splat (i64 4294967295)
  %147 = mul nuw <8 x i64> %141, splat (i64 3528531795)
  %148 = mul nuw <8 x i64> %145, splat (i64 3449720151)
  %149 = lshr <8 x i64> %148, splat (i64 32)
  %150 = xor <8 x i64> %149, %142
  %151 = xor <8 x i64> %150, %.splat45
  %152 = and <8 x i64> %148, <i64 4294967295, i64 poison, i64 poison, i64 poison, i64 4294967295, i64 poison, i64 poison, i64 poison>
  %153 = lshr <8 x i64> %147, splat (i64 32)
  %154 = xor <8 x i64> %153, %146
  %155 = xor <8 x i64> %154, %.splat47
  %156 = and <8 x i64> %147, <i64 poison, i64 poison, i64 4294967295, i64 poison, i64 poison, i64 poison, i64 4294967295, i64 poison>
  %157 = mul nuw <8 x i64> %151, splat (i64 3528531795)
  %158 = mul nuw <8 x i64> %155, splat (i64 3449720151)
  %159 = lshr <8 x i64> %158, splat (i64 32)
  %160 = xor <8 x i64> %159, %152
  %161 = xor <8 x i64> %160, %.splat49
  %162 = and <8 x i64> %158, <i64 poison, i64 4294967295, i64 poison, i64 poison, i64 poison, i64 4294967295, i64 poison, i64 poison>
  %163 = lshr <8 x i64> %157, splat (i64 32)
  %164 = xor <8 x i64> %163, %156
  %165 = xor <8 x i64> %164, %.splat51
  %166 = and <8 x i64> %157, <i64 poison, i64 poison, i64 poison, i64 4294967295, i64 poison, i64 poison, i64 poison, i64 4294967295>
  %167 = shufflevector <8 x i64> %161, <8 x i64> %162, <8 x i32> <i32 0, i32 9, i32 poison, i32 poison, i32 4, i32 13, i32 poison, i32 poison>
  %168 = shufflevector <8 x i64> %167, <8 x i64> %165, <8 x i32> <i32 0, i32 1, i32 10, i32 poison, i32 4, i32 5, i32 14, i32 poison>
  %169 = shufflevector <8 x i64> %168, <8 x i64> %166, <8 x i32> <i32 0, i32 1, i32 2, i32 11, i32 4, i32 5, i32 6, i32 15>
  %170 = icmp samesign ult <8 x i64> %169, splat (i64 3221225472)
  %171 = add i64 %63, %i3
  %172 = getelementptr float, ptr %x_0, i64 %171
  %173 = load <8 x float>, ptr %172, align 4, !invariant.load !0
  %174 = fmul <8 x float> %173, splat (float 0x3FF5555560000000)
  %175 = select <8 x i1> %170, <8 x float> %174, <8 x float> zeroinitializer
  %176 = getelementptr float, ptr %b8_5, i64 %171
  store <8 x float> %175, ptr %176, align 4
  %177 = add nuw nsw i64 %i3, 8
  %178 = icmp slt i64 %177, %65
  br i1 %178, label %loop1, label %done2.loopexit

done2.loopexit:                                   ; preds = %loop1
  br label %done2

done2:                                            ; preds = %done2.loopexit, %loop
  br i1 false, label %tail, label %endtail

tail:                                             ; preds = %done2
  br label %endtail

endtail:                                          ; preds = %tail, %done2
  %179 = add i64 %task.0, 1
  %180 = add nsw i64 %i, 1
  %181 = icmp slt i64 %180, %2
  br i1 %181, label %loop, label %done.loopexit
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr captures(none), <8 x i1>, <8 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr captures(none), <8 x i1>) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }

!0 = !{}
