// A window of a buffer that a kernel copies by boxes, as formulas over the kernel's sizes: what a tensor map is made of
// when the kernel is launched.
//
//   a[m, k] of bf16, pitch k, box 128 x 64, swizzle 128    {.buffer = 0, .dtype = bf16, .extents = {m, k},
//                                                           .strides = {k, 1}, .box = {128, 64},
//                                                           .swizzle_bytes = 128}
#pragma once

#include <cstdint>
#include <vector>

#include "ridge/core/dtype.h"
#include "ridge/expr/expr.h"

namespace ridge {

struct TensorView {
  int buffer;  // of the kernel
  DType dtype;
  expr::Expr first{};  // element where it begins; null: 0
  // By dimension, over params, in elements. The last dimension is contiguous.
  std::vector<expr::Expr> extents, strides;
  std::vector<int64_t> box;
  int64_t swizzle_bytes = 0;  // 128, 64, 32, or 0 for none
};

// An argument of a kernel, in the order of its parameters.
struct KernelArgument {
  enum class Kind : uint8_t { pointer, size, tensor_map };
  Kind kind;
  int index;  // of a buffer, a size, a view
};

}  // namespace ridge
