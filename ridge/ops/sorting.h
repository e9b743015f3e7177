// Sorting along one dimension. All orders are stable, and NaN counts as the largest value.
#pragma once

#include "ridge/ops/at.h"

namespace ridge {

// Values in order, and the positions (i64) they came from. Gradients flow through the values.
struct SortResult {
  Tensor values;
  Tensor indices;
};

SortResult sort(const At& x, int64_t dim = -1, bool descending = false);
Tensor argsort(const At& x, int64_t dim = -1, bool descending = false);
// The k largest (or smallest) values, in order.
SortResult topk(const At& x, int64_t k, int64_t dim = -1, bool largest = true);
// The position (i64) each element will have when sorted.
Tensor rank_of(const At& x, int64_t dim = -1, bool descending = false);

}  // namespace ridge
