; launched with input 0, input 1, input 3, input 2, output 0
; ModuleID = 'ridge'
source_filename = "ridge"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Function Attrs: nounwind
define void @fused_batched_matmul_add_max_sub_exp_84b14e56(ptr %0, ptr %1, ptr %2, ptr %3) #0 {
entry:
  %context = alloca { ptr, ptr, ptr }, align 8
  store ptr %0, ptr %context, align 8
  %4 = getelementptr inbounds nuw i8, ptr %context, i64 8
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %context, i64 16
  store ptr %3, ptr %5, align 8
  %6 = load ptr, ptr %2, align 8
  call void %6(ptr nonnull %2, i64 2, i64 1, ptr nonnull @fused_batched_matmul_add_max_sub_exp_84b14e56.tasks0, ptr nonnull %context) #5
  ret void
}

; Function Attrs: nounwind
define internal void @fused_batched_matmul_add_max_sub_exp_84b14e56.tasks0(ptr %0, i64 %1, i64 %2) #0 {
entry:
  %lanes108 = alloca i32, align 4
  %lanes93 = alloca i32, align 4
  %lanes76 = alloca i32, align 4
  %lanes = alloca i32, align 4
  %tile10 = alloca [48 x float], align 64
  %tile9 = alloca [48 x float], align 64
  %tile8 = alloca [48 x float], align 64
  %tile7 = alloca [48 x float], align 64
  %tile6 = alloca [48 x float], align 64
  %tile5 = alloca [1152 x float], align 64
  %tile4 = alloca [3456 x float], align 64
  %tile3 = alloca [1024 x float], align 64
  %tile1 = alloca [1024 x float], align 64
  %tile = alloca [1152 x float], align 64
  %3 = load ptr, ptr %0, align 8
  %q_0 = load ptr, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %k_1 = load ptr, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %bias_3 = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %v_2 = load ptr, ptr %6, align 8, !invariant.load !0
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 32
  %b14_5 = load ptr, ptr %7, align 8, !invariant.load !0
  %8 = icmp slt i64 %1, %2
  br i1 %8, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %entry
  br label %loop

loop:                                             ; preds = %loop.preheader, %done138
  %task.0 = phi i64 [ %404, %done138 ], [ 0, %loop.preheader ]
  %task11.0 = phi i64 [ %405, %done138 ], [ %1, %loop.preheader ]
  %i = phi i64 [ %406, %done138 ], [ %1, %loop.preheader ]
  %.idx = mul i64 %task11.0, 2560
  %9 = getelementptr i8, ptr %q_0, i64 %.idx
  br label %loop12

done.loopexit:                                    ; preds = %done138
  br label %done

done:                                             ; preds = %done.loopexit, %entry
  ret void

loop12:                                           ; preds = %loop, %done19
  %i14 = phi i64 [ 0, %loop ], [ %17, %done19 ]
  %.idx145 = shl i64 %i14, 6
  %10 = getelementptr i8, ptr %9, i64 %.idx145
  %.idx146 = mul i64 %i14, 96
  %11 = getelementptr i8, ptr %tile, i64 %.idx146
  br label %loop15

loop15:                                           ; preds = %loop12, %loop15
  %i17 = phi i64 [ 0, %loop12 ], [ %15, %loop15 ]
  %12 = getelementptr float, ptr %10, i64 %i17
  %13 = load <8 x float>, ptr %12, align 4, !invariant.load !0
  %14 = getelementptr float, ptr %11, i64 %i17
  store <8 x float> %13, ptr %14, align 4
  %15 = add nuw nsw i64 %i17, 8
  %16 = icmp eq i64 %i17, 0
  br i1 %16, label %loop15, label %done19

done19:                                           ; preds = %loop15
  %17 = add nuw nsw i64 %i14, 1
  %18 = icmp samesign ult i64 %i14, 39
  br i1 %18, label %loop12, label %loop27.preheader

loop27.preheader:                                 ; preds = %done19
  br label %loop27

loop27:                                           ; preds = %loop27.preheader, %loop27
  %i29 = phi i64 [ %20, %loop27 ], [ 0, %loop27.preheader ]
  %19 = getelementptr float, ptr %tile5, i64 %i29
  store <8 x float> zeroinitializer, ptr %19, align 4
  %20 = add nuw nsw i64 %i29, 8
  %21 = icmp samesign ult i64 %i29, 952
  br i1 %21, label %loop27, label %loop30.preheader

loop30.preheader:                                 ; preds = %loop27
  br label %loop30

loop30:                                           ; preds = %loop30.preheader, %loop30
  %i32 = phi i64 [ %23, %loop30 ], [ 0, %loop30.preheader ]
  %22 = getelementptr float, ptr %tile6, i64 %i32
  store <8 x float> splat (float 0xFFF0000000000000), ptr %22, align 4
  %23 = add nuw nsw i64 %i32, 8
  %24 = icmp samesign ult i64 %i32, 40
  br i1 %24, label %loop30, label %loop33.preheader

loop33.preheader:                                 ; preds = %loop30
  br label %loop33

loop33:                                           ; preds = %loop33.preheader, %loop33
  %i35 = phi i64 [ %26, %loop33 ], [ 0, %loop33.preheader ]
  %25 = getelementptr float, ptr %tile10, i64 %i35
  store <8 x float> zeroinitializer, ptr %25, align 4
  %26 = add nuw nsw i64 %i35, 8
  %27 = icmp samesign ult i64 %i35, 40
  br i1 %27, label %loop33, label %loop39.preheader

loop39.preheader:                                 ; preds = %loop33
  %28 = mul i64 %task11.0, 800
  %29 = getelementptr float, ptr %k_1, i64 %28
  br label %loop39

loop39:                                           ; preds = %loop39.preheader, %done43
  %i41 = phi i64 [ %132, %done43 ], [ 0, %loop39.preheader ]
  %30 = and i64 %i41, 8
  %31 = shl i64 %i41, 4
  %32 = and i64 %31, -256
  %33 = or disjoint i64 %32, %30
  %34 = call i64 @llvm.umin.i64(i64 %i41, i64 49)
  %.idx147 = shl nuw nsw i64 %34, 6
  %35 = getelementptr i8, ptr %29, i64 %.idx147
  %36 = or disjoint i64 %i41, 1
  %37 = call i64 @llvm.umin.i64(i64 %36, i64 49)
  %.idx148 = shl nuw nsw i64 %37, 6
  %38 = getelementptr i8, ptr %29, i64 %.idx148
  %39 = or disjoint i64 %i41, 2
  %40 = call i64 @llvm.umin.i64(i64 %39, i64 49)
  %.idx149 = shl nuw nsw i64 %40, 6
  %41 = getelementptr i8, ptr %29, i64 %.idx149
  %42 = or disjoint i64 %i41, 3
  %43 = call i64 @llvm.umin.i64(i64 %42, i64 49)
  %.idx150 = shl nuw nsw i64 %43, 6
  %44 = getelementptr i8, ptr %29, i64 %.idx150
  %45 = or disjoint i64 %i41, 4
  %46 = call i64 @llvm.umin.i64(i64 %45, i64 49)
  %.idx151 = shl nuw nsw i64 %46, 6
  %47 = getelementptr i8, ptr %29, i64 %.idx151
  %48 = or disjoint i64 %i41, 5
  %49 = call i64 @llvm.umin.i64(i64 %48, i64 49)
  %.idx152 = shl nuw nsw i64 %49, 6
  %50 = getelementptr i8, ptr %29, i64 %.idx152
  %51 = or disjoint i64 %i41, 6
  %52 = call i64 @llvm.umin.i64(i64 %51, i64 49)
  %.idx153 = shl nuw nsw i64 %52, 6
  %53 = getelementptr i8, ptr %29, i64 %.idx153
  %54 = or disjoint i64 %i41, 7
  %55 = call i64 @llvm.umin.i64(i64 %54, i64 49)
  %.idx154 = shl nuw nsw i64 %55, 6
  %56 = getelementptr i8, ptr %29, i64 %.idx154
  %57 = sub nsw i64 50, %i41
  %58 = call i64 @llvm.smax.i64(i64 %57, i64 0)
  %59 = call i64 @llvm.umin.i64(i64 %58, i64 8)
  %60 = trunc nuw nsw i64 %59 to i32
  %.splatinsert45 = insertelement <8 x i32> poison, i32 %60, i64 0
  %.splat46 = shufflevector <8 x i32> %.splatinsert45, <8 x i32> poison, <8 x i32> zeroinitializer
  %61 = icmp samesign ugt <8 x i32> %.splat46, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %invariant.gep = getelementptr float, ptr %tile1, i64 %33
  br label %loop42

