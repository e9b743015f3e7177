// Activation functions, elementwise.
#pragma once

#include "ridge/ops/at.h"

namespace ridge {

Tensor relu(const At& x);  // flat at 0
Tensor leaky_relu(const At& x, double slope = 0.01);
Tensor gelu(const At& x);       // by erf
Tensor gelu_tanh(const At& x);  // the approximation by tanh
Tensor silu(const At& x);       // x * sigmoid(x)
Tensor softplus(const At& x);   // log(1 + exp(x)), finite wherever x is

const Tensor& relu_(const At& x);

}  // namespace ridge
