// Values that several kernels may compute, and what breaks if their copies differ: a comparison of a
// value with its own extremum, through calls that change no bit.
//
//   m = x * y;  v = x + m;  e = max(v, {1}, true);  any(v == e, {1})     true, whatever v is rounded to
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/view.h"
#include "tests/fuzz/graph_builder.h"

namespace ridge::fuzz {
namespace {

bool has_rows(const Tensor& t) {
  return is_floating(t.dtype()) && t.rank() > 0 && elements_of(t.shape()) > 0 && !t.is_weak();
}

size_t floating_rows(GraphBuilder& b) {
  const auto found = b.chance(0.5) ? b.pick(has_rows) : std::nullopt;
  if (found) return *found;
  Shape shape;
  while (shape.empty() || elements_of(shape) == 0) shape = b.shape(3);
  return b.input(b.chance(0.7) ? f32 : b.floating_dtype(), shape, "fine");
}

Tensor product(const Tensor& x, const Tensor& y, int64_t which, double number) {
  switch (which) {
    case 0: return mul(x, y);
    case 1: return mul(x, number);
    default: return square(x);
  }
}

// A sum that a product goes into: as one operation, or as two.
std::optional<size_t> product_and_sum(GraphBuilder& b) {
  const size_t x = floating_rows(b);
  const size_t y = b.input(b.value(x).dtype(), b.value(x).shape(), "fine");
  const int64_t which = b.integer(0, 2);
  const double number = b.number() + 0.3;
  if (!b.attempt({x, y},
                 [=](Operands v) -> Tensors { return {product(v[0], v[1], which, number)}; })) {
    return std::nullopt;
  }
  const size_t m = b.count() - 1, added = b.chance(0.5) ? x : y;
  const bool is_sum = b.chance(0.6);
  if (!b.attempt({m, added}, [=](Operands v) -> Tensors {
        return {is_sum ? add(v[1], v[0]) : sub(v[1], v[0])};
      })) {
    return std::nullopt;
  }
  const size_t v = b.count() - 1;
  // Another reader, which may be a kernel of its own, of the product or the sum.
  if (b.chance(0.7)) b.keep(b.chance(0.6) ? m : v);
  return v;
}

// The same numbers in another form.
size_t same_numbers(GraphBuilder& b, size_t v) {
  const DType dtype = b.value(v).dtype();
  if (b.chance(0.4) && is_16_bit_float(dtype)) {
    if (b.attempt({v}, [](Operands t) -> Tensors { return {cast(t[0], f32)}; })) {
      return b.count() - 1;
    }
  }
  if (b.chance(0.3) && b.attempt({v}, [](Operands t) -> Tensors { return {neg(t[0])}; })) {
    return b.count() - 1;
  }
  return v;
}

}  // namespace

bool add_extremum(GraphBuilder& b) {
  const std::optional<size_t> made =
      b.chance(0.8) ? product_and_sum(b) : std::optional(floating_rows(b));
  if (!made) return false;
  const size_t v = same_numbers(b, *made);
  const int64_t dim = b.dim(b.value(v).rank());
  const bool is_max = b.chance(0.5), is_kept = b.chance(0.5);
  if (b.chance(0.5)) {
    // Its gradient compares.
    return b.attempt({v}, [=](Operands t) -> Tensors {
      return {is_max ? max(t[0], {dim}, is_kept) : min(t[0], {dim}, is_kept)};
    });
  }
  if (!b.attempt({v}, [=](Operands t) -> Tensors {
        return {is_max ? max(t[0], {dim}, true) : min(t[0], {dim}, true)};
      })) {
    return false;
  }
  const size_t extremum = b.count() - 1;
  const bool is_equal = b.chance(0.6);
  if (!b.attempt({v, extremum}, [=](Operands t) -> Tensors {
        if (is_equal) return {equal(t[0], t[1])};
        return {is_max ? greater_equal(t[0], t[1]) : less_equal(t[0], t[1])};
      })) {
    return false;
  }
  const size_t mask = b.count() - 1;
  if (b.chance(0.5)) {
    return b.attempt({mask}, [=](Operands t) -> Tensors { return {any(t[0], {dim}, is_kept)}; });
  }
  return b.attempt({mask, v},
                   [](Operands t) -> Tensors { return {where(t[0], t[1], zeros_like(t[1]))}; });
}

}  // namespace ridge::fuzz
