// Prefix sums.
#pragma once

#include "ridge/ops/at.h"

namespace ridge {

// y[i] = x[0] + ... + x[i] along `dim`; with `reverse`, x[i] + ... + x[n - 1]. Bool and integers
// sum in i64.
Tensor cumsum(const At& x, int64_t dim, bool reverse = false);

}  // namespace ridge
