// Softmax and the norms of layers.
//
// All are composites. 16-bit operands are widened to f32 on entry and the result is rounded once,
// so a chain of eager ops is as exact as one fused kernel would be.
#pragma once

#include "ridge/ops/at.h"

namespace ridge {

// exp(x) / sum(exp(x)) along `dim`, without overflow. A row of nothing but -inf gives NaN.
Tensor softmax(const At& x, int64_t dim);
Tensor log_softmax(const At& x, int64_t dim);
// (x - mean) / sqrt(variance + eps) over the last `dims` dimensions, then * weight + bias, which
// have the shape of those dimensions and may be left out.
Tensor layer_norm(const At& x, const Tensor& weight = {}, const Tensor& bias = {},
                  double eps = 1e-5, int64_t dims = 1);
// x / sqrt(mean(x^2) + eps) over the last dimension, then * weight, which may be left out.
Tensor rms_norm(const At& x, const Tensor& weight = {}, double eps = 1e-6);

}  // namespace ridge
