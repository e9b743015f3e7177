#include "ridge/ops/arithmetic.h"

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/registry.h"

namespace ridge {

Tensor add(const At& x, const At& y) {
  static const auto& op = ops::find_op("add");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor sub(const At& x, const At& y) {
  static const auto& op = ops::find_op("sub");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor mul(const At& x, const At& y) {
  static const auto& op = ops::find_op("mul");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor fma(const At& x, const At& y, const At& z) {
  static const auto& op = ops::find_op("fma");
  return dispatch::call_one(op, x.where(), x, y, z);
}
Tensor div(const At& x, const At& y) {
  static const auto& op = ops::find_op("div");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor floor_div(const At& x, const At& y) {
  static const auto& op = ops::find_op("floor_div");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor remainder(const At& x, const At& y) {
  static const auto& op = ops::find_op("remainder");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor pow(const At& x, const At& y) {
  static const auto& op = ops::find_op("pow");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor minimum(const At& x, const At& y) {
  static const auto& op = ops::find_op("minimum");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor maximum(const At& x, const At& y) {
  static const auto& op = ops::find_op("maximum");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor clamp(const At& x, const At& low, const At& high) {
  static const auto& op = ops::find_op("clamp");
  return dispatch::call_one(op, x.where(), x, low, high);
}

Tensor neg(const At& x) {
  static const auto& op = ops::find_op("neg");
  return dispatch::call_one(op, x.where(), x);
}
Tensor abs(const At& x) {
  static const auto& op = ops::find_op("abs");
  return dispatch::call_one(op, x.where(), x);
}
Tensor sign(const At& x) {
  static const auto& op = ops::find_op("sign");
  return dispatch::call_one(op, x.where(), x);
}
Tensor reciprocal(const At& x) {
  static const auto& op = ops::find_op("reciprocal");
  return dispatch::call_one(op, x.where(), x);
}
Tensor square(const At& x) {
  static const auto& op = ops::find_op("square");
  return dispatch::call_one(op, x.where(), x);
}
Tensor floor(const At& x) {
  static const auto& op = ops::find_op("floor");
  return dispatch::call_one(op, x.where(), x);
}
Tensor ceil(const At& x) {
  static const auto& op = ops::find_op("ceil");
  return dispatch::call_one(op, x.where(), x);
}
Tensor round(const At& x) {
  static const auto& op = ops::find_op("round");
  return dispatch::call_one(op, x.where(), x);
}
Tensor trunc(const At& x) {
  static const auto& op = ops::find_op("trunc");
  return dispatch::call_one(op, x.where(), x);
}

Tensor cast(const At& x, DType dtype) {
  static const auto& op = ops::find_op("cast");
  return dispatch::call_one(op, x.where(), x, dtype);
}
Tensor widened(const At& x) {
  const DType dtype = x.tensor().dtype();
  return is_16_bit_float(dtype) ? cast(x, f32) : x.tensor();
}
Tensor copy(const At& x, const At& from) {
  static const auto& op = ops::find_op("copy");
  return dispatch::call_one(op, x.where(), x, from);
}

const Tensor& add_(const At& x, const At& y) {
  static const auto& op = ops::find_op("add_");
  dispatch::call_one(op, x.where(), x, y);
  return x.tensor();
}
const Tensor& sub_(const At& x, const At& y) {
  static const auto& op = ops::find_op("sub_");
  dispatch::call_one(op, x.where(), x, y);
  return x.tensor();
}
const Tensor& mul_(const At& x, const At& y) {
  static const auto& op = ops::find_op("mul_");
  dispatch::call_one(op, x.where(), x, y);
  return x.tensor();
}
const Tensor& div_(const At& x, const At& y) {
  static const auto& op = ops::find_op("div_");
  dispatch::call_one(op, x.where(), x, y);
  return x.tensor();
}
const Tensor& copy_(const At& x, const At& from) {
  static const auto& op = ops::find_op("copy_");
  dispatch::call_one(op, x.where(), x, from);
  return x.tensor();
}
const Tensor& fill_(const At& x, const At& value) { return copy_(x, value); }
const Tensor& zero_(const At& x) { return copy_(x, 0); }

const Tensor& in_place(std::string_view op, const At& x,
                       std::initializer_list<dispatch::Arg> others) {
  std::vector<dispatch::Arg> args = {x};
  args.insert(args.end(), others.begin(), others.end());
  dispatch::call_values(ops::find_op(std::string(op) + "_"), args, x.where());
  return x.tensor();
}

namespace ops {
namespace {

// As in PyTorch a value on the bound counts as inside: its gradient is whole, not halved.
Tensors clamp_grad(const Grads& g, const Saved& v) {
  const Tensor& x = v.tensor("x");
  const Tensor &low = v.tensor("low"), &high = v.tensor("high");
  Tensors grads(3);
  if (v.needs(0)) grads[0] = where(logical_and(x >= low, x <= high), g[0], 0);
  if (v.needs(1)) grads[1] = where(logical_and(x < low, low < high), g[0], 0);
  if (v.needs(2)) grads[2] = where(logical_or(x > high, high < low), g[0], 0);
  return grads;
}

std::vector<Shape> copy_shape(const Call& call) {
  const Shape &to = call.shape(0), &from = call.shape(1);
  bool fits = from.size() <= to.size();
  for (size_t i = 0; fits && i < from.size(); ++i) {
    const Size& size = from[from.size() - 1 - i];
    const Size& wanted = to[to.size() - 1 - i];
    fits = size.is_same(wanted) || size == 1 || size == wanted;
  }
  if (!fits) {
    call.fail(ErrorCode::shape, "a shape that broadcasts to " + to_text(to), to_text(from));
  }
  return {to};
}

// The slope of a cast from f64, where gradients are checked, drowns in the rounding of fewer digits.
void cast_samples(SampleMaker& m) {
  for (const DType dtype : {f64, i64, i8, boolean}) m.add(m.real({3, 5}), dtype);
  m.add(m.real({}), f64);
  m.add(m.real({0, 2}), f64);
  if (m.dtype() == f64) return;
  for (const DType dtype : {f32, f16, bf16}) m.add(m.real({3, 5}), dtype);
}

void copy_samples(SampleMaker& m) {
  m.add(m.real({3, 5}), m.real({3, 5}));
  m.add(m.real({2, 3, 5}), m.real({3, 1}));
  m.add(m.real({7}), m.real({}));
  m.add(m.real({}), m.real({}));
  m.add(m.real({0, 2}), m.real({2}));
}

void register_sums_and_products(Registry& ops) {
  ops.add({.schema = "neg(Tensor x) -> Tensor",
           .doc = "-x",
           .traits = Trait::Pointwise,
           .dtype = rule::promote_numbers,
           .body = [](const Scalars& s) { return -s[0]; },
           .samples = domain(-4, 4)});
  ops.add({.schema = "add(Tensor x, Tensor y) -> Tensor",
           .doc = "x + y",
           .traits = Trait::Pointwise,
           .dtype = rule::promote,
           .body = [](const Scalars& s) { return s[0] + s[1]; },
           .samples = domain(-4, 4)});
  ops.add({.schema = "sub(Tensor x, Tensor y) -> Tensor",
           .doc = "x - y",
           .traits = Trait::Pointwise,
           .dtype = rule::promote_numbers,
           .body = [](const Scalars& s) { return s[0] - s[1]; },
           .samples = domain(-4, 4)});
  ops.add({.schema = "mul(Tensor x, Tensor y) -> Tensor",
           .doc = "x * y",
           .traits = Trait::Pointwise,
           .dtype = rule::promote,
           .body = [](const Scalars& s) { return s[0] * s[1]; },
           .samples = domain(-4, 4)});
  ops.add({.schema = "fma(Tensor x, Tensor y, Tensor z) -> Tensor",
           .doc = "x * y + z, rounded once; programs form it of products that only a sum reads",
           .traits = Trait::Pointwise,
           .dtype = rule::float_only,
           .body = [](const Scalars& s) { return fma(s[0], s[1], s[2]); },
           .samples = domain(-4, 4)});
  ops.add({.schema = "square(Tensor x) -> Tensor",
           .doc = "x * x",
           .traits = Trait::Pointwise,
           .dtype = rule::promote_numbers,
           .body = [](const Scalars& s) { return s[0] * s[0]; },
           .samples = domain(-4, 4)});
  ops.add({.schema = "pow(Tensor x, Tensor y) -> Tensor",
           .doc = "x to the power y; integers need exponents >= 0",
           .traits = Trait::Pointwise,
           .dtype = rule::promote_numbers,
           .autocast = Autocast::full,
           .body = [](const Scalars& s) { return pow(s[0], s[1]); },
           .samples = domains({{0.3, 3}, {0, 3}})});
}

void register_divisions(Registry& ops) {
  ops.add({.schema = "div(Tensor x, Tensor y) -> Tensor",
           .doc = "x / y, real division: integers give the default float",
           .traits = Trait::Pointwise,
           .dtype = rule::float_result,
           .body = [](const Scalars& s) { return s[0] / s[1]; },
           .samples = domains({{-4, 4}, {1, 4}})});
  ops.add({.schema = "reciprocal(Tensor x) -> Tensor",
           .doc = "1 / x",
           .traits = Trait::Pointwise,
           .dtype = rule::float_result,
           .autocast = Autocast::full,
           .body = [](const Scalars& s) { return 1 / s[0]; },
           .samples = domain(1, 4)});
  ops.add({.schema = "floor_div(Tensor x, Tensor y) -> Tensor",
           .doc = "x / y rounded towards minus infinity",
           .traits = Trait::Pointwise,
           .dtype = rule::promote_numbers,
           .body = [](const Scalars& s) { return floor_div(s[0], s[1]); },
           .samples = domains({{-9, 9}, {1, 4}})});
  ops.add({.schema = "remainder(Tensor x, Tensor y) -> Tensor",
           .doc = "x - y * floor_div(x, y): has the sign of y",
           .traits = Trait::Pointwise,
           .dtype = rule::promote_numbers,
           .body = [](const Scalars& s) { return mod(s[0], s[1]); },
           .samples = domains({{-9, 9}, {1, 4}})});
}

void register_bounds(Registry& ops) {
  ops.add({.schema = "minimum(Tensor x, Tensor y) -> Tensor",
           .doc = "the lesser of x and y, NaN if either is",
           .traits = Trait::Pointwise,
           .dtype = rule::promote,
           .body = [](const Scalars& s) { return min(s[0], s[1]); },
           .samples = domain(-4, 4)});
  ops.add({.schema = "maximum(Tensor x, Tensor y) -> Tensor",
           .doc = "the greater of x and y, NaN if either is",
           .traits = Trait::Pointwise,
           .dtype = rule::promote,
           .body = [](const Scalars& s) { return max(s[0], s[1]); },
           .samples = domain(-4, 4)});
  ops.add({.schema = "clamp(Tensor x, Tensor low, Tensor high) -> Tensor",
           .doc = "x, but at least `low` and at most `high`",
           .traits = Trait::Pointwise,
           .dtype = rule::promote,
           .body = [](const Scalars& s) { return min(max(s[0], s[1]), s[2]); },
           .saves = "x, low, high",
           .grad = clamp_grad,
           .samples = domains({{-3, 3}, {-2, -1}, {1, 2}})});
}

void register_signs_and_steps(Registry& ops) {
  ops.add({.schema = "abs(Tensor x) -> Tensor",
           .doc = "|x|",
           .traits = Trait::Pointwise,
           .dtype = rule::promote_numbers,
           .body = [](const Scalars& s) { return abs(s[0]); },
           .samples = domain(-4, 4)});
  ops.add({.schema = "sign(Tensor x) -> Tensor",
           .doc = "-1, 0 or 1; NaN stays NaN",
           .traits = Trait::Pointwise,
           .dtype = rule::promote,
           .body = [](const Scalars& s) { return sign(s[0]); },
           .samples = domain(-4, 4)});
  ops.add({.schema = "floor(Tensor x) -> Tensor",
           .doc = "x rounded towards minus infinity",
           .traits = Trait::Pointwise,
           .dtype = rule::promote_numbers,
           .body = [](const Scalars& s) { return floor(s[0]); },
           .samples = domain(-4, 4)});
  ops.add({.schema = "ceil(Tensor x) -> Tensor",
           .doc = "x rounded towards infinity",
           .traits = Trait::Pointwise,
           .dtype = rule::promote_numbers,
           .body = [](const Scalars& s) { return ceil(s[0]); },
           .samples = domain(-4, 4)});
  ops.add({.schema = "round(Tensor x) -> Tensor",
           .doc = "x rounded to the nearest whole number, half to even",
           .traits = Trait::Pointwise,
           .dtype = rule::promote_numbers,
           .body = [](const Scalars& s) { return round(s[0]); },
           .samples = domain(-4, 4)});
  ops.add({.schema = "trunc(Tensor x) -> Tensor",
           .doc = "x rounded towards zero",
           .traits = Trait::Pointwise,
           .dtype = rule::promote_numbers,
           .body = [](const Scalars& s) { return trunc(s[0]); },
           .samples = domain(-4, 4)});
}

void register_conversions(Registry& ops) {
  ops.add({.schema = "cast(Tensor x, DType dtype) -> Tensor",
           .doc = "x as another dtype; real to integer truncates and saturates, NaN is 0",
           .traits = Trait::Pointwise,
           .dtype = rule::given("dtype"),
           .body = [](const Scalars& s) { return s[0]; },
           .samples = cast_samples});
  ops.add({.schema = "copy(Tensor x, Tensor from) -> Tensor",
           .doc = "the values of `from` in the shape and dtype of x",
           .traits = Trait::Pointwise,
           .dtype = rule::like(0),
           .shape = copy_shape,
           .body = [](const Scalars& s) { return s[1]; },
           .samples = copy_samples});
}

}  // namespace

void register_arithmetic(Registry& ops) {
  register_sums_and_products(ops);
  register_divisions(ops);
  register_bounds(ops);
  register_signs_and_steps(ops);
  register_conversions(ops);
}

}  // namespace ops
}  // namespace ridge
