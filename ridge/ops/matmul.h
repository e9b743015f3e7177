// Matrix products.
#pragma once

#include "ridge/ops/at.h"

namespace ridge {

// NumPy's rule: [m, k] x [k, n]; dims in front are batches and broadcast; a 1-d operand is a row
// on the left, a column on the right, and is gone from the result.
Tensor matmul(const At& x, const At& y);
// [..., m, k] x [..., k, n] -> [..., m, n]: what matmul comes down to.
Tensor batched_matmul(const At& x, const At& y);
// x times the transpose of weight [out, in], plus bias [out].
Tensor linear(const At& x, const At& weight, const Tensor& bias = {});

}  // namespace ridge
