// Where the k first elements in order can be, without sorting a row: cut into groups of neighbors, the k groups whose
// own first elements come first hold all of them. If one of the k were in another group, k elements would come before
// it. Groups with equal elements count by position, as elements do, so the result is that of a stable sort.
//
//   top 64 of 2^20    8192 groups of 128: one pass finds the first of each, 64 groups are 8192 candidates to sort
#pragma once

#include "ridge/base/decision.h"
#include "ridge/core/tensor.h"

namespace ridge::ops {

// Is the row long, of known length, and k small enough for groups to leave out most of it?
Decision can_find_top_groups(const Tensor& x, int64_t k, int64_t dim);
// Positions along `dim`, in rising order, of the candidates.
Tensor top_group_positions(const Tensor& x, int64_t k, int64_t dim, bool is_largest);

}  // namespace ridge::ops
