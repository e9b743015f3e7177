// Functions of reals: only what leaves every bit of the result alone, for signed zeros,
// infinities and NaN too. x + 0.0 is not here (it turns -0.0 into 0.0), nor is x * 0 or x - x.
#include <cmath>

#include "ridge/expr/simplifier.h"

namespace ridge::expr {
namespace {

bool is_one(const Expr& e) { return is_constant(e, 1); }
bool is_zero(const Expr& e) { return is_constant(e, 0) && !std::signbit(e->real); }
bool is_minus_zero(const Expr& e) { return is_constant(e, 0) && std::signbit(e->real); }

// Whether e is a whole number already (or not finite), so that rounding does nothing.
bool is_whole(const Expr& e) {
  if (e->kind == Kind::cast) return true;  // from an integer
  return is_call(e, Function::floor) || is_call(e, Function::ceil) || is_call(e, Function::round) ||
         is_call(e, Function::trunc);
}

// -a * b is -(a * b), where a sum around it can take up the sign.
Expr pull_out_negation(const Expr& e) {
  for (size_t i = 0; i < 2; ++i) {
    if (!is_call(e->args[i], Function::neg)) continue;
    std::vector<Expr> args(e->args.begin(), e->args.end());
    args[i] = args[i]->args[0];
    const Expr rest = pull_out_negation(call(e->function, std::move(args)));
    return is_call(rest, Function::neg) ? rest->args[0] : -rest;
  }
  return e;
}

}  // namespace

Expr simplify_real(const Expr& e) {
  const Expr& a = e->args[0];
  const Expr& b = e->args.size() > 1 ? e->args[1] : a;
  switch (e->function) {
    case Function::neg: return is_call(a, Function::neg) ? a->args[0] : e;
    case Function::add:
      if (is_minus_zero(a)) return b;
      if (is_minus_zero(b)) return a;
      return is_call(b, Function::neg) ? a - b->args[0] : e;
    case Function::sub:
      if (is_zero(b)) return a;
      return is_call(b, Function::neg) ? a + b->args[0] : e;
    case Function::mul:
      if (is_one(a)) return b;
      return is_one(b) ? a : pull_out_negation(e);
    case Function::div: return is_one(b) ? a : pull_out_negation(e);
    case Function::pow: return is_one(b) ? a : e;
    case Function::min:
    case Function::max: return same(a, b) ? a : e;
    case Function::abs:
      if (is_call(a, Function::abs)) return a;
      return is_call(a, Function::neg) ? abs(a->args[0]) : e;
    case Function::floor:
    case Function::ceil:
    case Function::round:
    case Function::trunc: return is_whole(a) ? a : e;

    case Function::fma:
    case Function::floor_div:
    case Function::mod:
    case Function::sign:
    case Function::exp:
    case Function::log:
    case Function::sqrt:
    case Function::rsqrt:
    case Function::sin:
    case Function::cos:
    case Function::tanh:
    case Function::erf: return e;

    case Function::equal:
    case Function::not_equal:
    case Function::less:
    case Function::less_equal:
    case Function::logical_and:
    case Function::logical_or:
    case Function::logical_xor:
    case Function::logical_not:
    case Function::is_nan:
    case Function::select:
    case Function::checked_index:
    case Function::philox:
    case Function::shift_right:
    case Function::f16_value: return e;  // the result is not a real, or not computed
  }
  return e;
}

}  // namespace ridge::expr