loop42:                                           ; preds = %loop39, %loop42
  %i44 = phi i64 [ 0, %loop39 ], [ %130, %loop42 ]
  %62 = sub nsw i64 16, %i44
  %63 = call i64 @llvm.smax.i64(i64 %62, i64 0)
  %64 = call i64 @llvm.umin.i64(i64 %63, i64 8)
  %65 = trunc nuw nsw i64 %64 to i32
  %.splatinsert = insertelement <8 x i32> poison, i32 %65, i64 0
  %.splat = shufflevector <8 x i32> %.splatinsert, <8 x i32> poison, <8 x i32> zeroinitializer
  %66 = icmp samesign ugt <8 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %67 = getelementptr float, ptr %35, i64 %i44
  %68 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %67, <8 x i1> %66, <8 x float> zeroinitializer)
  %69 = getelementptr float, ptr %38, i64 %i44
  %70 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %69, <8 x i1> %66, <8 x float> zeroinitializer)
  %71 = getelementptr float, ptr %41, i64 %i44
  %72 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %71, <8 x i1> %66, <8 x float> zeroinitializer)
  %73 = getelementptr float, ptr %44, i64 %i44
  %74 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %73, <8 x i1> %66, <8 x float> zeroinitializer)
  %75 = getelementptr float, ptr %47, i64 %i44
  %76 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %75, <8 x i1> %66, <8 x float> zeroinitializer)
  %77 = getelementptr float, ptr %50, i64 %i44
  %78 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %77, <8 x i1> %66, <8 x float> zeroinitializer)
  %79 = getelementptr float, ptr %53, i64 %i44
  %80 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %79, <8 x i1> %66, <8 x float> zeroinitializer)
  %81 = getelementptr float, ptr %56, i64 %i44
  %82 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %81, <8 x i1> %66, <8 x float> zeroinitializer)
  %83 = shufflevector <8 x float> %68, <8 x float> %70, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %84 = shufflevector <8 x float> %68, <8 x float> %70, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %85 = shufflevector <8 x float> %72, <8 x float> %74, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %86 = shufflevector <8 x float> %72, <8 x float> %74, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %87 = shufflevector <8 x float> %76, <8 x float> %78, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %88 = shufflevector <8 x float> %76, <8 x float> %78, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %89 = shufflevector <8 x float> %80, <8 x float> %82, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %90 = shufflevector <8 x float> %80, <8 x float> %82, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %91 = shufflevector <8 x float> %83, <8 x float> %85, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %92 = shufflevector <8 x float> %83, <8 x float> %85, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %93 = shufflevector <8 x float> %84, <8 x float> %86, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %94 = shufflevector <8 x float> %84, <8 x float> %86, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %95 = shufflevector <8 x float> %87, <8 x float> %89, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %96 = shufflevector <8 x float> %87, <8 x float> %89, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %97 = shufflevector <8 x float> %88, <8 x float> %90, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %98 = shufflevector <8 x float> %88, <8 x float> %90, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %99 = shufflevector <8 x float> %91, <8 x float> %95, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %100 = shufflevector <8 x float> %91, <8 x float> %95, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %101 = shufflevector <8 x float> %93, <8 x float> %97, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %102 = shufflevector <8 x float> %93, <8 x float> %97, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %103 = shufflevector <8 x float> %92, <8 x float> %96, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %104 = shufflevector <8 x float> %92, <8 x float> %96, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %105 = shufflevector <8 x float> %94, <8 x float> %98, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %106 = shufflevector <8 x float> %94, <8 x float> %98, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %107 = select <8 x i1> %61, <8 x float> %99, <8 x float> zeroinitializer
  %108 = select <8 x i1> %61, <8 x float> %101, <8 x float> zeroinitializer
  %109 = select <8 x i1> %61, <8 x float> %103, <8 x float> zeroinitializer
  %110 = select <8 x i1> %61, <8 x float> %105, <8 x float> zeroinitializer
  %111 = select <8 x i1> %61, <8 x float> %100, <8 x float> zeroinitializer
  %112 = select <8 x i1> %61, <8 x float> %102, <8 x float> zeroinitializer
  %113 = select <8 x i1> %61, <8 x float> %104, <8 x float> zeroinitializer
  %114 = select <8 x i1> %61, <8 x float> %106, <8 x float> zeroinitializer
  %.idx155 = shl i64 %i44, 6
  %gep = getelementptr i8, ptr %invariant.gep, i64 %.idx155
  store <8 x float> %107, ptr %gep, align 16
  %115 = getelementptr i8, ptr %tile1, i64 %.idx155
  %116 = getelementptr i8, ptr %115, i64 64
  %117 = getelementptr float, ptr %116, i64 %33
  store <8 x float> %108, ptr %117, align 16
  %118 = getelementptr i8, ptr %115, i64 128
  %119 = getelementptr float, ptr %118, i64 %33
  store <8 x float> %109, ptr %119, align 16
  %120 = getelementptr i8, ptr %115, i64 192
  %121 = getelementptr float, ptr %120, i64 %33
  store <8 x float> %110, ptr %121, align 16
  %122 = getelementptr i8, ptr %115, i64 256
  %123 = getelementptr float, ptr %122, i64 %33
  store <8 x float> %111, ptr %123, align 16
  %124 = getelementptr i8, ptr %115, i64 320
  %125 = getelementptr float, ptr %124, i64 %33
  store <8 x float> %112, ptr %125, align 16
  %126 = getelementptr i8, ptr %115, i64 384
  %127 = getelementptr float, ptr %126, i64 %33
  store <8 x float> %113, ptr %127, align 16
  %128 = getelementptr i8, ptr %115, i64 448
  %129 = getelementptr float, ptr %128, i64 %33
  store <8 x float> %114, ptr %129, align 16
  %130 = add nuw nsw i64 %i44, 8
  %131 = icmp eq i64 %i44, 0
  br i1 %131, label %loop42, label %done43

done43:                                           ; preds = %loop42
  %132 = add nuw nsw i64 %i41, 8
  %133 = icmp samesign ult i64 %i41, 48
  br i1 %133, label %loop39, label %loop47.preheader

loop47.preheader:                                 ; preds = %done43
  br label %loop47

loop47:                                           ; preds = %loop47.preheader, %done51
  %i49 = phi i64 [ %142, %done51 ], [ 56, %loop47.preheader ]
  %134 = and i64 %i49, 8
  %135 = shl i64 %i49, 4
  %136 = and i64 %135, -256
  %137 = getelementptr float, ptr %tile1, i64 %136
  %138 = getelementptr float, ptr %137, i64 %134
  br label %loop50

loop50:                                           ; preds = %loop47, %loop50
  %i52 = phi i64 [ 0, %loop47 ], [ %140, %loop50 ]
  %.idx163 = shl i64 %i52, 6
  %139 = getelementptr i8, ptr %138, i64 %.idx163
  store <8 x float> zeroinitializer, ptr %139, align 4
  %140 = add nuw nsw i64 %i52, 1
  %141 = icmp samesign ult i64 %i52, 15
  br i1 %141, label %loop50, label %done51

done51:                                           ; preds = %loop50
  %142 = add nuw nsw i64 %i49, 8
  %143 = icmp samesign ult i64 %i49, 56
  br i1 %143, label %loop47, label %loop53.preheader

loop53.preheader:                                 ; preds = %done51
  br label %loop53

loop53:                                           ; preds = %loop53.preheader, %done57
  %i55 = phi i64 [ %148, %done57 ], [ 0, %loop53.preheader ]
  %.idx164 = shl i64 %i55, 10
  %144 = getelementptr i8, ptr %tile1, i64 %.idx164
  %.idx167 = shl i64 %i55, 6
  %invariant.gep181 = getelementptr i8, ptr %tile4, i64 %.idx167
  br label %loop56

loop56:                                           ; preds = %loop53, %loop56
  %i58 = phi i64 [ 0, %loop53 ], [ %146, %loop56 ]
  %.idx165 = mul i64 %i58, 96
  %145 = getelementptr i8, ptr %tile, i64 %.idx165
  %.idx166 = mul i64 %i58, 288
  %gep182 = getelementptr i8, ptr %invariant.gep181, i64 %.idx166
  call void @contract.f32.4x2.of16.by24.to72(ptr %145, i64 24, ptr %144, i64 16, ptr %gep182, i1 true, i64 3)
  %146 = add nuw nsw i64 %i58, 4
  %147 = icmp samesign ult i64 %i58, 36
  br i1 %147, label %loop56, label %done57

done57:                                           ; preds = %loop56
  %148 = add nuw nsw i64 %i55, 1
  %149 = icmp samesign ult i64 %i55, 3
  br i1 %149, label %loop53, label %loop59.preheader

loop59.preheader:                                 ; preds = %done57
  br label %loop59

loop59:                                           ; preds = %loop59.preheader, %done63
  %i61 = phi i64 [ %166, %done63 ], [ 0, %loop59.preheader ]
  %.idx168 = mul i64 %i61, 288
  %150 = getelementptr i8, ptr %tile4, i64 %.idx168
  %.idx169 = mul i64 %i61, 200
  %151 = getelementptr i8, ptr %bias_3, i64 %.idx169
  br label %loop62

loop62:                                           ; preds = %loop59, %loop62
  %i64 = phi i64 [ 0, %loop59 ], [ %157, %loop62 ]
  %152 = getelementptr float, ptr %150, i64 %i64
  %153 = load <8 x float>, ptr %152, align 4
  %154 = getelementptr float, ptr %151, i64 %i64
  %155 = load <8 x float>, ptr %154, align 4, !invariant.load !0
  %156 = fadd <8 x float> %153, %155
  store <8 x float> %156, ptr %152, align 4
  %157 = add nuw nsw i64 %i64, 8
  %158 = icmp samesign ult i64 %i64, 40
  br i1 %158, label %loop62, label %done63

done63:                                           ; preds = %loop62
  store volatile i32 2, ptr %lanes, align 4
  %159 = load volatile i32, ptr %lanes, align 4
  %.splatinsert65 = insertelement <8 x i32> poison, i32 %159, i64 0
  %.splat66 = shufflevector <8 x i32> %.splatinsert65, <8 x i32> poison, <8 x i32> zeroinitializer
  %160 = icmp ugt <8 x i32> %.splat66, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %161 = getelementptr i8, ptr %150, i64 192
  %162 = load <8 x float>, ptr %161, align 4
  %163 = getelementptr i8, ptr %151, i64 192
  %164 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %163, <8 x i1> %160, <8 x float> zeroinitializer)
  %165 = fadd <8 x float> %162, %164
  call void @llvm.masked.store.v8f32.p0(<8 x float> %165, ptr align 4 %161, <8 x i1> %160)
  %166 = add nuw nsw i64 %i61, 1
  %167 = icmp samesign ult i64 %i61, 39
  br i1 %167, label %loop59, label %loop67.preheader

loop67.preheader:                                 ; preds = %done63
  br label %loop67

loop67:                                           ; preds = %loop67.preheader, %loop67
  %i69 = phi i64 [ %171, %loop67 ], [ 0, %loop67.preheader ]
  %168 = getelementptr float, ptr %tile6, i64 %i69
  %169 = load <8 x float>, ptr %168, align 4
  %170 = getelementptr float, ptr %tile7, i64 %i69
  store <8 x float> %169, ptr %170, align 4
  %171 = add nuw nsw i64 %i69, 8
  %172 = icmp samesign ult i64 %i69, 32
  br i1 %172, label %loop67, label %loop70.preheader

loop70.preheader:                                 ; preds = %loop67
  br label %loop70

