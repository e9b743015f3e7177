#include <algorithm>

#include "ridge/core/shape.h"

namespace ridge {
namespace {

bool all_same(const Shape& a, const Shape& b) {
  return std::ranges::equal(a, b, [](const Size& x, const Size& y) { return x.is_same(y); });
}

// Whether to go on as if a == b. "Yes" must hold for every value the program is reused with, so it
// is proven or guarded. "No" only cuts memory into shorter runs, which is always right: where the
// hints differ it needs no guard.
bool can_take_as_equal(const Size& a, const Size& b, Location where) {
  if (a.is_same(b)) return true;
  constexpr int64_t kNoHint = -1;
  const int64_t hint_a = a.hint_or(kNoHint), hint_b = b.hint_or(kNoHint);
  if (hint_a != hint_b && hint_a != kNoHint && hint_b != kNoHint) return false;
  return SizeAt(a, where) == SizeAt(b, where);
}

// Lays out the new dimensions, last first, over runs of old memory.
class ViewBuilder {
 public:
  ViewBuilder(const Shape& shape, Location where)
      : shape_(shape), where_(where), strides_(shape.size()), left_(shape.size()) {}

  // Covers a run of `count` elements, `stride` apart, by the next dimensions. False if they do
  // not end where the run ends.
  bool cover(const Size& count, const Size& stride) {
    Size covered = 1;
    while (left_ > 0 && !covered.is_same(count)) {
      const Size with_next = covered * shape_[left_ - 1];
      // An exact fit needs no guard that the run is longer than 1.
      if (!with_next.is_same(count) && SizeAt(covered, where_) >= SizeAt(count, where_)) break;
      strides_[--left_] = covered * stride;
      covered = with_next;
    }
    return can_take_as_equal(covered, count, where_);
  }

  // What is left in front must be dimensions of size 1, whose stride nobody uses.
  std::optional<Shape> finish(const Size& stride) {
    while (left_ > 0) {
      if (!can_take_as_equal(shape_[left_ - 1], 1, where_)) return std::nullopt;
      strides_[--left_] = stride;
    }
    return std::move(strides_);
  }

 private:
  const Shape& shape_;
  Location where_;
  Shape strides_;
  size_t left_;  // dimensions not laid out yet
};

}  // namespace

// Old dimensions that follow each other in memory form runs (one stride steps through all of a
// run); a view exists if the new dimensions can be cut so that each lies in one run.
//
//   [2, 3, 4] with strides [24, 4, 1]   runs: 2 elements 24 apart, 12 elements 1 apart
//   as [2, 6, 2]                        strides [24, 2, 1]
//   as [4, 6]                           none: 6 fits twice into the run of 12, 4 not into 2
std::optional<Shape> reshape_strides(const Shape& shape, const Shape& strides,
                                     const Shape& new_shape, Location where) {
  if (all_same(shape, new_shape)) return strides;
  // The strides of an empty tensor do not matter. Those found below are good for one too, so
  // only a hint of 0, with which nothing would be found, is worth a guard.
  const Size total = numel(shape);
  const bool is_empty = total.hint_or(1) == 0 && can_take_as_equal(total, 0, where);
  if (is_empty || all_same(strides, contiguous_strides(shape))) {
    return contiguous_strides(new_shape);
  }

  ViewBuilder view(new_shape, where);
  Size count = 1, run_stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    // A dimension of size 1 belongs to any run. One that only might be 1 is a run like others.
    if (shape[i].hint_or(2) == 1 && can_take_as_equal(shape[i], 1, where)) continue;
    if (!count.is_same(1) && !can_take_as_equal(strides[i], count * run_stride, where)) {
      if (!view.cover(count, run_stride)) return std::nullopt;
      count = 1;
    }
    if (count.is_same(1)) run_stride = strides[i];
    count = count * shape[i];
  }
  if (!view.cover(count, run_stride)) return std::nullopt;
  return view.finish(count * run_stride);
}

}  // namespace ridge
