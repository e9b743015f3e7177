#include "ridge/core/shape.h"

#include <algorithm>
#include <limits>

#include "ridge/base/text.h"
#include "ridge/expr/symbol.h"

namespace ridge {
namespace {

bool is_known_zero(const Size& size) { return size.known() == 0; }
bool is_known_one(const Size& size) { return size.known() == 1; }

// One dimension of a broadcast. What is certain is settled without a guard, above all 1 against a
// symbolic size, whose outcome does not depend on the symbol.
const Size* broadcast_dim(const Size& a, const Size& b, Location where) {
  if (a.is_same(b) || is_known_one(b)) return &a;
  if (is_known_one(a)) return &b;
  if (SizeAt(a, where) == SizeAt(b, where)) return a.is_symbolic() ? &b : &a;
  if (SizeAt(a, where) == SizeAt(1, where)) return &b;
  if (SizeAt(b, where) == SizeAt(1, where)) return &a;
  return nullptr;
}

}  // namespace

bool is_same(const Shape& a, const Shape& b) {
  return std::ranges::equal(a, b, [](const Size& x, const Size& y) { return x.is_same(y); });
}

Size numel(const Shape& shape) {
  // Looked for first: [2^40, 2^40, 0] is empty, not too large.
  if (std::ranges::any_of(shape, is_known_zero)) return 0;
  Size product = 1;
  for (const Size& size : shape) product = product * size;
  return product;
}

Shape contiguous_strides(const Shape& shape) {
  Shape strides(shape.size());
  Size stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    // An empty dimension must not make the strides before it zero, as if they were broadcast. A
    // symbolic size that turns out 0 may: nothing is there to be read.
    if (!is_known_zero(shape[i])) stride = stride * shape[i];
  }
  return strides;
}

std::string to_text(const Shape& shape) { return "[" + join(shape, ", ") + "]"; }
std::string to_text(std::span<const int64_t> ints) { return "[" + join(ints, ", ") + "]"; }

Shape broadcast(const Shape& a, const Shape& b, Location where) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  const size_t lead = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    const Size* size = broadcast_dim(longer[lead + i], shorter[i], where);
    RIDGE_CHECK(size != nullptr, .code = ErrorCode::shape,
                .expected = "shapes that are equal or 1 in each dimension, counted from the last",
                .given = to_text(a) + " and " + to_text(b), .where = where);
    result[lead + i] = *size;
  }
  return result;
}

int64_t wrap_dim(int64_t dim, int64_t rank, std::optional<Location> where) {
  RIDGE_CHECK(dim >= -rank && dim < rank, .code = ErrorCode::index,
              .expected = rank == 0 ? std::string("no dimension, as the tensor has none")
                                    : concat("a dimension from ", -rank, " to ", rank - 1),
              .given = to_text(dim), .where = where);
  return dim < 0 ? dim + rank : dim;
}

Ints wrap_dims(std::span<const int64_t> dims, int64_t rank) {
  Ints wrapped;
  if (dims.empty()) {
    for (int64_t dim = 0; dim < rank; ++dim) wrapped.push_back(dim);
    return wrapped;
  }
  for (int64_t dim : dims) wrapped.push_back(wrap_dim(dim, rank));
  std::ranges::sort(wrapped);
  RIDGE_CHECK(std::ranges::adjacent_find(wrapped) == wrapped.end(), .code = ErrorCode::value,
              .expected = "each dimension at most once",
              .given = concat(to_text(dims), " for a tensor of rank ", rank));
  return wrapped;
}

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