loop70:                                           ; preds = %loop70.preheader, %done74
  %i72 = phi i64 [ %217, %done74 ], [ 0, %loop70.preheader ]
  %173 = mul i64 %i72, 72
  %174 = getelementptr float, ptr %tile4, i64 %173
  br label %loop73

loop73:                                           ; preds = %loop70, %loop73
  %partial.0 = phi <8 x float> [ splat (float 0xFFF0000000000000), %loop70 ], [ %180, %loop73 ]
  %i75 = phi i64 [ 0, %loop70 ], [ %181, %loop73 ]
  %175 = getelementptr float, ptr %174, i64 %i75
  %176 = load <8 x float>, ptr %175, align 4
  %177 = fcmp olt <8 x float> %176, %partial.0
  %178 = fcmp uno <8 x float> %partial.0, zeroinitializer
  %179 = select <8 x i1> %178, <8 x i1> splat (i1 true), <8 x i1> %177
  %180 = select <8 x i1> %179, <8 x float> %partial.0, <8 x float> %176
  %181 = add nuw nsw i64 %i75, 8
  %182 = icmp samesign ult i64 %i75, 40
  br i1 %182, label %loop73, label %done74

done74:                                           ; preds = %loop73
  store volatile i32 2, ptr %lanes76, align 4
  %183 = load volatile i32, ptr %lanes76, align 4
  %.splatinsert77 = insertelement <8 x i32> poison, i32 %183, i64 0
  %.splat78 = shufflevector <8 x i32> %.splatinsert77, <8 x i32> poison, <8 x i32> zeroinitializer
  %184 = icmp ugt <8 x i32> %.splat78, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %185 = getelementptr i8, ptr %174, i64 192
  %186 = load <8 x float>, ptr %185, align 4
  %187 = select <8 x i1> %184, <8 x float> %186, <8 x float> splat (float 0xFFF0000000000000)
  %188 = fcmp olt <8 x float> %187, %180
  %189 = fcmp uno <8 x float> %180, zeroinitializer
  %190 = select <8 x i1> %189, <8 x i1> splat (i1 true), <8 x i1> %188
  %191 = select <8 x i1> %190, <8 x float> %180, <8 x float> %187
  %192 = shufflevector <8 x float> %191, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %193 = shufflevector <8 x float> %191, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %194 = fcmp olt <4 x float> %192, %193
  %195 = fcmp uno <4 x float> %193, zeroinitializer
  %196 = select <4 x i1> %195, <4 x i1> splat (i1 true), <4 x i1> %194
  %197 = select <4 x i1> %196, <4 x float> %193, <4 x float> %192
  %198 = shufflevector <4 x float> %197, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %199 = shufflevector <4 x float> %197, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %200 = fcmp olt <2 x float> %198, %199
  %201 = fcmp uno <2 x float> %199, zeroinitializer
  %202 = select <2 x i1> %201, <2 x i1> splat (i1 true), <2 x i1> %200
  %203 = select <2 x i1> %202, <2 x float> %199, <2 x float> %198
  %204 = shufflevector <2 x float> %203, <2 x float> poison, <1 x i32> <i32 1>
  %205 = shufflevector <2 x float> %203, <2 x float> poison, <1 x i32> zeroinitializer
  %206 = fcmp olt <1 x float> %204, %205
  %207 = fcmp uno <1 x float> %205, zeroinitializer
  %208 = select <1 x i1> %207, <1 x i1> splat (i1 true), <1 x i1> %206
  %209 = select <1 x i1> %208, <1 x float> %205, <1 x float> %204
  %210 = extractelement <1 x float> %209, i64 0
  %211 = getelementptr float, ptr %tile6, i64 %i72
  %212 = load float, ptr %211, align 4
  %213 = fcmp olt float %210, %212
  %214 = fcmp uno float %212, 0.000000e+00
  %215 = select i1 %214, i1 true, i1 %213
  %216 = select i1 %215, float %212, float %210
  store float %216, ptr %211, align 4
  %217 = add nuw nsw i64 %i72, 1
  %218 = icmp samesign ult i64 %i72, 39
  br i1 %218, label %loop70, label %loop79.preheader

loop79.preheader:                                 ; preds = %done74
  br label %loop79

loop79:                                           ; preds = %loop79.preheader, %loop79
  %i81 = phi i64 [ %224, %loop79 ], [ 0, %loop79.preheader ]
  %219 = getelementptr float, ptr %tile6, i64 %i81
  %220 = load <8 x float>, ptr %219, align 4
  %221 = fcmp oeq <8 x float> %220, splat (float 0xFFF0000000000000)
  %222 = select <8 x i1> %221, <8 x float> zeroinitializer, <8 x float> %220
  %223 = getelementptr float, ptr %tile8, i64 %i81
  store <8 x float> %222, ptr %223, align 4
  %224 = add nuw nsw i64 %i81, 8
  %225 = icmp samesign ult i64 %i81, 32
  br i1 %225, label %loop79, label %loop82.preheader

loop82.preheader:                                 ; preds = %loop79
  br label %loop82

