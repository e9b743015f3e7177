#include <algorithm>
#include <vector>

#include "ridge/core/shape.h"
#include "ridge/expr/evaluate.h"

namespace ridge {
namespace {

// The truth of a condition in the call that is captured, with no guard. Without hints it is an error,
// which `decide` reports.
bool holds_here(const expr::Expr& condition, Location where) {
  bool has_hints = true;
  expr::walk(condition, [&](const expr::Expr& node) {
    if (node->kind == expr::Kind::symbol) has_hints &= node->symbol->hint().has_value();
  });
  return has_hints ? expr::evaluate(condition, {}).as_boolean() : expr::decide(condition, where);
}

// Which sizes are equal, for a search that may end with a view or without one.
//
// Going by proofs, it takes for unequal what is not proven, and leaves no guard. Going by the call, what
// it takes for equal is guarded at once. What it takes for unequal cuts memory into shorter runs, and a
// view of those is right for all sizes: only the answer that there is none needs these guards as well.
class Comparison {
 public:
  enum class By : uint8_t { proof, call };
  Comparison(By by, Location where) : by_(by), where_(where) {}

  bool are_equal(const Size& a, const Size& b) {
    if (a.is_same(b)) return true;
    if (are_plain(a, b)) return false;
    const expr::Expr condition = expr::equal(a.expression(), b.expression());
    if (const auto proven = expr::prove(condition)) return *proven;
    if (by_ == By::proof) return false;
    if (holds_here(condition, where_)) return expr::decide(condition, where_);
    unequal_.push_back(condition);
    return false;
  }
  void guard_unequal() const {
    for (const expr::Expr& condition : unequal_) expr::decide(condition, where_);
  }

 private:
  By by_;
  Location where_;
  std::vector<expr::Expr> unequal_;
};

// Lays out the new dimensions, last first, over runs of old memory.
class ViewBuilder {
 public:
  ViewBuilder(const Shape& shape, Comparison& sizes)
      : shape_(shape), sizes_(sizes), strides_(shape.size()), left_(shape.size()) {}

  // Covers a run of `count` elements, `stride` apart, by the next dimensions. False if they do
  // not end where the run ends. A dimension of size 1 belongs to any run.
  bool cover(const Size& count, const Size& stride) {
    Size covered = 1;
    for (; left_ > 0; --left_) {
      const Size& next = shape_[left_ - 1];
      if (next.known() != 1 && sizes_.are_equal(covered, count)) break;
      strides_[left_ - 1] = covered * stride;
      covered = covered * next;
    }
    return sizes_.are_equal(covered, count);
  }

  // What is left in front must be dimensions of size 1, whose stride nobody uses.
  std::optional<Shape> finish(const Size& stride) {
    for (; left_ > 0; --left_) {
      if (!sizes_.are_equal(shape_[left_ - 1], 1)) return std::nullopt;
      strides_[left_ - 1] = stride;
    }
    return std::move(strides_);
  }

 private:
  const Shape& shape_;
  Comparison& sizes_;
  Shape strides_;
  size_t left_;  // dimensions not laid out yet
};

// Old dimensions that follow each other in memory form runs (one stride steps through all of a
// run); a view exists if the new dimensions can be cut so that each lies in one run.
//
//   [2, 3, 4] with strides [24, 4, 1]   runs: 2 elements 24 apart, 12 elements 1 apart
//   as [2, 6, 2]                        strides [24, 2, 1]
//   as [4, 6]                           none: 6 fits twice into the run of 12, 4 not into 2
std::optional<Shape> find_strides(const Shape& shape, const Shape& strides, const Shape& new_shape,
                                  Comparison& sizes) {
  ViewBuilder view(new_shape, sizes);
  Size count = 1, run_stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i].known() == 1) continue;
    const bool has_run = !count.is_same(1);
    const bool goes_on = has_run && sizes.are_equal(strides[i], count * run_stride);
    if (has_run && !goes_on) {
      if (sizes.are_equal(shape[i], 1)) continue;
      if (!view.cover(count, run_stride)) return std::nullopt;
      count = 1;
    }
    if (!goes_on) run_stride = strides[i];
    count = count * shape[i];
  }
  if (!view.cover(count, run_stride)) return std::nullopt;
  return view.finish(count * run_stride);
}

bool has_symbols(const Shape& shape) { return std::ranges::any_of(shape, &Size::is_symbolic); }

}  // namespace

std::optional<Shape> reshape_strides(const Shape& shape, const Shape& strides,
                                     const Shape& new_shape, Location where) {
  if (is_same(shape, new_shape)) return strides;
  // The strides of an empty tensor do not matter.
  const Size total = numel(shape);
  if (total.known() == 0 || is_same(strides, contiguous_strides(shape))) {
    return contiguous_strides(new_shape);
  }
  Comparison proofs(Comparison::By::proof, where);
  std::optional<Shape> found = find_strides(shape, strides, new_shape, proofs);
  if (found || !(has_symbols(shape) || has_symbols(strides) || has_symbols(new_shape))) {
    return found;
  }
  Comparison here(Comparison::By::call, where);
  if (here.are_equal(total, 0)) return contiguous_strides(new_shape);
  found = find_strides(shape, strides, new_shape, here);
  if (!found) here.guard_unequal();
  return found;
}

}  // namespace ridge
