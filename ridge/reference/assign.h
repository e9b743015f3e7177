// Writing one tensor into another: the end of every in-place op.
//
//   to   f32[2, 3], any strides        to[i, j] = from[0, j], converted to f32
//   from i64[1, 3]
//
// `from` is broadcast to the shape of `to`. If the two overlap in memory, the result is as if
// `from` had been copied first. Equal dtypes are copied as bytes, so storage-only ones are, too.
#pragma once

#include "ridge/core/tensor.h"

namespace ridge::reference {

// Error{shape} if `from` does not broadcast; Error{state} if elements of `to` share memory;
// Error{dtype} for storage-only elements that would have to be converted, and for packed 4-bit
// ones unless both tensors are contiguous and of one shape.
void assign(const Tensor& to, const Tensor& from);

}  // namespace ridge::reference