loop82:                                           ; preds = %loop82.preheader, %loop82
  %i84 = phi i64 [ %261, %loop82 ], [ 0, %loop82.preheader ]
  %226 = getelementptr float, ptr %tile7, i64 %i84
  %227 = load <8 x float>, ptr %226, align 4
  %228 = getelementptr float, ptr %tile8, i64 %i84
  %229 = load <8 x float>, ptr %228, align 4
  %230 = fsub <8 x float> %227, %229
  %231 = fcmp ogt <8 x float> %230, splat (float 8.875000e+01)
  %232 = select <8 x i1> %231, <8 x float> splat (float 8.875000e+01), <8 x float> %230
  %233 = fcmp olt <8 x float> %232, splat (float -1.040000e+02)
  %234 = select <8 x i1> %233, <8 x float> splat (float -1.040000e+02), <8 x float> %232
  %235 = call <8 x float> @llvm.fma.v8f32(<8 x float> %234, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %236 = fadd <8 x float> %235, splat (float 0xC168000000000000)
  %237 = call <8 x float> @llvm.fma.v8f32(<8 x float> %236, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %234)
  %238 = call <8 x float> @llvm.fma.v8f32(<8 x float> %236, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %237)
  %239 = call <8 x float> @llvm.fma.v8f32(<8 x float> %238, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %240 = call <8 x float> @llvm.fma.v8f32(<8 x float> %239, <8 x float> %238, <8 x float> splat (float 0x3F81112100000000))
  %241 = call <8 x float> @llvm.fma.v8f32(<8 x float> %240, <8 x float> %238, <8 x float> splat (float 0x3FA5553820000000))
  %242 = call <8 x float> @llvm.fma.v8f32(<8 x float> %241, <8 x float> %238, <8 x float> splat (float 0x3FC5555540000000))
  %243 = call <8 x float> @llvm.fma.v8f32(<8 x float> %242, <8 x float> %238, <8 x float> splat (float 5.000000e-01))
  %244 = fmul <8 x float> %238, %238
  %245 = fmul <8 x float> %244, %243
  %246 = fadd <8 x float> %245, %238
  %247 = fadd <8 x float> %246, splat (float 1.000000e+00)
  %248 = bitcast <8 x float> %235 to <8 x i32>
  %249 = add <8 x i32> %248, splat (i32 -1262485504)
  %250 = ashr <8 x i32> %249, splat (i32 1)
  %251 = shl <8 x i32> %250, splat (i32 23)
  %252 = add <8 x i32> %251, splat (i32 1065353216)
  %253 = bitcast <8 x i32> %252 to <8 x float>
  %254 = fmul <8 x float> %247, %253
  %255 = sub <8 x i32> %248, %250
  %256 = shl <8 x i32> %255, splat (i32 23)
  %257 = add <8 x i32> %256, splat (i32 1065353216)
  %258 = bitcast <8 x i32> %257 to <8 x float>
  %259 = fmul <8 x float> %254, %258
  %260 = getelementptr float, ptr %tile9, i64 %i84
  store <8 x float> %259, ptr %260, align 4
  %261 = add nuw nsw i64 %i84, 8
  %262 = icmp samesign ult i64 %i84, 32
  br i1 %262, label %loop82, label %loop85.preheader

loop85.preheader:                                 ; preds = %loop82
  br label %loop85

loop85:                                           ; preds = %loop85.preheader, %done89
  %i87 = phi i64 [ %335, %done89 ], [ 0, %loop85.preheader ]
  %.idx172 = mul i64 %i87, 288
  %263 = getelementptr i8, ptr %tile4, i64 %.idx172
  %264 = getelementptr float, ptr %tile8, i64 %i87
  %265 = load float, ptr %264, align 4
  %.splatinsert91 = insertelement <8 x float> poison, float %265, i64 0
  %.splat92 = shufflevector <8 x float> %.splatinsert91, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop88

loop88:                                           ; preds = %loop85, %loop88
  %i90 = phi i64 [ 0, %loop85 ], [ %298, %loop88 ]
  %266 = getelementptr float, ptr %263, i64 %i90
  %267 = load <8 x float>, ptr %266, align 4
  %268 = fsub <8 x float> %267, %.splat92
  %269 = fcmp ogt <8 x float> %268, splat (float 8.875000e+01)
  %270 = select <8 x i1> %269, <8 x float> splat (float 8.875000e+01), <8 x float> %268
  %271 = fcmp olt <8 x float> %270, splat (float -1.040000e+02)
  %272 = select <8 x i1> %271, <8 x float> splat (float -1.040000e+02), <8 x float> %270
  %273 = call <8 x float> @llvm.fma.v8f32(<8 x float> %272, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %274 = fadd <8 x float> %273, splat (float 0xC168000000000000)
  %275 = call <8 x float> @llvm.fma.v8f32(<8 x float> %274, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %272)
  %276 = call <8 x float> @llvm.fma.v8f32(<8 x float> %274, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %275)
  %277 = call <8 x float> @llvm.fma.v8f32(<8 x float> %276, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %278 = call <8 x float> @llvm.fma.v8f32(<8 x float> %277, <8 x float> %276, <8 x float> splat (float 0x3F81112100000000))
  %279 = call <8 x float> @llvm.fma.v8f32(<8 x float> %278, <8 x float> %276, <8 x float> splat (float 0x3FA5553820000000))
  %280 = call <8 x float> @llvm.fma.v8f32(<8 x float> %279, <8 x float> %276, <8 x float> splat (float 0x3FC5555540000000))
  %281 = call <8 x float> @llvm.fma.v8f32(<8 x float> %280, <8 x float> %276, <8 x float> splat (float 5.000000e-01))
  %282 = fmul <8 x float> %276, %276
  %283 = fmul <8 x float> %282, %281
  %284 = fadd <8 x float> %283, %276
  %285 = fadd <8 x float> %284, splat (float 1.000000e+00)
  %286 = bitcast <8 x float> %273 to <8 x i32>
  %287 = add <8 x i32> %286, splat (i32 -1262485504)
  %288 = ashr <8 x i32> %287, splat (i32 1)
  %289 = shl <8 x i32> %288, splat (i32 23)
  %290 = add <8 x i32> %289, splat (i32 1065353216)
  %291 = bitcast <8 x i32> %290 to <8 x float>
  %292 = fmul <8 x float> %285, %291
  %293 = sub <8 x i32> %286, %288
  %294 = shl <8 x i32> %293, splat (i32 23)
  %295 = add <8 x i32> %294, splat (i32 1065353216)
  %296 = bitcast <8 x i32> %295 to <8 x float>
  %297 = fmul <8 x float> %292, %296
  store <8 x float> %297, ptr %266, align 4
  %298 = add nuw nsw i64 %i90, 8
  %299 = icmp samesign ult i64 %i90, 40
  br i1 %299, label %loop88, label %done89

done89:                                           ; preds = %loop88
  store volatile i32 2, ptr %lanes93, align 4
  %300 = load volatile i32, ptr %lanes93, align 4
  %.splatinsert94 = insertelement <8 x i32> poison, i32 %300, i64 0
  %.splat95 = shufflevector <8 x i32> %.splatinsert94, <8 x i32> poison, <8 x i32> zeroinitializer
  %301 = icmp ugt <8 x i32> %.splat95, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %302 = getelementptr i8, ptr %263, i64 192
  %303 = load <8 x float>, ptr %302, align 4
  %304 = load float, ptr %264, align 4
  %.splatinsert96 = insertelement <8 x float> poison, float %304, i64 0
  %.splat97 = shufflevector <8 x float> %.splatinsert96, <8 x float> poison, <8 x i32> zeroinitializer
  %305 = fsub <8 x float> %303, %.splat97
  %306 = fcmp ogt <8 x float> %305, splat (float 8.875000e+01)
  %307 = select <8 x i1> %306, <8 x float> splat (float 8.875000e+01), <8 x float> %305
  %308 = fcmp olt <8 x float> %307, splat (float -1.040000e+02)
  %309 = select <8 x i1> %308, <8 x float> splat (float -1.040000e+02), <8 x float> %307
  %310 = call <8 x float> @llvm.fma.v8f32(<8 x float> %309, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000000000000))
  %311 = fadd <8 x float> %310, splat (float 0xC168000000000000)
  %312 = call <8 x float> @llvm.fma.v8f32(<8 x float> %311, <8 x float> splat (float 0xBFE6300000000000), <8 x float> %309)
  %313 = call <8 x float> @llvm.fma.v8f32(<8 x float> %311, <8 x float> splat (float 0x3F2BD01060000000), <8 x float> %312)
  %314 = call <8 x float> @llvm.fma.v8f32(<8 x float> %313, <8 x float> splat (float 0x3F2A0D2CE0000000), <8 x float> splat (float 0x3F56E879C0000000))
  %315 = call <8 x float> @llvm.fma.v8f32(<8 x float> %314, <8 x float> %313, <8 x float> splat (float 0x3F81112100000000))
  %316 = call <8 x float> @llvm.fma.v8f32(<8 x float> %315, <8 x float> %313, <8 x float> splat (float 0x3FA5553820000000))
  %317 = call <8 x float> @llvm.fma.v8f32(<8 x float> %316, <8 x float> %313, <8 x float> splat (float 0x3FC5555540000000))
  %318 = call <8 x float> @llvm.fma.v8f32(<8 x float> %317, <8 x float> %313, <8 x float> splat (float 5.000000e-01))
  %319 = fmul <8 x float> %313, %313
  %320 = fmul <8 x float> %319, %318
  %321 = fadd <8 x float> %320, %313
  %322 = fadd <8 x float> %321, splat (float 1.000000e+00)
  %323 = bitcast <8 x float> %310 to <8 x i32>
  %324 = add <8 x i32> %323, splat (i32 -1262485504)
  %325 = ashr <8 x i32> %324, splat (i32 1)
  %326 = shl <8 x i32> %325, splat (i32 23)
  %327 = add <8 x i32> %326, splat (i32 1065353216)
  %328 = bitcast <8 x i32> %327 to <8 x float>
  %329 = fmul <8 x float> %322, %328
  %330 = sub <8 x i32> %323, %325
  %331 = shl <8 x i32> %330, splat (i32 23)
  %332 = add <8 x i32> %331, splat (i32 1065353216)
  %333 = bitcast <8 x i32> %332 to <8 x float>
  %334 = fmul <8 x float> %329, %333
  call void @llvm.masked.store.v8f32.p0(<8 x float> %334, ptr align 4 %302, <8 x i1> %301)
  %335 = add nuw nsw i64 %i87, 1
  %336 = icmp samesign ult i64 %i87, 39
  br i1 %336, label %loop85, label %loop98.preheader

loop98.preheader:                                 ; preds = %done89
  br label %loop98

loop98:                                           ; preds = %loop98.preheader, %loop98
  %i100 = phi i64 [ %342, %loop98 ], [ 0, %loop98.preheader ]
  %337 = getelementptr float, ptr %tile10, i64 %i100
  %338 = load <8 x float>, ptr %337, align 4
  %339 = getelementptr float, ptr %tile9, i64 %i100
  %340 = load <8 x float>, ptr %339, align 4
  %341 = fmul <8 x float> %338, %340
  store <8 x float> %341, ptr %337, align 4
  %342 = add nuw nsw i64 %i100, 8
  %343 = icmp samesign ult i64 %i100, 32
  br i1 %343, label %loop98, label %loop102.preheader

loop102.preheader:                                ; preds = %loop98
  br label %loop102

loop102:                                          ; preds = %loop102.preheader, %done106
  %i104 = phi i64 [ %370, %done106 ], [ 0, %loop102.preheader ]
  %344 = mul i64 %i104, 72
  %345 = getelementptr float, ptr %tile4, i64 %344
  br label %loop105

loop105:                                          ; preds = %loop102, %loop105
  %partial101.0 = phi <8 x float> [ zeroinitializer, %loop102 ], [ %348, %loop105 ]
  %i107 = phi i64 [ 0, %loop102 ], [ %349, %loop105 ]
  %346 = getelementptr float, ptr %345, i64 %i107
  %347 = load <8 x float>, ptr %346, align 4
  %348 = fadd <8 x float> %partial101.0, %347
  %349 = add nuw nsw i64 %i107, 8
  %350 = icmp samesign ult i64 %i107, 40
  br i1 %350, label %loop105, label %done106

done106:                                          ; preds = %loop105
  store volatile i32 2, ptr %lanes108, align 4
  %351 = load volatile i32, ptr %lanes108, align 4
  %.splatinsert109 = insertelement <8 x i32> poison, i32 %351, i64 0
  %.splat110 = shufflevector <8 x i32> %.splatinsert109, <8 x i32> poison, <8 x i32> zeroinitializer
  %352 = icmp ugt <8 x i32> %.splat110, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %353 = getelementptr i8, ptr %345, i64 192
  %354 = load <8 x float>, ptr %353, align 4
  %355 = select <8 x i1> %352, <8 x float> %354, <8 x float> zeroinitializer
  %356 = fadd <8 x float> %348, %355
  %357 = shufflevector <8 x float> %356, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %358 = shufflevector <8 x float> %356, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %359 = fadd <4 x float> %358, %357
  %360 = shufflevector <4 x float> %359, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %361 = shufflevector <4 x float> %359, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %362 = fadd <2 x float> %361, %360
  %363 = shufflevector <2 x float> %362, <2 x float> poison, <1 x i32> <i32 1>
  %364 = shufflevector <2 x float> %362, <2 x float> poison, <1 x i32> zeroinitializer
  %365 = fadd <1 x float> %364, %363
  %366 = extractelement <1 x float> %365, i64 0
  %367 = getelementptr float, ptr %tile10, i64 %i104
  %368 = load float, ptr %367, align 4
  %369 = fadd float %368, %366
  store float %369, ptr %367, align 4
  %370 = add nuw nsw i64 %i104, 1
  %371 = icmp samesign ult i64 %i104, 39
  br i1 %371, label %loop102, label %loop111.preheader

loop111.preheader:                                ; preds = %done106
  br label %loop111

loop111:                                          ; preds = %loop111.preheader, %done115
  %i113 = phi i64 [ %380, %done115 ], [ 0, %loop111.preheader ]
  %.idx174 = mul i64 %i113, 96
  %372 = getelementptr i8, ptr %tile5, i64 %.idx174
  %373 = getelementptr float, ptr %tile9, i64 %i113
  %374 = load float, ptr %373, align 4
  %.splatinsert117 = insertelement <8 x float> poison, float %374, i64 0
  %.splat118 = shufflevector <8 x float> %.splatinsert117, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop114

loop114:                                          ; preds = %loop111, %loop114
  %i116 = phi i64 [ 0, %loop111 ], [ %378, %loop114 ]
  %375 = getelementptr float, ptr %372, i64 %i116
  %376 = load <8 x float>, ptr %375, align 4
  %377 = fmul <8 x float> %376, %.splat118
  store <8 x float> %377, ptr %375, align 4
  %378 = add nuw nsw i64 %i116, 8
  %379 = icmp eq i64 %i116, 0
  br i1 %379, label %loop114, label %done115

done115:                                          ; preds = %loop114
  %380 = add nuw nsw i64 %i113, 1
  %381 = icmp samesign ult i64 %i113, 39
  br i1 %381, label %loop111, label %loop119.preheader

loop119.preheader:                                ; preds = %done115
  br label %loop119

loop119:                                          ; preds = %loop119.preheader, %loop119
  %i121 = phi i64 [ %390, %loop119 ], [ 0, %loop119.preheader ]
  %382 = shl i64 %i121, 4
  %383 = add i64 %28, %382
  %384 = getelementptr float, ptr %v_2, i64 %383
  %385 = load <8 x float>, ptr %384, align 4, !invariant.load !0
  %386 = getelementptr float, ptr %tile3, i64 %382
  store <8 x float> %385, ptr %386, align 16
  %387 = getelementptr i8, ptr %384, i64 32
  %388 = load <8 x float>, ptr %387, align 4, !invariant.load !0
  %389 = getelementptr i8, ptr %386, i64 32
  store <8 x float> %388, ptr %389, align 16
  %390 = add nuw nsw i64 %i121, 1
  %391 = icmp samesign ult i64 %i121, 49
  br i1 %391, label %loop119, label %loop131

loop131:                                          ; preds = %loop119
  br label %loop134

loop134:                                          ; preds = %loop131, %loop134
  %i136 = phi i64 [ 0, %loop131 ], [ %394, %loop134 ]
  %.idx175 = mul i64 %i136, 288
  %392 = getelementptr i8, ptr %tile4, i64 %.idx175
  %.idx176 = mul i64 %i136, 96
  %393 = getelementptr i8, ptr %tile5, i64 %.idx176
  call void @contract.f32.4x2.of16.by72.to24(ptr %392, i64 72, ptr nonnull %tile3, i64 50, ptr %393, i1 false, i64 3)
  %394 = add nuw nsw i64 %i136, 4
  %395 = icmp samesign ult i64 %i136, 36
  br i1 %395, label %loop134, label %done135

done135:                                          ; preds = %loop134
  %396 = getelementptr i8, ptr %b14_5, i64 %.idx
  br label %loop137

loop137:                                          ; preds = %done135, %done141
  %i139 = phi i64 [ 0, %done135 ], [ %414, %done141 ]
  %.idx177 = mul i64 %i139, 96
  %397 = getelementptr i8, ptr %tile5, i64 %.idx177
  %398 = getelementptr float, ptr %tile10, i64 %i139
  %399 = load float, ptr %398, align 4
  %.splatinsert143 = insertelement <8 x float> poison, float %399, i64 0
  %.splat144 = shufflevector <8 x float> %.splatinsert143, <8 x float> poison, <8 x i32> zeroinitializer
  %.idx179 = shl i64 %i139, 6
  %400 = getelementptr i8, ptr %396, i64 %.idx179
  br label %loop140

done138:                                          ; preds = %done141
  %401 = add i64 %task.0, 1
  %402 = icmp eq i64 %task.0, 0
  %403 = zext i1 %402 to i64
  %404 = select i1 %402, i64 0, i64 %401
  %405 = add i64 %task11.0, %403
  %406 = add nsw i64 %i, 1
  %407 = icmp slt i64 %406, %2
  br i1 %407, label %loop, label %done.loopexit

loop140:                                          ; preds = %loop137, %loop140
  %i142 = phi i64 [ 0, %loop137 ], [ %412, %loop140 ]
  %408 = getelementptr float, ptr %397, i64 %i142
  %409 = load <8 x float>, ptr %408, align 4
  %410 = fdiv <8 x float> %409, %.splat144
  %411 = getelementptr float, ptr %400, i64 %i142
  store <8 x float> %410, ptr %411, align 4
  %412 = add nuw nsw i64 %i142, 8
  %413 = icmp eq i64 %i142, 0
  br i1 %413, label %loop140, label %done141

done141:                                          ; preds = %loop140
  %414 = add nuw nsw i64 %i139, 1
  %415 = icmp samesign ult i64 %i139, 39
  br i1 %415, label %loop137, label %done138
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr captures(none), <8 x i1>, <8 x float>) #1

; Function Attrs: noinline nounwind
define internal void @contract.f32.4x2.of16.by24.to72(ptr noalias %0, i64 %1, ptr noalias %2, i64 %3, ptr noalias %4, i1 %5, i64 %6) #2 {
entry:
  %7 = getelementptr i8, ptr %0, i64 96
  %8 = getelementptr i8, ptr %0, i64 192
  %9 = getelementptr i8, ptr %0, i64 288
  br i1 %5, label %ready, label %resume

resume:                                           ; preds = %entry
  %10 = load <8 x float>, ptr %4, align 16
  %11 = getelementptr i8, ptr %4, i64 32
  %12 = load <8 x float>, ptr %11, align 16
  %13 = getelementptr i8, ptr %4, i64 288
  %14 = load <8 x float>, ptr %13, align 16
  %15 = getelementptr i8, ptr %4, i64 320
  %16 = load <8 x float>, ptr %15, align 16
  %17 = getelementptr i8, ptr %4, i64 576
  %18 = load <8 x float>, ptr %17, align 16
  %19 = getelementptr i8, ptr %4, i64 608
  %20 = load <8 x float>, ptr %19, align 16
  %21 = getelementptr i8, ptr %4, i64 864
  %22 = load <8 x float>, ptr %21, align 16
  %23 = getelementptr i8, ptr %4, i64 896
  %24 = load <8 x float>, ptr %23, align 16
  br label %ready

ready:                                            ; preds = %resume, %entry
  %sum.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %10, %resume ]
  %sum1.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %12, %resume ]
  %sum2.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %14, %resume ]
  %sum3.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %16, %resume ]
  %sum4.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %18, %resume ]
  %sum5.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %20, %resume ]
  %sum6.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %22, %resume ]
  %sum7.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %24, %resume ]
  %25 = and i64 %3, -4
  %26 = icmp sgt i64 %3, 3
  br i1 %26, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %ready
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %sum.1 = phi <8 x float> [ %100, %loop ], [ %sum.0, %loop.preheader ]
  %sum1.1 = phi <8 x float> [ %101, %loop ], [ %sum1.0, %loop.preheader ]
  %sum2.1 = phi <8 x float> [ %104, %loop ], [ %sum2.0, %loop.preheader ]
  %sum3.1 = phi <8 x float> [ %105, %loop ], [ %sum3.0, %loop.preheader ]
  %sum4.1 = phi <8 x float> [ %108, %loop ], [ %sum4.0, %loop.preheader ]
  %sum5.1 = phi <8 x float> [ %109, %loop ], [ %sum5.0, %loop.preheader ]
  %sum6.1 = phi <8 x float> [ %112, %loop ], [ %sum6.0, %loop.preheader ]
  %sum7.1 = phi <8 x float> [ %113, %loop ], [ %sum7.0, %loop.preheader ]
  %i = phi i64 [ %114, %loop ], [ 0, %loop.preheader ]
  %27 = shl i64 %i, 4
  %28 = getelementptr float, ptr %2, i64 %27
  %29 = load <8 x float>, ptr %28, align 16
  %30 = getelementptr i8, ptr %28, i64 32
  %31 = load <8 x float>, ptr %30, align 16
  %32 = getelementptr float, ptr %0, i64 %i
  %33 = load float, ptr %32, align 4
  %.splatinsert = insertelement <8 x float> poison, float %33, i64 0
  %.splat = shufflevector <8 x float> %.splatinsert, <8 x float> poison, <8 x i32> zeroinitializer
  %34 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat, <8 x float> %29, <8 x float> %sum.1)
  %35 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat, <8 x float> %31, <8 x float> %sum1.1)
  %36 = getelementptr float, ptr %7, i64 %i
  %37 = load float, ptr %36, align 4
  %.splatinsert8 = insertelement <8 x float> poison, float %37, i64 0
  %.splat9 = shufflevector <8 x float> %.splatinsert8, <8 x float> poison, <8 x i32> zeroinitializer
  %38 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat9, <8 x float> %29, <8 x float> %sum2.1)
  %39 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat9, <8 x float> %31, <8 x float> %sum3.1)
  %40 = getelementptr float, ptr %8, i64 %i
  %41 = load float, ptr %40, align 4
  %.splatinsert10 = insertelement <8 x float> poison, float %41, i64 0
  %.splat11 = shufflevector <8 x float> %.splatinsert10, <8 x float> poison, <8 x i32> zeroinitializer
  %42 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat11, <8 x float> %29, <8 x float> %sum4.1)
  %43 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat11, <8 x float> %31, <8 x float> %sum5.1)
  %44 = getelementptr float, ptr %9, i64 %i
  %45 = load float, ptr %44, align 4
  %.splatinsert12 = insertelement <8 x float> poison, float %45, i64 0
  %.splat13 = shufflevector <8 x float> %.splatinsert12, <8 x float> poison, <8 x i32> zeroinitializer
  %46 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat13, <8 x float> %29, <8 x float> %sum6.1)
  %47 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat13, <8 x float> %31, <8 x float> %sum7.1)
  %48 = or disjoint i64 %i, 1
  %49 = shl i64 %48, 4
  %50 = getelementptr float, ptr %2, i64 %49
  %51 = load <8 x float>, ptr %50, align 16
  %52 = getelementptr i8, ptr %50, i64 32
  %53 = load <8 x float>, ptr %52, align 16
  %54 = getelementptr float, ptr %0, i64 %48
  %55 = load float, ptr %54, align 4
  %.splatinsert14 = insertelement <8 x float> poison, float %55, i64 0
  %.splat15 = shufflevector <8 x float> %.splatinsert14, <8 x float> poison, <8 x i32> zeroinitializer
  %56 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat15, <8 x float> %51, <8 x float> %34)
  %57 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat15, <8 x float> %53, <8 x float> %35)
  %58 = getelementptr float, ptr %7, i64 %48
  %59 = load float, ptr %58, align 4
  %.splatinsert16 = insertelement <8 x float> poison, float %59, i64 0
  %.splat17 = shufflevector <8 x float> %.splatinsert16, <8 x float> poison, <8 x i32> zeroinitializer
  %60 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat17, <8 x float> %51, <8 x float> %38)
  %61 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat17, <8 x float> %53, <8 x float> %39)
  %62 = getelementptr float, ptr %8, i64 %48
  %63 = load float, ptr %62, align 4
  %.splatinsert18 = insertelement <8 x float> poison, float %63, i64 0
  %.splat19 = shufflevector <8 x float> %.splatinsert18, <8 x float> poison, <8 x i32> zeroinitializer
  %64 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat19, <8 x float> %51, <8 x float> %42)
  %65 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat19, <8 x float> %53, <8 x float> %43)
  %66 = getelementptr float, ptr %9, i64 %48
  %67 = load float, ptr %66, align 4
  %.splatinsert20 = insertelement <8 x float> poison, float %67, i64 0
  %.splat21 = shufflevector <8 x float> %.splatinsert20, <8 x float> poison, <8 x i32> zeroinitializer
  %68 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat21, <8 x float> %51, <8 x float> %46)
  %69 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat21, <8 x float> %53, <8 x float> %47)
  %70 = or disjoint i64 %i, 2
  %71 = shl i64 %70, 4
  %72 = getelementptr float, ptr %2, i64 %71
  %73 = load <8 x float>, ptr %72, align 16
  %74 = getelementptr i8, ptr %72, i64 32
  %75 = load <8 x float>, ptr %74, align 16
  %76 = getelementptr float, ptr %0, i64 %70
  %77 = load float, ptr %76, align 4
  %.splatinsert22 = insertelement <8 x float> poison, float %77, i64 0
  %.splat23 = shufflevector <8 x float> %.splatinsert22, <8 x float> poison, <8 x i32> zeroinitializer
  %78 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat23, <8 x float> %73, <8 x float> %56)
  %79 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat23, <8 x float> %75, <8 x float> %57)
  %80 = getelementptr float, ptr %7, i64 %70
  %81 = load float, ptr %80, align 4
  %.splatinsert24 = insertelement <8 x float> poison, float %81, i64 0
  %.splat25 = shufflevector <8 x float> %.splatinsert24, <8 x float> poison, <8 x i32> zeroinitializer
  %82 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat25, <8 x float> %73, <8 x float> %60)
  %83 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat25, <8 x float> %75, <8 x float> %61)
  %84 = getelementptr float, ptr %8, i64 %70
  %85 = load float, ptr %84, align 4
  %.splatinsert26 = insertelement <8 x float> poison, float %85, i64 0
  %.splat27 = shufflevector <8 x float> %.splatinsert26, <8 x float> poison, <8 x i32> zeroinitializer
  %86 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat27, <8 x float> %73, <8 x float> %64)
  %87 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat27, <8 x float> %75, <8 x float> %65)
  %88 = getelementptr float, ptr %9, i64 %70
  %89 = load float, ptr %88, align 4
  %.splatinsert28 = insertelement <8 x float> poison, float %89, i64 0
  %.splat29 = shufflevector <8 x float> %.splatinsert28, <8 x float> poison, <8 x i32> zeroinitializer
  %90 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat29, <8 x float> %73, <8 x float> %68)
  %91 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat29, <8 x float> %75, <8 x float> %69)
  %92 = or disjoint i64 %i, 3
  %93 = shl i64 %92, 4
  %94 = getelementptr float, ptr %2, i64 %93
  %95 = load <8 x float>, ptr %94, align 16
  %96 = getelementptr i8, ptr %94, i64 32
  %97 = load <8 x float>, ptr %96, align 16
  %98 = getelementptr float, ptr %0, i64 %92
  %99 = load float, ptr %98, align 4
  %.splatinsert30 = insertelement <8 x float> poison, float %99, i64 0
  %.splat31 = shufflevector <8 x float> %.splatinsert30, <8 x float> poison, <8 x i32> zeroinitializer
  %100 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat31, <8 x float> %95, <8 x float> %78)
  %101 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat31, <8 x float> %97, <8 x float> %79)
  %102 = getelementptr float, ptr %7, i64 %92
  %103 = load float, ptr %102, align 4
  %.splatinsert32 = insertelement <8 x float> poison, float %103, i64 0
  %.splat33 = shufflevector <8 x float> %.splatinsert32, <8 x float> poison, <8 x i32> zeroinitializer
  %104 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat33, <8 x float> %95, <8 x float> %82)
  %105 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat33, <8 x float> %97, <8 x float> %83)
  %106 = getelementptr float, ptr %8, i64 %92
  %107 = load float, ptr %106, align 4
  %.splatinsert34 = insertelement <8 x float> poison, float %107, i64 0
  %.splat35 = shufflevector <8 x float> %.splatinsert34, <8 x float> poison, <8 x i32> zeroinitializer
  %108 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat35, <8 x float> %95, <8 x float> %86)
  %109 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat35, <8 x float> %97, <8 x float> %87)
  %110 = getelementptr float, ptr %9, i64 %92
  %111 = load float, ptr %110, align 4
  %.splatinsert36 = insertelement <8 x float> poison, float %111, i64 0
  %.splat37 = shufflevector <8 x float> %.splatinsert36, <8 x float> poison, <8 x i32> zeroinitializer
  %112 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat37, <8 x float> %95, <8 x float> %90)
  %113 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat37, <8 x float> %97, <8 x float> %91)
  %114 = add nuw nsw i64 %i, 4
  %115 = icmp slt i64 %114, %25
  br i1 %115, label %loop, label %done.loopexit

