#include "ridge/ops/activation.h"

#include <numbers>

#include "ridge/dispatch/call.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/registry.h"
#include "ridge/ops/unary.h"

namespace ridge {

Tensor relu(const At& x) {
  static const auto& op = ops::find_op("relu");
  return dispatch::call_one(op, x.where(), x);
}
Tensor gelu(const At& x) {
  static const auto& op = ops::find_op("gelu");
  return dispatch::call_one(op, x.where(), x);
}
Tensor gelu_tanh(const At& x) {
  static const auto& op = ops::find_op("gelu_tanh");
  return dispatch::call_one(op, x.where(), x);
}
Tensor silu(const At& x) {
  static const auto& op = ops::find_op("silu");
  return dispatch::call_one(op, x.where(), x);
}
Tensor softplus(const At& x) {
  static const auto& op = ops::find_op("softplus");
  return dispatch::call_one(op, x.where(), x);
}

Tensor leaky_relu(const At& x, double slope) {
  static const auto& op = ops::find_op("leaky_relu");
  return dispatch::call_one(op, x.where(), x, slope);
}

const Tensor& relu_(const At& x) {
  static const auto& op = ops::find_op("relu_");
  dispatch::call_one(op, x.where(), x);
  return x.tensor();
}

namespace ops {
namespace {

using expr::Expr;
using std::numbers::inv_sqrtpi;
using std::numbers::sqrt2;

Expr gelu_body(const Scalars& s) { return 0.5 * s[0] * (1 + erf(s[0] / sqrt2)); }

Expr gelu_tanh_body(const Scalars& s) {
  const Expr x = s[0];
  const Expr inner = sqrt2 * inv_sqrtpi * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1 + tanh(inner));
}

// max(x, 0) + log(1 + exp(-|x|)): the exponential is at most 1. The second term is written as in
// log1p, so that it keeps its digits where exp(-|x|) is small against 1.
Expr softplus_body(const Scalars& s) {
  const Expr small = exp(-abs(s[0]));
  const Expr sum = 1 + small;
  const Expr log_of_sum = select(equal(sum, 1), small, log(sum) * (small / (sum - 1)));
  return max(s[0], 0) + log_of_sum;
}

Tensors silu_grad(const Grads& g, const Saved& v) {
  const Tensor x = widened(v.tensor("x"));
  const Tensor s = sigmoid(x);
  return {g[0] * s * (1 + x * (1 - s))};
}

void leaky_relu_samples(SampleMaker& m) {
  m.add(m.real({3, 5}, -4, 4), 0.01);
  m.add(m.strided(m.real({2, 3, 5}, -4, 4)), 0.25);
  m.add(m.real({}), 2.0);
  m.add(m.real({0}), 0.01);
}

}  // namespace

void register_activation(Registry& ops) {
  ops.add({.schema = "relu(Tensor x) -> Tensor",
           .doc = "x where it is positive, else 0; NaN stays NaN",
           .traits = Trait::Pointwise,
           .dtype = rule::promote_numbers,
           .body = [](const Scalars& s) { return select(s[0] <= 0, 0, s[0]); },
           .saves = "result",  // which is at hand more often than x
           .grad = [](const Grads& g, const Saved& v) -> Tensors {
             return {where(v.output() <= 0, 0, g[0])};
           },
           .samples = domain(-4, 4)});
  ops.add({.schema = "leaky_relu(Tensor x, Float slope=0.01) -> Tensor",
           .doc = "x where it is positive, else slope * x",
           .traits = Trait::Pointwise,
           .dtype = rule::float_only,
           .body = [](const Scalars& s) { return select(s[0] > 0, s[0], s.param("slope") * s[0]); },
           .samples = leaky_relu_samples});
  ops.add({.schema = "gelu(Tensor x) -> Tensor",
           .doc = "x times the normal distribution function of x",
           .traits = Trait::Pointwise,
           .dtype = rule::float_only,
           .body = gelu_body,
           .samples = domain(-4, 4)});
  ops.add({.schema = "gelu_tanh(Tensor x) -> Tensor",
           .doc = "gelu, approximated by tanh",
           .traits = Trait::Pointwise,
           .dtype = rule::float_only,
           .body = gelu_tanh_body,
           .samples = domain(-4, 4)});
  ops.add({.schema = "silu(Tensor x) -> Tensor",
           .doc = "x * sigmoid(x)",
           .traits = Trait::Pointwise,
           .dtype = rule::float_only,
           .body = [](const Scalars& s) { return s[0] / (1 + exp(-s[0])); },
           .saves = "x",
           .grad = silu_grad,  // the derived one is NaN once exp(-x) overflows
           .samples = domain(-8, 8)});
  ops.add({.schema = "softplus(Tensor x) -> Tensor",
           .doc = "log(1 + exp(x)), finite wherever x is",
           .traits = Trait::Pointwise,
           .dtype = rule::float_only,
           .autocast = Autocast::full,
           .body = softplus_body,
           .saves = "x",
           .grad = [](const Grads& g, const Saved& v) -> Tensors {
             return {g[0] * sigmoid(widened(v.tensor("x")))};
           },
           .samples = domain(-8, 8)});
}

}  // namespace ops
}  // namespace ridge
