// The definition of a rank: how many elements come before each. It counts them, which is quadratic but leaves no
// order of evaluation; whoever lowers a definition asks `rank_form` whether it is this one, and may sort instead.
//
//   rank[i, j] = sum over k of (x[i, k] < x[i, j] || (x[i, k] == x[i, j] && k < j))
//
// NaN counts as larger than all others and equal to itself; 0 and -0 are equal.
#pragma once

#include <optional>

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

}  // namespace ridge::ops
