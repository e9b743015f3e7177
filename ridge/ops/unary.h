// Elementwise functions of real variables. Integers give the default float.
#pragma once

#include "ridge/ops/at.h"

namespace ridge {

Tensor exp(const At& x);
Tensor log(const At& x);
Tensor log1p(const At& x);  // log(1 + x), exact also where x is tiny
Tensor sqrt(const At& x);
Tensor rsqrt(const At& x);  // 1 / sqrt(x)
Tensor sin(const At& x);
Tensor cos(const At& x);
// The angle of the point (x, y), in [-pi, pi]; a zero's sign says from which side of the cut it comes.
Tensor atan2(const At& y, const At& x);
Tensor tanh(const At& x);
Tensor erf(const At& x);
Tensor sigmoid(const At& x);  // 1 / (1 + exp(-x))

}  // namespace ridge
