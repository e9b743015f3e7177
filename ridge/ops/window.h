// Sliding windows along one dimension: what convolution and pooling are made of.
//
//   windows([a b c d e], dim 0, kernel 3, stride 2, dilation 1) = [[a b c], [c d e]]
//
// A window is a view: elements that windows share are not copied, they get overlapping strides.
// Each op is the other's gradient.
#pragma once

#include "ridge/ops/at.h"

namespace ridge {

// y[.., i, .., j] = x[.., i * stride + j * dilation, ..], where i stands in `dim` and j, of size
// `kernel`, in a new last dimension. Elements at the end that fill no window are left out.
Tensor windows(const At& x, int64_t dim, int64_t kernel, int64_t stride = 1, int64_t dilation = 1);
// The sum over all windows of what they say of an element, as a tensor of `shape`.
Tensor windows_adjoint(const At& grad, const Shape& shape, int64_t dim, int64_t stride = 1,
                       int64_t dilation = 1);

}  // namespace ridge
