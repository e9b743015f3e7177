// The closed set of scalar functions that expressions are made of.
//
// Everything Ridge computes comes down to these: op bodies, index arithmetic and symbolic sizes
// are trees over them, and each evaluator, derivative rule and code generator switches over this
// enum without `default`, so a function cannot be added in one place only.
//
// Semantics
// - Types are boolean, integer (64-bit, wraps) and real. A function of mixed operands promotes
//   them: boolean < integer < real. The storage dtype rounds when a value is stored.
// - `div` is real division. `floor_div` and `mod` round towards minus infinity, so
//   a == b * floor_div(a, b) + mod(a, b); an integer divisor of zero is a reported error.
// - `min` and `max` propagate NaN. Comparisons with NaN are false, `not_equal` true.
// - `round` rounds half to even. `sign(NaN)` is NaN. `pow` of integers needs an exponent >= 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge::expr {

enum class Type : uint8_t { boolean, integer, real };

enum class Function : uint8_t {
  // arithmetic
  neg,
  add,
  sub,
  mul,
  fma,  // fma(a, b, c) is a * b + c, rounded once; of reals
  div,
  floor_div,
  mod,
  pow,
  min,
  max,
  abs,
  sign,
  floor,
  ceil,
  round,
  trunc,
  // comparison and logic
  equal,
  not_equal,
  less,
  less_equal,
  logical_and,
  logical_or,
  logical_xor,
  logical_not,
  is_nan,
  select,  // select(condition, if_true, if_false); only the chosen side is evaluated
  // transcendental
  exp,
  log,
  sqrt,
  rsqrt,
  sin,
  cos,
  tanh,
  erf,
  // checked_index(i, extent) is i, or a reported index error unless 0 <= i < extent
  checked_index,
  // philox(seed, rank, call, element, word): 32 random bits, Note [Random numbers] in ops/random.h
  philox,
  // shift_right(a, n) of integers is floor_div(a, 2^n), the low 6 bits of n taken
  shift_right,
  // f16_value(bits) is the real that the low 16 bits of an integer stand for as an f16
  f16_value,
};
inline constexpr int kFunctionCount = static_cast<int>(Function::f16_value) + 1;

// How the type of a result follows from the (promoted) type of the operands.
enum class ResultType : uint8_t { promoted, real, boolean, integer };

struct FunctionInfo {
  std::string_view name;    // as printed and parsed
  std::string_view symbol;  // infix form (prefix for one operand), or empty
  int arity;
  ResultType result;
  // Vector instructions of our own code for it, in f32: counted there, so an estimate for any other.
  int instructions;
  // A polynomial, or rounds of a generator: worth some twenty of the others, to whoever weighs code.
  bool is_elementary = false;
};

const FunctionInfo& info(Function function);
std::optional<Function> find_function(std::string_view name);
std::string_view name(Type type);

}  // namespace ridge::expr
