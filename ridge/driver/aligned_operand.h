// Operands as kernels of a GPU take them: each at the start of 16 bytes, as whole allocations are.
//
// A view may start anywhere. Its kernel then works on a copy of the memory from its first element to
// its last, gaps included, with the same strides.
#pragma once

#include "ridge/core/tensor.h"

namespace ridge::driver {

bool is_aligned(const Tensor& tensor);
// The tensor itself where it is aligned, else a copy of its span.
Tensor aligned(const Tensor& tensor);

// The same shape and strides in memory of its own.
Tensor copy_of_span(const Tensor& tensor);
// Writes the span of a copy back. Elements in the gaps are written, too, with what they were when the
// copy was made: nobody else may write them in between.
void write_span(const Tensor& to, const Tensor& copy);

}  // namespace ridge::driver
