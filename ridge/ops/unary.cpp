#include "ridge/ops/unary.h"

#include <cmath>
#include <numbers>

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
Tensor atan2(const At& y, const At& x) {
  static const auto& op = ops::find_op("atan2");
  return dispatch::call_one(op, y.where(), y, x);
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

using expr::Expr;
using std::numbers::pi;

// Terms of the series of atan(t) / t that f64 has digits for where |t| <= tan(pi / 16).
constexpr int kTerms = 12;

// atan of z in [0, 1], by plain arithmetic, so that every device computes it alike. The nearest of the angles 0, pi/8 and pi/4 is taken off first, by
// atan(z) = atan(c) + atan((z - c) / (1 + c z)); the rest is small enough for the Taylor series.
Expr first_octant(const Expr& z) {
  const Expr near_zero = z <= std::tan(pi / 16), near_eighth = z <= std::tan(3 * pi / 16);
  const Expr c = select(near_zero, 0.0, select(near_eighth, std::tan(pi / 8), 1.0));
  const Expr angle = select(near_zero, 0.0, select(near_eighth, pi / 8, pi / 4));
  const Expr t = (z - c) / (1 + c * z);
  const Expr square = t * t;
  Expr series = 0.0;
  for (int i = kTerms - 1; i >= 0; --i) {
    series = series * square + (i % 2 == 0 ? 1.0 : -1.0) / (2 * i + 1);
  }
  return angle + t * series;
}

// Below zero, or a zero with a minus sign: -0.0 tells the two sides of the cut apart.
Expr has_minus(const Expr& a) { return a < 0.0 || (equal(a, 0.0) && 1.0 / a < 0.0); }

Expr atan2_body(const Scalars& s) {
  const Expr y = abs(s[0]), x = abs(s[1]);
  const Expr larger = max(x, y), smaller = min(x, y);
  // Of two equal ones the ratio is 1, also where they are infinite; of two zeros the angle is 0.
  const Expr ratio =
      select(equal(smaller, larger), select(equal(larger, 0.0), 0.0, 1.0), smaller / larger);
  const Expr octant = first_octant(ratio);
  // Mirrored by a sign and an offset: a choice between two angles would have the octant in it twice, and
  // each choice around it twice that again.
  const auto sign_if = [](const Expr& is_mirrored) { return select(is_mirrored, -1.0, 1.0); };
  const Expr is_steep = y > x, is_left = has_minus(s[1]);
  const Expr quadrant = select(is_steep, pi / 2, 0.0) + sign_if(is_steep) * octant;
  const Expr half = select(is_left, pi, 0.0) + sign_if(is_left) * quadrant;
  return sign_if(has_minus(s[0])) * half;
}

Tensors atan2_grad(const Grads& g, const Saved& v) {
  const Tensor y = widened(v.tensor("y")), x = widened(v.tensor("x"));
  const Tensor share = g[0] / (x * x + y * y);
  Tensors grads(2);
  if (v.needs(0)) grads[0] = share * x;
  if (v.needs(1)) grads[1] = -(share * y);
  return grads;
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
  ops.add({.schema = "atan2(Tensor y, Tensor x) -> Tensor",
           .doc = "the angle of the point (x, y), in [-pi, pi]",
           .traits = Trait::Pointwise,
           .dtype = rule::float_result,
           .body = atan2_body,
           .saves = "y, x",
           .grad = atan2_grad,
           .samples = domains({{-4, 4}, {0.5, 4}})});
}

}  // namespace

void register_unary(Registry& ops) {
  register_exponentials(ops);
  register_roots(ops);
  register_waves(ops);
}

}  // namespace ops
}  // namespace ridge
