#include "ridge/core/layout.h"

#include <algorithm>
#include <limits>

#include "ridge/expr/symbol.h"

namespace ridge {
namespace {

bool can_be_decided(const expr::Expr& e) {
  bool result = true;
  expr::walk(e, [&](const expr::Expr& node) {
    if (node->kind == expr::Kind::symbol) result &= node->symbol->hint().has_value();
  });
  return result;
}

}  // namespace

bool is_below(const Size& a, const Size& b) {
  if (a.known() && b.known()) return *a.known() < *b.known();
  const expr::Expr condition = a.expression() < b.expression();
  if (const auto proven = expr::prove(condition)) return *proven;
  return can_be_decided(condition) && expr::decide(condition, Location::current());
}

bool is_contiguous(const Shape& shape, const Shape& strides) {
  if (numel(shape).known() == 0) return true;
  Size expected = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i].known() == 1) continue;
    if (!strides[i].is_same(expected)) return false;
    expected = expected * shape[i];
  }
  return true;
}

bool is_contiguous_here(const Shape& shape, const Shape& strides, Location where) {
  if (is_contiguous(shape, strides)) return true;
  Size expected = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    const bool is_next = SizeAt(strides[i], where) == SizeAt(expected, where);
    if (!is_next && SizeAt(shape[i], where) != SizeAt(1, where)) return false;
    expected = expected * shape[i];
  }
  return true;
}

// Taken by rising stride, a dimension overlaps no other if one step of it jumps over all that the
// smaller ones can reach. Layouts that interleave without touching (strides 2 and 3, sizes 2 and
// 2) are taken to overlap.
bool may_overlap(const Shape& shape, const Shape& strides) {
  if (numel(shape).known() == 0) return false;
  SmallVector<size_t, 5> dims;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i].known() != 1) dims.push_back(i);
  }
  // Any order that leads to a proof will do. A stride of unknown size is probably a product of
  // sizes, so it goes last; among equals, row-major order.
  constexpr int64_t kProbablyLarge = std::numeric_limits<int64_t>::max();
  std::ranges::reverse(dims);
  std::ranges::stable_sort(dims, {}, [&](size_t i) { return strides[i].hint_or(kProbablyLarge); });

  Size reach = 0;
  for (size_t i : dims) {
    if (!is_below(reach, strides[i])) return true;
    reach = reach + (shape[i] - 1) * strides[i];
  }
  return false;
}

Size extent(const Shape& shape, const Shape& strides, const Size& offset) {
  if (numel(shape).known() == 0) return 0;
  Size last = offset;
  for (size_t i = 0; i < shape.size(); ++i) last = last + (shape[i] - 1) * strides[i];
  return last + 1;
}

}  // namespace ridge
