// What each function means on numbers.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/expr/evaluate.h"
#include "ridge/expr/integer.h"

namespace ridge::expr {
namespace {

using Args = std::span<const Number>;

// As in Python and PyTorch: the quotient follows from the exact remainder, so it does not round
// up past the true one (1.0 // 0.1 is 9, though 1.0 / 0.1 rounds to 10).
double real_mod(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
double real_floor_div(double a, double b) {
  if (b == 0) return a / b;
  const double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double floor = std::floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

double real_min(double a, double b) { return std::isnan(a) || a < b ? a : b; }
double real_max(double a, double b) { return std::isnan(a) || b < a ? a : b; }
double real_sign(double a) { return std::isnan(a) ? a : static_cast<double>((a > 0) - (a < 0)); }

int64_t integer_min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t integer_max(int64_t a, int64_t b) { return a < b ? b : a; }

// One operation on the operands as they are: in double for reals, in 64 bits otherwise.
template <class Real, class Integer>
Number unary(Args args, Real on_reals, Integer on_integers) {
  if (args[0].type == Type::real) return Number::of(on_reals(args[0].real));
  return Number::of(on_integers(args[0].integer));
}
template <class Real, class Integer>
Number binary(Args args, Real on_reals, Integer on_integers) {
  if (args[0].type == Type::real) return Number::of(on_reals(args[0].real, args[1].real));
  return Number::of(on_integers(args[0].integer, args[1].integer));
}
template <class Compare>
Number comparison(Args args, Compare compare) {
  return binary(args, compare, compare);
}
template <class Logic>
Number logic(Args args, Logic combine) {
  return Number::of(combine(args[0].as_boolean(), args[1].as_boolean()));
}
template <class Round>
Number rounding(Args args, Round round) {
  return args[0].type == Type::real ? Number::of(round(args[0].real)) : args[0];
}
Number real(Args args, double (*function)(double)) {
  return Number::of(function(args[0].as_real()));
}

// Sign, 5 bits of exponent, 10 of fraction.
double f16_value(int64_t bits) {
  const auto fraction = static_cast<double>(bits & 0x3ff);
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  double value = std::ldexp(exponent == 0 ? fraction : fraction + 1024, std::max(exponent, 1) - 25);
  if (exponent == 31) {
    value = fraction == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  }
  return (bits >> 15 & 1) != 0 ? -value : value;
}

[[noreturn]] void refuse(Function function, Args args) {
  const auto text = [&](size_t i) { return ridge::to_text(args[i].integer); };
  if (function == Function::checked_index) {
    throw_error({.code = ErrorCode::index,
                 .expected = "an index from 0 to " + text(1) + ", without the end",
                 .given = text(0)});
  }
  if (function == Function::pow) {
    throw_error({.code = ErrorCode::value,
                 .expected = "a non-negative exponent of an integer power",
                 .given = text(1)});
  }
  throw_error({.code = ErrorCode::value,
               .expected = "a divisor other than 0",
               .given = concat(text(0), " ", info(function).symbol, " ", text(1))});
}

}  // namespace

bool can_apply(Function function, Args args) {
  if (args.back().type == Type::real) return true;
  const int64_t last = args.back().integer;
  if (function == Function::floor_div || function == Function::mod) return last != 0;
  if (function == Function::pow) return last >= 0;
  if (function == Function::checked_index) return args[0].integer >= 0 && args[0].integer < last;
  return true;
}

Number apply(Function function, Args args) {
  if (!can_apply(function, args)) refuse(function, args);
  switch (function) {
    case Function::neg:
      return unary(args, std::negate<>(), [](int64_t a) { return wrapping_sub(0, a); });
    case Function::add: return binary(args, std::plus<>(), wrapping_add);
    case Function::sub: return binary(args, std::minus<>(), wrapping_sub);
    case Function::mul: return binary(args, std::multiplies<>(), wrapping_mul);
    case Function::fma:
      return Number::of(std::fma(args[0].as_real(), args[1].as_real(), args[2].as_real()));
    case Function::div: return Number::of(args[0].as_real() / args[1].as_real());
    case Function::floor_div: return binary(args, real_floor_div, floor_divide);
    case Function::mod: return binary(args, real_mod, floor_modulo);
    case Function::pow:
      return binary(args, [](double a, double b) { return std::pow(a, b); }, wrapping_power);
    case Function::min: return convert(binary(args, real_min, integer_min), args[0].type);
    case Function::max: return convert(binary(args, real_max, integer_max), args[0].type);
    case Function::abs:
      return unary(
          args, [](double a) { return std::fabs(a); },
          [](int64_t a) { return a < 0 ? wrapping_sub(0, a) : a; });
    case Function::sign:
      return unary(args, real_sign, [](int64_t a) { return int64_t{a > 0} - int64_t{a < 0}; });
    case Function::floor: return rounding(args, [](double a) { return std::floor(a); });
    case Function::ceil: return rounding(args, [](double a) { return std::ceil(a); });
    case Function::round: return rounding(args, [](double a) { return std::nearbyint(a); });
    case Function::trunc: return rounding(args, [](double a) { return std::trunc(a); });

    case Function::equal: return comparison(args, std::equal_to<>());
    case Function::not_equal: return comparison(args, std::not_equal_to<>());
    case Function::less: return comparison(args, std::less<>());
    case Function::less_equal: return comparison(args, std::less_equal<>());
    case Function::logical_and: return logic(args, std::logical_and<>());
    case Function::logical_or: return logic(args, std::logical_or<>());
    case Function::logical_xor: return logic(args, std::not_equal_to<>());
    case Function::logical_not: return Number::of(!args[0].as_boolean());
    case Function::is_nan: return Number::of(std::isnan(args[0].as_real()));
    case Function::select:
      RIDGE_INTERNAL_CHECK(function != Function::select, "select chooses before it evaluates");
      return args[0];

    case Function::exp: return real(args, std::exp);
    case Function::log: return real(args, std::log);
    case Function::sqrt: return real(args, std::sqrt);
    case Function::rsqrt: return Number::of(1 / std::sqrt(args[0].as_real()));
    case Function::sin: return real(args, std::sin);
    case Function::cos: return real(args, std::cos);
    case Function::tanh: return real(args, std::tanh);
    case Function::erf: return real(args, std::erf);

    case Function::checked_index: return Number::of(args[0].integer);
    case Function::philox: {
      const auto word = [&](size_t i) { return static_cast<uint64_t>(args[i].integer); };
      const uint32_t bits =
          philox(word(0), word(1), word(2), word(3), static_cast<int>(args[4].integer & 3));
      return Number::of(int64_t{bits});
    }
    case Function::shift_right: return Number::of(args[0].integer >> (args[1].integer & 63));
    case Function::f16_value: return Number::of(f16_value(args[0].integer));
  }
  return args[0];
}

}  // namespace ridge::expr
