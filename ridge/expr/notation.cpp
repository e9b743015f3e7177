// Operators and named functions over Expr: one line each, all by way of `call`.
#include "ridge/expr/expr.h"

namespace ridge::expr {
namespace {

Expr unary(Function function, Expr& a) { return call(function, {std::move(a)}); }
Expr binary(Function function, Expr& a, Expr& b) {
  return call(function, {std::move(a), std::move(b)});
}

}  // namespace

Expr operator-(Expr a) { return unary(Function::neg, a); }
Expr operator+(Expr a, Expr b) { return binary(Function::add, a, b); }
Expr operator-(Expr a, Expr b) { return binary(Function::sub, a, b); }
Expr operator*(Expr a, Expr b) { return binary(Function::mul, a, b); }
Expr operator/(Expr a, Expr b) { return binary(Function::div, a, b); }

Expr operator<(Expr a, Expr b) { return binary(Function::less, a, b); }
Expr operator<=(Expr a, Expr b) { return binary(Function::less_equal, a, b); }
Expr operator>(Expr a, Expr b) { return binary(Function::less, b, a); }
Expr operator>=(Expr a, Expr b) { return binary(Function::less_equal, b, a); }
Expr equal(Expr a, Expr b) { return binary(Function::equal, a, b); }
Expr not_equal(Expr a, Expr b) { return binary(Function::not_equal, a, b); }

Expr operator&&(Expr a, Expr b) { return binary(Function::logical_and, a, b); }
Expr operator||(Expr a, Expr b) { return binary(Function::logical_or, a, b); }
Expr operator!(Expr a) { return unary(Function::logical_not, a); }
Expr select(Expr condition, Expr if_true, Expr if_false) {
  return call(Function::select, {std::move(condition), std::move(if_true), std::move(if_false)});
}

Expr floor_div(Expr a, Expr b) { return binary(Function::floor_div, a, b); }
Expr mod(Expr a, Expr b) { return binary(Function::mod, a, b); }
Expr min(Expr a, Expr b) { return binary(Function::min, a, b); }
Expr max(Expr a, Expr b) { return binary(Function::max, a, b); }
Expr pow(Expr a, Expr b) { return binary(Function::pow, a, b); }
Expr fma(Expr a, Expr b, Expr c) {
  return call(Function::fma, {std::move(a), std::move(b), std::move(c)});
}
Expr abs(Expr a) { return unary(Function::abs, a); }
Expr sign(Expr a) { return unary(Function::sign, a); }
Expr floor(Expr a) { return unary(Function::floor, a); }
Expr ceil(Expr a) { return unary(Function::ceil, a); }
Expr round(Expr a) { return unary(Function::round, a); }
Expr trunc(Expr a) { return unary(Function::trunc, a); }

Expr exp(Expr a) { return unary(Function::exp, a); }
Expr log(Expr a) { return unary(Function::log, a); }
Expr sqrt(Expr a) { return unary(Function::sqrt, a); }
Expr rsqrt(Expr a) { return unary(Function::rsqrt, a); }
Expr sin(Expr a) { return unary(Function::sin, a); }
Expr cos(Expr a) { return unary(Function::cos, a); }
Expr tanh(Expr a) { return unary(Function::tanh, a); }
Expr erf(Expr a) { return unary(Function::erf, a); }
Expr is_nan(Expr a) { return unary(Function::is_nan, a); }

Expr checked_index(Expr index, Expr extent) {
  return binary(Function::checked_index, index, extent);
}
Expr shift_right(Expr a, Expr bits) { return binary(Function::shift_right, a, bits); }
Expr f16_value(Expr bits) { return unary(Function::f16_value, bits); }

}  // namespace ridge::expr
