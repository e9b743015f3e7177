// What the files of the view family share.
#pragma once

#include <vector>

#include "ridge/ops/registry.h"

namespace ridge::ops {

// Operand 0 read at `position`, for every point of `shape`.
Definition rearranged(const Call& call, Shape shape, std::vector<expr::Expr> position);

// What a call of slice, or of an op with its parameters, covers in a tensor of `shape`.
struct SlicedRange {
  size_t dim;
  Size start;
  Size length;
  int64_t step;

  Shape shape_of(Shape whole) const {
    whole[dim] = length;
    return whole;
  }
};
SlicedRange sliced_range(const Call& call, const Shape& shape);
// Is the point of a tensor with all its axes in the range, and where in the slice it is then: `position`
// is changed to that.
expr::Expr is_in_slice(const SlicedRange& range, std::vector<expr::Expr>& position);

void register_reshapes(Registry& ops);   // reshape.cpp
void register_slices(Registry& ops);     // slice.cpp
void register_triangles(Registry& ops);  // triangle.cpp

}  // namespace ridge::ops