done.loopexit:                                    ; preds = %loop
  br label %done

done:                                             ; preds = %done.loopexit, %ready
  %sum.2 = phi <8 x float> [ %sum.0, %ready ], [ %100, %done.loopexit ]
  %sum1.2 = phi <8 x float> [ %sum1.0, %ready ], [ %101, %done.loopexit ]
  %sum2.2 = phi <8 x float> [ %sum2.0, %ready ], [ %104, %done.loopexit ]
  %sum3.2 = phi <8 x float> [ %sum3.0, %ready ], [ %105, %done.loopexit ]
  %sum4.2 = phi <8 x float> [ %sum4.0, %ready ], [ %108, %done.loopexit ]
  %sum5.2 = phi <8 x float> [ %sum5.0, %ready ], [ %109, %done.loopexit ]
  %sum6.2 = phi <8 x float> [ %sum6.0, %ready ], [ %112, %done.loopexit ]
  %sum7.2 = phi <8 x float> [ %sum7.0, %ready ], [ %113, %done.loopexit ]
  %.not = icmp eq i64 %25, %3
  br i1 %.not, label %done39, label %loop38.preheader

loop38.preheader:                                 ; preds = %done
  br label %loop38

loop38:                                           ; preds = %loop38.preheader, %loop38
  %sum.3 = phi <8 x float> [ %123, %loop38 ], [ %sum.2, %loop38.preheader ]
  %sum1.3 = phi <8 x float> [ %124, %loop38 ], [ %sum1.2, %loop38.preheader ]
  %sum2.3 = phi <8 x float> [ %127, %loop38 ], [ %sum2.2, %loop38.preheader ]
  %sum3.3 = phi <8 x float> [ %128, %loop38 ], [ %sum3.2, %loop38.preheader ]
  %sum4.3 = phi <8 x float> [ %131, %loop38 ], [ %sum4.2, %loop38.preheader ]
  %sum5.3 = phi <8 x float> [ %132, %loop38 ], [ %sum5.2, %loop38.preheader ]
  %sum6.3 = phi <8 x float> [ %135, %loop38 ], [ %sum6.2, %loop38.preheader ]
  %sum7.3 = phi <8 x float> [ %136, %loop38 ], [ %sum7.2, %loop38.preheader ]
  %i40 = phi i64 [ %137, %loop38 ], [ %25, %loop38.preheader ]
  %116 = shl i64 %i40, 4
  %117 = getelementptr float, ptr %2, i64 %116
  %118 = load <8 x float>, ptr %117, align 16
  %119 = getelementptr i8, ptr %117, i64 32
  %120 = load <8 x float>, ptr %119, align 16
  %121 = getelementptr float, ptr %0, i64 %i40
  %122 = load float, ptr %121, align 4
  %.splatinsert41 = insertelement <8 x float> poison, float %122, i64 0
  %.splat42 = shufflevector <8 x float> %.splatinsert41, <8 x float> poison, <8 x i32> zeroinitializer
  %123 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat42, <8 x float> %118, <8 x float> %sum.3)
  %124 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat42, <8 x float> %120, <8 x float> %sum1.3)
  %125 = getelementptr float, ptr %7, i64 %i40
  %126 = load float, ptr %125, align 4
  %.splatinsert43 = insertelement <8 x float> poison, float %126, i64 0
  %.splat44 = shufflevector <8 x float> %.splatinsert43, <8 x float> poison, <8 x i32> zeroinitializer
  %127 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat44, <8 x float> %118, <8 x float> %sum2.3)
  %128 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat44, <8 x float> %120, <8 x float> %sum3.3)
  %129 = getelementptr float, ptr %8, i64 %i40
  %130 = load float, ptr %129, align 4
  %.splatinsert45 = insertelement <8 x float> poison, float %130, i64 0
  %.splat46 = shufflevector <8 x float> %.splatinsert45, <8 x float> poison, <8 x i32> zeroinitializer
  %131 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat46, <8 x float> %118, <8 x float> %sum4.3)
  %132 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat46, <8 x float> %120, <8 x float> %sum5.3)
  %133 = getelementptr float, ptr %9, i64 %i40
  %134 = load float, ptr %133, align 4
  %.splatinsert47 = insertelement <8 x float> poison, float %134, i64 0
  %.splat48 = shufflevector <8 x float> %.splatinsert47, <8 x float> poison, <8 x i32> zeroinitializer
  %135 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat48, <8 x float> %118, <8 x float> %sum6.3)
  %136 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat48, <8 x float> %120, <8 x float> %sum7.3)
  %137 = add nsw i64 %i40, 1
  %138 = icmp slt i64 %137, %3
  br i1 %138, label %loop38, label %done39.loopexit

