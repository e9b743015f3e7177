// Iteration spaces of kernels, and how two of them become one.
//
// Two nodes run in one kernel if their spaces have a common refinement: a finer list of axes in
// which the axes of both are contiguous runs.
//
//   refine([6, 4], [2, 3, 4])   ->   [2, 3, 4],   6 = 3 * i0 + i1,   4 = i2
//
// Axes of size 1 vanish: they stand still at 0. A symbolic size is a run of another one where it
// divides that for all values: n of 4 * n and of m * n.
#pragma once

#include <optional>
#include <vector>

#include "ridge/core/shape.h"
#include "ridge/expr/interval.h"

namespace ridge::schedule {

using expr::Expr;

struct Refined {
  Shape axes;
  std::vector<Expr> first;   // the axes of the first list, over axis(0) .. of `axes`
  std::vector<Expr> second;  // and of the second
};
std::optional<Refined> refine(const Shape& first, const Shape& second);

// e with axis(k) renamed to axis(k + by).
Expr shift_axes(const Expr& e, int by);

// Ranges of axis(0) .. for the simplifier.
expr::AxisRanges ranges_of(const Shape& extents);

// Row-major position in `shape`, simplified for axes of `extents`.
Expr linear_position(const std::vector<Expr>& position, const Shape& shape, const Shape& extents);

}  // namespace ridge::schedule
