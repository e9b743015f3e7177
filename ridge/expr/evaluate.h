// Straightforward evaluation of an expression tree: reals in double, integers in 64 bits.
//
// This is the definition of what each function means; faster evaluators are tested against it.
#pragma once

#include <functional>
#include <span>

#include "ridge/expr/expr.h"

namespace ridge::expr {

// A number with its type; boolean and integer live in `integer`.
struct Number {
  Type type = Type::real;
  int64_t integer = 0;
  double real = 0;

  static Number of(bool value) { return {Type::boolean, value ? 1 : 0, 0}; }
  static Number of(int64_t value) { return {Type::integer, value, 0}; }
  static Number of(double value) { return {Type::real, 0, value}; }
  double as_real() const { return type == Type::real ? real : static_cast<double>(integer); }
  int64_t as_integer() const;  // truncates a real; saturates, NaN gives 0
  bool as_boolean() const { return type == Type::real ? real != 0 : integer != 0; }
};

Number convert(Number value, Type type);
Number constant_value(const Expr& constant);
Expr constant(Number value);

// One function on converted operands (the caller promotes). Not for `select`, which must not
// evaluate both sides. Throws Error{index} for checked_index, Error{value} for an integer division
// by zero and for a negative integer exponent; `can_apply` says beforehand whether it would.
Number apply(Function function, std::span<const Number> args);
bool can_apply(Function function, std::span<const Number> args);

// 32 random bits: Philox4x32-10, see Note [Random numbers] in ops/random.h.
uint32_t philox(uint64_t seed, uint64_t rank, uint64_t call, uint64_t element, int word);

// Where leaf values come from; an absent function makes such a leaf an internal error.
struct Leaves {
  std::function<Number(int index)> axis{};
  std::function<Number(int index)> input{};
  std::function<Number(int index)> param{};
  std::function<Number(int operand, std::span<const int64_t> position)> load{};
  std::function<Number(const Symbol&)> symbol{};  // defaults to the hint
};

Number evaluate(const Expr& e, const Leaves& leaves);

}  // namespace ridge::expr
