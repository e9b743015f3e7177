// The definition of an indexed op: one value for each point of an iteration space.
//
//   sum over the last axis of x[2, 3]:
//     extents {2, 3}, output_rank 1, reducer sum, value x0[i0, i1]
//   gather of rows:
//     extents {n, d}, output_rank 2, reducer none, value x0[checked_index(x1[i0], rows), i1]
//   scatter-add of rows: reducer sum, target {checked_index(x1[i0], rows), i1}, value x2[i0, i1],
//     initial x0[i0, i1]
//
// Gather form (`target` empty): the first output_rank axes are the axes of the result, the others
// are reduced. Scatter form: every axis is iterated and the value is combined into the element
// `target` says, which starts as `initial` (an expression over the axes of the result). Without a reducer the value
// takes the element's place; no two points then have the same target, so they may run in any order.
//
// Reductions combine in an order fixed by the shape. `max` and `min` propagate NaN; `argmax` and
// `argmin` give the position along the single reduced axis of the first extremum, a NaN counting
// as the extremum. The reduction of an empty range is 0 for sum, 1 for prod, false for any, true
// for all; the others must not be empty.
#pragma once

#include <vector>

#include "ridge/core/shape.h"
#include "ridge/expr/expr.h"

namespace ridge::ops {

enum class Reducer : uint8_t { none, sum, prod, max, min, any, all, argmax, argmin };

struct Definition {
  Shape extents{};
  size_t output_rank = 0;
  Reducer reducer = Reducer::none;
  expr::Expr value{};
  std::vector<expr::Expr> target{};
  expr::Expr initial{};

  bool is_scatter() const { return !target.empty(); }
};

// axis(0) .. axis(rank - 1).
std::vector<expr::Expr> all_axes(size_t rank);
// Row-major position of the point in `extents`: i0 * n1 * n2 + i1 * n2 + i2.
expr::Expr linear_index(const std::vector<expr::Expr>& position, const Shape& extents);
// Checks that the definition is well formed; Error{internal} says what is not.
void verify(const Definition& definition, size_t operand_count);

}  // namespace ridge::ops