done39.loopexit:                                  ; preds = %loop38
  br label %done39

done39:                                           ; preds = %done39.loopexit, %done
  %sum.4 = phi <8 x float> [ %sum.2, %done ], [ %123, %done39.loopexit ]
  %sum1.4 = phi <8 x float> [ %sum1.2, %done ], [ %124, %done39.loopexit ]
  %sum2.4 = phi <8 x float> [ %sum2.2, %done ], [ %127, %done39.loopexit ]
  %sum3.4 = phi <8 x float> [ %sum3.2, %done ], [ %128, %done39.loopexit ]
  %sum4.4 = phi <8 x float> [ %sum4.2, %done ], [ %131, %done39.loopexit ]
  %sum5.4 = phi <8 x float> [ %sum5.2, %done ], [ %132, %done39.loopexit ]
  %sum6.4 = phi <8 x float> [ %sum6.2, %done ], [ %135, %done39.loopexit ]
  %sum7.4 = phi <8 x float> [ %sum7.2, %done ], [ %136, %done39.loopexit ]
  store <8 x float> %sum.4, ptr %4, align 16
  %139 = getelementptr i8, ptr %4, i64 32
  store <8 x float> %sum1.4, ptr %139, align 16
  %140 = getelementptr i8, ptr %4, i64 288
  store <8 x float> %sum2.4, ptr %140, align 16
  %141 = getelementptr i8, ptr %4, i64 320
  store <8 x float> %sum3.4, ptr %141, align 16
  %142 = getelementptr i8, ptr %4, i64 576
  store <8 x float> %sum4.4, ptr %142, align 16
  %143 = getelementptr i8, ptr %4, i64 608
  store <8 x float> %sum5.4, ptr %143, align 16
  %144 = getelementptr i8, ptr %4, i64 864
  store <8 x float> %sum6.4, ptr %144, align 16
  %145 = getelementptr i8, ptr %4, i64 896
  store <8 x float> %sum7.4, ptr %145, align 16
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr captures(none), <8 x i1>) #4

