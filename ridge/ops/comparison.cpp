#include "ridge/ops/comparison.h"

#include <limits>

#include "ridge/dispatch/call.h"
#include "ridge/ops/registry.h"

namespace ridge {

Tensor equal(const At& x, const At& y) {
  static const auto& op = ops::find_op("equal");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor not_equal(const At& x, const At& y) {
  static const auto& op = ops::find_op("not_equal");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor less(const At& x, const At& y) {
  static const auto& op = ops::find_op("less");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor less_equal(const At& x, const At& y) {
  static const auto& op = ops::find_op("less_equal");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor greater(const At& x, const At& y) {
  static const auto& op = ops::find_op("greater");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor greater_equal(const At& x, const At& y) {
  static const auto& op = ops::find_op("greater_equal");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor logical_and(const At& x, const At& y) {
  static const auto& op = ops::find_op("logical_and");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor logical_or(const At& x, const At& y) {
  static const auto& op = ops::find_op("logical_or");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor logical_xor(const At& x, const At& y) {
  static const auto& op = ops::find_op("logical_xor");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor logical_not(const At& x) {
  static const auto& op = ops::find_op("logical_not");
  return dispatch::call_one(op, x.where(), x);
}
Tensor is_nan(const At& x) {
  static const auto& op = ops::find_op("is_nan");
  return dispatch::call_one(op, x.where(), x);
}
Tensor is_finite(const At& x) {
  static const auto& op = ops::find_op("is_finite");
  return dispatch::call_one(op, x.where(), x);
}

Tensor where(const At& condition, const At& x, const At& y) {
  static const auto& op = ops::find_op("where");
  return dispatch::call_one(op, condition.where(), condition, x, y);
}

namespace ops {
namespace {

// Whole numbers from a short range, so that ties are among the samples.
Samples tied() {
  return [](SampleMaker& m) {
    const auto whole = [&m](const Shape& shape) {
      return is_boolean(m.dtype()) ? m.flags(shape) : m.integers(shape, 0, 3, m.dtype());
    };
    m.add(whole({2, 3, 5}), whole({3, 5}));
    m.add(whole({7}), whole({}));
    m.add(whole({0}), whole({1}));
    m.add(m.strided(whole({13, 3})), m.real({13, 3}));
  };
}

void where_samples(SampleMaker& m) {
  m.add(m.flags({3, 5}), m.real({3, 5}), m.real({3, 5}));
  m.add(m.flags({3, 1}), m.real({5}), m.real({}));
  m.add(m.flags({}), m.real({2, 3}), m.real({3}));
  m.add(m.flags({0, 2}), m.real({2}), m.real({1, 1}));
}

void register_orders(Registry& ops) {
  ops.add({.schema = "equal(Tensor x, Tensor y) -> Tensor",
           .doc = "x == y; false where either is NaN",
           .traits = Trait::Pointwise,
           .dtype = rule::compare,
           .body = [](const Scalars& s) { return equal(s[0], s[1]); },
           .differentiable = false,
           .samples = tied()});
  ops.add({.schema = "not_equal(Tensor x, Tensor y) -> Tensor",
           .doc = "x != y; true where either is NaN",
           .traits = Trait::Pointwise,
           .dtype = rule::compare,
           .body = [](const Scalars& s) { return not_equal(s[0], s[1]); },
           .differentiable = false,
           .samples = tied()});
  ops.add({.schema = "less(Tensor x, Tensor y) -> Tensor",
           .doc = "x < y; false where either is NaN",
           .traits = Trait::Pointwise,
           .dtype = rule::compare,
           .body = [](const Scalars& s) { return s[0] < s[1]; },
           .differentiable = false,
           .samples = tied()});
  ops.add({.schema = "less_equal(Tensor x, Tensor y) -> Tensor",
           .doc = "x <= y; false where either is NaN",
           .traits = Trait::Pointwise,
           .dtype = rule::compare,
           .body = [](const Scalars& s) { return s[0] <= s[1]; },
           .differentiable = false,
           .samples = tied()});
  ops.add({.schema = "greater(Tensor x, Tensor y) -> Tensor",
           .doc = "x > y; false where either is NaN",
           .traits = Trait::Pointwise,
           .dtype = rule::compare,
           .body = [](const Scalars& s) { return s[0] > s[1]; },
           .differentiable = false,
           .samples = tied()});
  ops.add({.schema = "greater_equal(Tensor x, Tensor y) -> Tensor",
           .doc = "x >= y; false where either is NaN",
           .traits = Trait::Pointwise,
           .dtype = rule::compare,
           .body = [](const Scalars& s) { return s[0] >= s[1]; },
           .differentiable = false,
           .samples = tied()});
}

void register_logic(Registry& ops) {
  ops.add({.schema = "logical_and(Tensor x, Tensor y) -> Tensor",
           .doc = "x and y, where anything but zero is true",
           .traits = Trait::Pointwise,
           .dtype = rule::logical,
           .body = [](const Scalars& s) { return s[0] && s[1]; },
           .differentiable = false,
           .samples = tied()});
  ops.add({.schema = "logical_or(Tensor x, Tensor y) -> Tensor",
           .doc = "x or y, where anything but zero is true",
           .traits = Trait::Pointwise,
           .dtype = rule::logical,
           .body = [](const Scalars& s) { return s[0] || s[1]; },
           .differentiable = false,
           .samples = tied()});
  ops.add(
      {.schema = "logical_xor(Tensor x, Tensor y) -> Tensor",
       .doc = "exactly one of x and y, where anything but zero is true",
       .traits = Trait::Pointwise,
       .dtype = rule::logical,
       .body =
           [](const Scalars& s) { return expr::call(expr::Function::logical_xor, {s[0], s[1]}); },
       .differentiable = false,
       .samples = tied()});
  ops.add({.schema = "logical_not(Tensor x) -> Tensor",
           .doc = "true where x is zero",
           .traits = Trait::Pointwise,
           .dtype = rule::logical,
           .body = [](const Scalars& s) { return !s[0]; },
           .differentiable = false,
           .samples = domain(-2, 2)});
  ops.add({.schema = "is_nan(Tensor x) -> Tensor",
           .doc = "true where x is NaN",
           .traits = Trait::Pointwise,
           .dtype = rule::logical,
           .body = [](const Scalars& s) { return is_nan(s[0]); },
           .differentiable = false,
           .samples = domain(-2, 2)});
  ops.add(
      {.schema = "is_finite(Tensor x) -> Tensor",
       .doc = "true where x is neither infinite nor NaN",
       .traits = Trait::Pointwise,
       .dtype = rule::logical,
       .body = [](const Scalars& s) { return abs(s[0]) < std::numeric_limits<double>::infinity(); },
       .differentiable = false,
       .samples = domain(-2, 2)});
}

}  // namespace

void register_comparison(Registry& ops) {
  register_orders(ops);
  register_logic(ops);
  ops.add({.schema = "where(Tensor condition, Tensor x, Tensor y) -> Tensor",
           .doc = "x where the condition is true, y elsewhere",
           .traits = Trait::Pointwise,
           .dtype = rule::choose,
           .body = [](const Scalars& s) { return select(s[0], s[1], s[2]); },
           .samples = where_samples});
}

}  // namespace ops
}  // namespace ridge
