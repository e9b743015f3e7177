#include "ridge/ops/unary.h"

#include "ridge/dispatch/call.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/registry.h"

namespace ridge {

Tensor exp(const At& x) {
  static const auto& op = ops::find_op("exp");
  return dispatch::call_one(op, x.where(), x);
}
Tensor log(const At& x) {
  static const auto& op = ops::find_op("log");
  return dispatch::call_one(op, x.where(), x);
}
Tensor log1p(const At& x) {
  static const auto& op = ops::find_op("log1p");
  return dispatch::call_one(op, x.where(), x);
}
Tensor sqrt(const At& x) {
  static const auto& op = ops::find_op("sqrt");
  return dispatch::call_one(op, x.where(), x);
}
Tensor rsqrt(const At& x) {
  static const auto& op = ops::find_op("rsqrt");
  return dispatch::call_one(op, x.where(), x);
}
Tensor sin(const At& x) {
  static const auto& op = ops::find_op("sin");
  return dispatch::call_one(op, x.where(), x);
}
Tensor cos(const At& x) {
  static const auto& op = ops::find_op("cos");
  return dispatch::call_one(op, x.where(), x);
}
Tensor tanh(const At& x) {
  static const auto& op = ops::find_op("tanh");
  return dispatch::call_one(op, x.where(), x);
}
Tensor erf(const At& x) {
  static const auto& op = ops::find_op("erf");
  return dispatch::call_one(op, x.where(), x);
}
Tensor sigmoid(const At& x) {
  static const auto& op = ops::find_op("sigmoid");
  return dispatch::call_one(op, x.where(), x);
}

namespace ops {
namespace {

// Where 1 + x rounds, log(1 + x) is as far off as (1 + x) - 1 is from x: the ratio repairs both. It is
// 1 where nothing was lost, so also for an x that is infinite.
expr::Expr log1p_body(const Scalars& s) {
  const expr::Expr x = s[0];
  const expr::Expr sum = 1 + x, kept = sum - 1;
  const expr::Expr ratio = select(equal(kept, x), 1.0, x / kept);
  return select(equal(sum, 1), x, log(sum) * ratio);
}

void register_exponentials(Registry& ops) {
  ops.add({.schema = "exp(Tensor x) -> Tensor",
           .doc = "e to the power x",
           .traits = Trait::Pointwise,
           .dtype = rule::float_result,
           .autocast = Autocast::full,
           .body = [](const Scalars& s) { return exp(s[0]); },
           .samples = domain(-4, 4)});
  ops.add({.schema = "log(Tensor x) -> Tensor",
           .doc = "natural logarithm",
           .traits = Trait::Pointwise,
           .dtype = rule::float_result,
           .autocast = Autocast::full,
           .body = [](const Scalars& s) { return log(s[0]); },
           .samples = domain(0.1, 4)});
  ops.add({.schema = "log1p(Tensor x) -> Tensor",
           .doc = "log(1 + x), exact also where x is tiny",
           .traits = Trait::Pointwise,
           .dtype = rule::float_result,
           .autocast = Autocast::full,
           .body = log1p_body,
           .saves = "x",
           .grad = [](const Grads& g, const Saved& v) -> Tensors {
             return {g[0] / (1 + v.tensor("x"))};
           },
           .samples = domain(-0.9, 4)});
  ops.add({.schema = "sigmoid(Tensor x) -> Tensor",
           .doc = "1 / (1 + exp(-x))",
           .traits = Trait::Pointwise,
           .dtype = rule::float_result,
           .body = [](const Scalars& s) { return 1 / (1 + exp(-s[0])); },
           .saves = "result",
           // The derived one has exp(-x) above and below: NaN once it overflows.
           .grad = [](const Grads& g, const Saved& v) -> Tensors {
             const Tensor y = widened(v.output());
             return {g[0] * y * (1 - y)};
           },
           .samples = domain(-8, 8)});
  ops.add({.schema = "tanh(Tensor x) -> Tensor",
           .doc = "hyperbolic tangent",
           .traits = Trait::Pointwise,
           .dtype = rule::float_result,
           .body = [](const Scalars& s) { return tanh(s[0]); },
           .samples = domain(-4, 4)});
}

void register_roots(Registry& ops) {
  ops.add({.schema = "sqrt(Tensor x) -> Tensor",
           .doc = "square root; NaN below 0",
           .traits = Trait::Pointwise,
           .dtype = rule::float_result,
           .body = [](const Scalars& s) { return sqrt(s[0]); },
           .samples = domain(0.1, 4)});
  ops.add({.schema = "rsqrt(Tensor x) -> Tensor",
           .doc = "1 / sqrt(x)",
           .traits = Trait::Pointwise,
           .dtype = rule::float_result,
           .autocast = Autocast::full,
           .body = [](const Scalars& s) { return rsqrt(s[0]); },
           .samples = domain(0.1, 4)});
}

void register_waves(Registry& ops) {
  ops.add({.schema = "sin(Tensor x) -> Tensor",
           .doc = "sine",
           .traits = Trait::Pointwise,
           .dtype = rule::float_result,
           .body = [](const Scalars& s) { return sin(s[0]); },
           .samples = domain(-8, 8)});
  ops.add({.schema = "cos(Tensor x) -> Tensor",
           .doc = "cosine",
           .traits = Trait::Pointwise,
           .dtype = rule::float_result,
           .body = [](const Scalars& s) { return cos(s[0]); },
           .samples = domain(-8, 8)});
  ops.add({.schema = "erf(Tensor x) -> Tensor",
           .doc = "error function",
           .traits = Trait::Pointwise,
           .dtype = rule::float_result,
           .body = [](const Scalars& s) { return erf(s[0]); },
           .samples = domain(-3, 3)});
}

}  // namespace

void register_unary(Registry& ops) {
  register_exponentials(ops);
  register_roots(ops);
  register_waves(ops);
}

}  // namespace ops
}  // namespace ridge
