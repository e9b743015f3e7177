#include "ridge/expr/derivative.h"

#include <numbers>
#include <unordered_map>

#include "ridge/expr/simplify.h"

namespace ridge::expr {
namespace {

const Expr& zero() {
  // Never destroyed: static destructors of the host may still ask for gradients.
  static const Expr& zero_of_reals = *new Expr(constant(0.0));
  return zero_of_reals;
}
bool is_zero(const Expr& e) { return is_constant(e, 0); }

// Sums and products of derivatives. A derivative that is the constant 0 means "does not depend",
// and stays 0 whatever it is multiplied with, infinity and NaN included.
Expr plus(const Expr& a, const Expr& b) {
  if (is_zero(a)) return b;
  return is_zero(b) ? a : a + b;
}
Expr minus(const Expr& a, const Expr& b) {
  if (is_zero(b)) return a;
  return is_zero(a) ? -b : a - b;
}
Expr times(const Expr& derivative, const Expr& factor) {
  if (is_zero(derivative)) return zero();
  if (is_constant(derivative, 1)) return factor;
  if (is_constant(derivative, -1)) return -factor;
  return is_constant(factor, 1) ? derivative : derivative * factor;
}
Expr divided(const Expr& derivative, const Expr& divisor) {
  return is_zero(derivative) ? zero() : derivative / divisor;
}
Expr choose(const Expr& condition, const Expr& if_true, const Expr& if_false) {
  if (is_zero(if_true) && is_zero(if_false)) return zero();
  return select(condition, if_true, if_false);
}

// b a^(b-1) is 0 * infinity at a = b = 0, and a^b log(a) is 0 * -infinity at a = 0 < b: the limits
// there are 0, and PyTorch gives 0.
Expr pow_derivative(const Expr& e, const Expr& da, const Expr& db) {
  const Expr& a = e->args[0];
  const Expr& b = e->args[1];
  Expr by_base = times(da, select(equal(b, 0.0), 0.0, b * pow(a, b - 1.0)));
  if (is_zero(db)) return by_base;
  const Expr is_flat = equal(a, 0.0) && b >= 0.0;
  return plus(by_base, times(db, select(is_flat, 0.0, e * log(a))));
}

// The side that is chosen; both evenly at a tie.
Expr extremum_derivative(const Expr& e, const Expr& da, const Expr& db) {
  const Expr& a = e->args[0];
  const Expr& b = e->args[1];
  const Expr takes_first = e->function == Function::min ? a < b : b < a;
  return choose(equal(a, b), times(plus(da, db), 0.5), choose(takes_first, da, db));
}

// The derivative of a real call, from its operands and theirs (da, db, dc).
Expr call_derivative(const Expr& e, const Expr& da, const Expr& db, const Expr& dc) {
  const Expr& a = e->args[0];
  const Expr& b = e->args.size() > 1 ? e->args[1] : a;
  switch (e->function) {
    case Function::neg: return is_zero(da) ? zero() : -da;
    case Function::add: return plus(da, db);
    case Function::sub: return minus(da, db);
    case Function::mul: return plus(times(da, b), times(db, a));
    case Function::fma: return plus(plus(times(da, b), times(db, a)), dc);
    case Function::div: return minus(divided(da, b), divided(times(db, e), b));
    case Function::mod: return minus(da, times(db, floor_div(a, b)));
    case Function::pow: return pow_derivative(e, da, db);
    case Function::min:
    case Function::max: return extremum_derivative(e, da, db);
    case Function::abs: return times(da, sign(a));
    case Function::select: return choose(a, db, dc);

    case Function::exp: return times(da, e);
    case Function::log: return divided(da, a);
    case Function::sqrt: return divided(da, 2.0 * e);
    case Function::rsqrt: return times(da, -0.5 * (e * e * e));
    case Function::sin: return times(da, cos(a));
    case Function::cos: return times(da, -sin(a));
    case Function::tanh: return times(da, 1.0 - e * e);
    case Function::erf: return times(da, constant(2 * std::numbers::inv_sqrtpi) * exp(-(a * a)));

    case Function::floor_div:
    case Function::sign:
    case Function::floor:
    case Function::ceil:
    case Function::round:
    case Function::trunc: return zero();  // steps

    case Function::equal:
    case Function::not_equal:
    case Function::less:
    case Function::less_equal:
    case Function::logical_and:
    case Function::logical_or:
    case Function::logical_xor:
    case Function::logical_not:
    case Function::is_nan:
    case Function::checked_index:
    case Function::philox:
    case Function::shift_right:
    case Function::f16_value: return zero();  // of or to integers
  }
  return zero();
}

}  // namespace

Expr derivative(const Expr& e, int input_index) {
  std::unordered_map<const Node*, Expr> known;
  walk(e, [&](const Expr& node) {
    Expr result = zero();
    const auto of_arg = [&](size_t i) {
      return i < node->args.size() ? known.at(node->args[i].get()) : zero();
    };
    if (node->type == Type::real) {
      if (node->kind == Kind::input && node->index == input_index) result = constant(1.0);
      if (node->kind == Kind::call) {
        result = call_derivative(node, of_arg(0), of_arg(1), of_arg(2));
      }
    }
    known.emplace(node.get(), std::move(result));
  });
  return simplify(known.at(e.get()));
}

}  // namespace ridge::expr
