// Ranks, and the first elements in order without them.
//
// The definition of a rank: how many elements come before each. It counts them, which is quadratic but leaves no
// order of evaluation; whoever lowers a definition asks `rank_form` whether it is this one, and may sort instead.
//
//   rank[i, j] = sum over k of (x[i, k] < x[i, j] || (x[i, k] == x[i, j] && k < j))
//
// NaN counts as larger than all others and equal to itself; 0 and -0 are equal.
#pragma once

#include <optional>

#include "ridge/base/decision.h"
#include "ridge/core/tensor.h"
#include "ridge/ops/definition.h"

namespace ridge::ops {

// Of operand 0, of this shape and type.
Definition rank_definition(const Shape& shape, size_t dim, expr::Type type, bool is_descending);

struct RankForm {
  size_t dim;
  expr::Type type;
  bool is_descending;
};
std::optional<RankForm> rank_form(const Definition& definition);

// Where the k first elements in order can be, without sorting a row: cut into groups of neighbors, the k groups whose
// own first elements come first hold all of them. If one of the k were in another group, k elements would come before
// it. Groups with equal elements count by position, as elements do, so the result is that of a stable sort.
//
//   top 64 of 2^20    8192 groups of 128: one pass finds the first of each, 64 groups are 8192 candidates to sort

// Is the row long, of known length, and k small enough for groups to leave out most of it?
Decision can_find_top_groups(const Tensor& x, int64_t k, int64_t dim);
// Positions along `dim`, in rising order, of the candidates.
Tensor top_group_positions(const Tensor& x, int64_t k, int64_t dim, bool is_largest);

}  // namespace ridge::ops