; Function Attrs: noinline nounwind
define internal void @contract.f32.4x2.of16.by72.to24(ptr noalias %0, i64 %1, ptr noalias %2, i64 %3, ptr noalias %4, i1 %5, i64 %6) #2 {
entry:
  %7 = getelementptr i8, ptr %0, i64 288
  %8 = getelementptr i8, ptr %0, i64 576
  %9 = getelementptr i8, ptr %0, i64 864
  br i1 %5, label %ready, label %resume

resume:                                           ; preds = %entry
  %10 = load <8 x float>, ptr %4, align 16
  %11 = getelementptr i8, ptr %4, i64 32
  %12 = load <8 x float>, ptr %11, align 16
  %13 = getelementptr i8, ptr %4, i64 96
  %14 = load <8 x float>, ptr %13, align 16
  %15 = getelementptr i8, ptr %4, i64 128
  %16 = load <8 x float>, ptr %15, align 16
  %17 = getelementptr i8, ptr %4, i64 192
  %18 = load <8 x float>, ptr %17, align 16
  %19 = getelementptr i8, ptr %4, i64 224
  %20 = load <8 x float>, ptr %19, align 16
  %21 = getelementptr i8, ptr %4, i64 288
  %22 = load <8 x float>, ptr %21, align 16
  %23 = getelementptr i8, ptr %4, i64 320
  %24 = load <8 x float>, ptr %23, align 16
  br label %ready

ready:                                            ; preds = %resume, %entry
  %sum.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %10, %resume ]
  %sum1.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %12, %resume ]
  %sum2.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %14, %resume ]
  %sum3.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %16, %resume ]
  %sum4.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %18, %resume ]
  %sum5.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %20, %resume ]
  %sum6.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %22, %resume ]
  %sum7.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %24, %resume ]
  %25 = and i64 %3, -4
  %26 = icmp sgt i64 %3, 3
  br i1 %26, label %loop.preheader, label %done

loop.preheader:                                   ; preds = %ready
  br label %loop

loop:                                             ; preds = %loop.preheader, %loop
  %sum.1 = phi <8 x float> [ %100, %loop ], [ %sum.0, %loop.preheader ]
  %sum1.1 = phi <8 x float> [ %101, %loop ], [ %sum1.0, %loop.preheader ]
  %sum2.1 = phi <8 x float> [ %104, %loop ], [ %sum2.0, %loop.preheader ]
  %sum3.1 = phi <8 x float> [ %105, %loop ], [ %sum3.0, %loop.preheader ]
  %sum4.1 = phi <8 x float> [ %108, %loop ], [ %sum4.0, %loop.preheader ]
  %sum5.1 = phi <8 x float> [ %109, %loop ], [ %sum5.0, %loop.preheader ]
  %sum6.1 = phi <8 x float> [ %112, %loop ], [ %sum6.0, %loop.preheader ]
  %sum7.1 = phi <8 x float> [ %113, %loop ], [ %sum7.0, %loop.preheader ]
  %i = phi i64 [ %114, %loop ], [ 0, %loop.preheader ]
  %27 = shl i64 %i, 4
  %28 = getelementptr float, ptr %2, i64 %27
  %29 = load <8 x float>, ptr %28, align 16
  %30 = getelementptr i8, ptr %28, i64 32
  %31 = load <8 x float>, ptr %30, align 16
  %32 = getelementptr float, ptr %0, i64 %i
  %33 = load float, ptr %32, align 4
  %.splatinsert = insertelement <8 x float> poison, float %33, i64 0
  %.splat = shufflevector <8 x float> %.splatinsert, <8 x float> poison, <8 x i32> zeroinitializer
  %34 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat, <8 x float> %29, <8 x float> %sum.1)
  %35 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat, <8 x float> %31, <8 x float> %sum1.1)
  %36 = getelementptr float, ptr %7, i64 %i
  %37 = load float, ptr %36, align 4
  %.splatinsert8 = insertelement <8 x float> poison, float %37, i64 0
  %.splat9 = shufflevector <8 x float> %.splatinsert8, <8 x float> poison, <8 x i32> zeroinitializer
  %38 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat9, <8 x float> %29, <8 x float> %sum2.1)
  %39 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat9, <8 x float> %31, <8 x float> %sum3.1)
  %40 = getelementptr float, ptr %8, i64 %i
  %41 = load float, ptr %40, align 4
  %.splatinsert10 = insertelement <8 x float> poison, float %41, i64 0
  %.splat11 = shufflevector <8 x float> %.splatinsert10, <8 x float> poison, <8 x i32> zeroinitializer
  %42 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat11, <8 x float> %29, <8 x float> %sum4.1)
  %43 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat11, <8 x float> %31, <8 x float> %sum5.1)
  %44 = getelementptr float, ptr %9, i64 %i
  %45 = load float, ptr %44, align 4
  %.splatinsert12 = insertelement <8 x float> poison, float %45, i64 0
  %.splat13 = shufflevector <8 x float> %.splatinsert12, <8 x float> poison, <8 x i32> zeroinitializer
  %46 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat13, <8 x float> %29, <8 x float> %sum6.1)
  %47 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat13, <8 x float> %31, <8 x float> %sum7.1)
  %48 = or disjoint i64 %i, 1
  %49 = shl i64 %48, 4
  %50 = getelementptr float, ptr %2, i64 %49
  %51 = load <8 x float>, ptr %50, align 16
  %52 = getelementptr i8, ptr %50, i64 32
  %53 = load <8 x float>, ptr %52, align 16
  %54 = getelementptr float, ptr %0, i64 %48
  %55 = load float, ptr %54, align 4
  %.splatinsert14 = insertelement <8 x float> poison, float %55, i64 0
  %.splat15 = shufflevector <8 x float> %.splatinsert14, <8 x float> poison, <8 x i32> zeroinitializer
  %56 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat15, <8 x float> %51, <8 x float> %34)
  %57 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat15, <8 x float> %53, <8 x float> %35)
  %58 = getelementptr float, ptr %7, i64 %48
  %59 = load float, ptr %58, align 4
  %.splatinsert16 = insertelement <8 x float> poison, float %59, i64 0
  %.splat17 = shufflevector <8 x float> %.splatinsert16, <8 x float> poison, <8 x i32> zeroinitializer
  %60 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat17, <8 x float> %51, <8 x float> %38)
  %61 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat17, <8 x float> %53, <8 x float> %39)
  %62 = getelementptr float, ptr %8, i64 %48
  %63 = load float, ptr %62, align 4
  %.splatinsert18 = insertelement <8 x float> poison, float %63, i64 0
  %.splat19 = shufflevector <8 x float> %.splatinsert18, <8 x float> poison, <8 x i32> zeroinitializer
  %64 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat19, <8 x float> %51, <8 x float> %42)
  %65 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat19, <8 x float> %53, <8 x float> %43)
  %66 = getelementptr float, ptr %9, i64 %48
  %67 = load float, ptr %66, align 4
  %.splatinsert20 = insertelement <8 x float> poison, float %67, i64 0
  %.splat21 = shufflevector <8 x float> %.splatinsert20, <8 x float> poison, <8 x i32> zeroinitializer
  %68 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat21, <8 x float> %51, <8 x float> %46)
  %69 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat21, <8 x float> %53, <8 x float> %47)
  %70 = or disjoint i64 %i, 2
  %71 = shl i64 %70, 4
  %72 = getelementptr float, ptr %2, i64 %71
  %73 = load <8 x float>, ptr %72, align 16
  %74 = getelementptr i8, ptr %72, i64 32
  %75 = load <8 x float>, ptr %74, align 16
  %76 = getelementptr float, ptr %0, i64 %70
  %77 = load float, ptr %76, align 4
  %.splatinsert22 = insertelement <8 x float> poison, float %77, i64 0
  %.splat23 = shufflevector <8 x float> %.splatinsert22, <8 x float> poison, <8 x i32> zeroinitializer
  %78 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat23, <8 x float> %73, <8 x float> %56)
  %79 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat23, <8 x float> %75, <8 x float> %57)
  %80 = getelementptr float, ptr %7, i64 %70
  %81 = load float, ptr %80, align 4
  %.splatinsert24 = insertelement <8 x float> poison, float %81, i64 0
  %.splat25 = shufflevector <8 x float> %.splatinsert24, <8 x float> poison, <8 x i32> zeroinitializer
  %82 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat25, <8 x float> %73, <8 x float> %60)
  %83 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat25, <8 x float> %75, <8 x float> %61)
  %84 = getelementptr float, ptr %8, i64 %70
  %85 = load float, ptr %84, align 4
  %.splatinsert26 = insertelement <8 x float> poison, float %85, i64 0
  %.splat27 = shufflevector <8 x float> %.splatinsert26, <8 x float> poison, <8 x i32> zeroinitializer
  %86 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat27, <8 x float> %73, <8 x float> %64)
  %87 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat27, <8 x float> %75, <8 x float> %65)
  %88 = getelementptr float, ptr %9, i64 %70
  %89 = load float, ptr %88, align 4
  %.splatinsert28 = insertelement <8 x float> poison, float %89, i64 0
  %.splat29 = shufflevector <8 x float> %.splatinsert28, <8 x float> poison, <8 x i32> zeroinitializer
  %90 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat29, <8 x float> %73, <8 x float> %68)
  %91 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat29, <8 x float> %75, <8 x float> %69)
  %92 = or disjoint i64 %i, 3
  %93 = shl i64 %92, 4
  %94 = getelementptr float, ptr %2, i64 %93
  %95 = load <8 x float>, ptr %94, align 16
  %96 = getelementptr i8, ptr %94, i64 32
  %97 = load <8 x float>, ptr %96, align 16
  %98 = getelementptr float, ptr %0, i64 %92
  %99 = load float, ptr %98, align 4
  %.splatinsert30 = insertelement <8 x float> poison, float %99, i64 0
  %.splat31 = shufflevector <8 x float> %.splatinsert30, <8 x float> poison, <8 x i32> zeroinitializer
  %100 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat31, <8 x float> %95, <8 x float> %78)
  %101 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat31, <8 x float> %97, <8 x float> %79)
  %102 = getelementptr float, ptr %7, i64 %92
  %103 = load float, ptr %102, align 4
  %.splatinsert32 = insertelement <8 x float> poison, float %103, i64 0
  %.splat33 = shufflevector <8 x float> %.splatinsert32, <8 x float> poison, <8 x i32> zeroinitializer
  %104 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat33, <8 x float> %95, <8 x float> %82)
  %105 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat33, <8 x float> %97, <8 x float> %83)
  %106 = getelementptr float, ptr %8, i64 %92
  %107 = load float, ptr %106, align 4
  %.splatinsert34 = insertelement <8 x float> poison, float %107, i64 0
  %.splat35 = shufflevector <8 x float> %.splatinsert34, <8 x float> poison, <8 x i32> zeroinitializer
  %108 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat35, <8 x float> %95, <8 x float> %86)
  %109 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat35, <8 x float> %97, <8 x float> %87)
  %110 = getelementptr float, ptr %9, i64 %92
  %111 = load float, ptr %110, align 4
  %.splatinsert36 = insertelement <8 x float> poison, float %111, i64 0
  %.splat37 = shufflevector <8 x float> %.splatinsert36, <8 x float> poison, <8 x i32> zeroinitializer
  %112 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat37, <8 x float> %95, <8 x float> %90)
  %113 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat37, <8 x float> %97, <8 x float> %91)
  %114 = add nuw nsw i64 %i, 4
  %115 = icmp slt i64 %114, %25
  br i1 %115, label %loop, label %done.loopexit

