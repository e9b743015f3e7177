// The triangles of matrices: the rest of each matrix is zero.
#pragma once

#include "ridge/ops/at.h"

namespace ridge {

// x [..., rows, columns] on and above the diagonal, or on and below it. A positive `diagonal` is that
// many columns to the right of the main one.
Tensor triu(const At& x, int64_t diagonal = 0);
Tensor tril(const At& x, int64_t diagonal = 0);

}  // namespace ridge