done.loopexit:                                    ; preds = %loop
  br label %done

done:                                             ; preds = %done.loopexit, %ready
  %sum.2 = phi <8 x float> [ %sum.0, %ready ], [ %100, %done.loopexit ]
  %sum1.2 = phi <8 x float> [ %sum1.0, %ready ], [ %101, %done.loopexit ]
  %sum2.2 = phi <8 x float> [ %sum2.0, %ready ], [ %104, %done.loopexit ]
  %sum3.2 = phi <8 x float> [ %sum3.0, %ready ], [ %105, %done.loopexit ]
  %sum4.2 = phi <8 x float> [ %sum4.0, %ready ], [ %108, %done.loopexit ]
  %sum5.2 = phi <8 x float> [ %sum5.0, %ready ], [ %109, %done.loopexit ]
  %sum6.2 = phi <8 x float> [ %sum6.0, %ready ], [ %112, %done.loopexit ]
  %sum7.2 = phi <8 x float> [ %sum7.0, %ready ], [ %113, %done.loopexit ]
  %.not = icmp eq i64 %25, %3
  br i1 %.not, label %done39, label %loop38.preheader

loop38.preheader:                                 ; preds = %done
  br label %loop38

loop38:                                           ; preds = %loop38.preheader, %loop38
  %sum.3 = phi <8 x float> [ %123, %loop38 ], [ %sum.2, %loop38.preheader ]
  %sum1.3 = phi <8 x float> [ %124, %loop38 ], [ %sum1.2, %loop38.preheader ]
  %sum2.3 = phi <8 x float> [ %127, %loop38 ], [ %sum2.2, %loop38.preheader ]
  %sum3.3 = phi <8 x float> [ %128, %loop38 ], [ %sum3.2, %loop38.preheader ]
  %sum4.3 = phi <8 x float> [ %131, %loop38 ], [ %sum4.2, %loop38.preheader ]
  %sum5.3 = phi <8 x float> [ %132, %loop38 ], [ %sum5.2, %loop38.preheader ]
  %sum6.3 = phi <8 x float> [ %135, %loop38 ], [ %sum6.2, %loop38.preheader ]
  %sum7.3 = phi <8 x float> [ %136, %loop38 ], [ %sum7.2, %loop38.preheader ]
  %i40 = phi i64 [ %137, %loop38 ], [ %25, %loop38.preheader ]
  %116 = shl i64 %i40, 4
  %117 = getelementptr float, ptr %2, i64 %116
  %118 = load <8 x float>, ptr %117, align 16
  %119 = getelementptr i8, ptr %117, i64 32
  %120 = load <8 x float>, ptr %119, align 16
  %121 = getelementptr float, ptr %0, i64 %i40
  %122 = load float, ptr %121, align 4
  %.splatinsert41 = insertelement <8 x float> poison, float %122, i64 0
  %.splat42 = shufflevector <8 x float> %.splatinsert41, <8 x float> poison, <8 x i32> zeroinitializer
  %123 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat42, <8 x float> %118, <8 x float> %sum.3)
  %124 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat42, <8 x float> %120, <8 x float> %sum1.3)
  %125 = getelementptr float, ptr %7, i64 %i40
  %126 = load float, ptr %125, align 4
  %.splatinsert43 = insertelement <8 x float> poison, float %126, i64 0
  %.splat44 = shufflevector <8 x float> %.splatinsert43, <8 x float> poison, <8 x i32> zeroinitializer
  %127 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat44, <8 x float> %118, <8 x float> %sum2.3)
  %128 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat44, <8 x float> %120, <8 x float> %sum3.3)
  %129 = getelementptr float, ptr %8, i64 %i40
  %130 = load float, ptr %129, align 4
  %.splatinsert45 = insertelement <8 x float> poison, float %130, i64 0
  %.splat46 = shufflevector <8 x float> %.splatinsert45, <8 x float> poison, <8 x i32> zeroinitializer
  %131 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat46, <8 x float> %118, <8 x float> %sum4.3)
  %132 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat46, <8 x float> %120, <8 x float> %sum5.3)
  %133 = getelementptr float, ptr %9, i64 %i40
  %134 = load float, ptr %133, align 4
  %.splatinsert47 = insertelement <8 x float> poison, float %134, i64 0
  %.splat48 = shufflevector <8 x float> %.splatinsert47, <8 x float> poison, <8 x i32> zeroinitializer
  %135 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat48, <8 x float> %118, <8 x float> %sum6.3)
  %136 = call <8 x float> @llvm.fma.v8f32(<8 x float> %.splat48, <8 x float> %120, <8 x float> %sum7.3)
  %137 = add nsw i64 %i40, 1
  %138 = icmp slt i64 %137, %3
  br i1 %138, label %loop38, label %done39.loopexit

done39.loopexit:                                  ; preds = %loop38
  br label %done39

done39:                                           ; preds = %done39.loopexit, %done
  %sum.4 = phi <8 x float> [ %sum.2, %done ], [ %123, %done39.loopexit ]
  %sum1.4 = phi <8 x float> [ %sum1.2, %done ], [ %124, %done39.loopexit ]
  %sum2.4 = phi <8 x float> [ %sum2.2, %done ], [ %127, %done39.loopexit ]
  %sum3.4 = phi <8 x float> [ %sum3.2, %done ], [ %128, %done39.loopexit ]
  %sum4.4 = phi <8 x float> [ %sum4.2, %done ], [ %131, %done39.loopexit ]
  %sum5.4 = phi <8 x float> [ %sum5.2, %done ], [ %132, %done39.loopexit ]
  %sum6.4 = phi <8 x float> [ %sum6.2, %done ], [ %135, %done39.loopexit ]
  %sum7.4 = phi <8 x float> [ %sum7.2, %done ], [ %136, %done39.loopexit ]
  store <8 x float> %sum.4, ptr %4, align 16
  %139 = getelementptr i8, ptr %4, i64 32
  store <8 x float> %sum1.4, ptr %139, align 16
  %140 = getelementptr i8, ptr %4, i64 96
  store <8 x float> %sum2.4, ptr %140, align 16
  %141 = getelementptr i8, ptr %4, i64 128
  store <8 x float> %sum3.4, ptr %141, align 16
  %142 = getelementptr i8, ptr %4, i64 192
  store <8 x float> %sum4.4, ptr %142, align 16
  %143 = getelementptr i8, ptr %4, i64 224
  store <8 x float> %sum5.4, ptr %143, align 16
  %144 = getelementptr i8, ptr %4, i64 288
  store <8 x float> %sum6.4, ptr %144, align 16
  %145 = getelementptr i8, ptr %4, i64 320
  store <8 x float> %sum7.4, ptr %145, align 16
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #3

attributes #0 = { nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #2 = { noinline nounwind "min-legal-vector-width"="256" "no-trapping-math"="true" "prefer-vector-width"="256" "target-cpu"="haswell" "target-features"="+avx2,+fma,+f16c" }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #5 = { nounwind }

!0 = !{}
