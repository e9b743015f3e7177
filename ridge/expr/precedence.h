// What the printer and the parser of expressions must agree on.
#pragma once

#include <string_view>

#include "ridge/expr/function.h"

namespace ridge::expr {

inline constexpr int kComparison = 3;
inline constexpr int kPrefix = 6;

// How tightly the operator of a function binds: a + b * c is a + (b * c). 0 without an operator.
constexpr int precedence(Function function) {
  switch (function) {
    case Function::logical_or: return 1;
    case Function::logical_and: return 2;
    case Function::equal:
    case Function::not_equal:
    case Function::less:
    case Function::less_equal: return kComparison;
    case Function::add:
    case Function::sub: return 4;
    case Function::mul:
    case Function::div:
    case Function::floor_div:
    case Function::mod: return 5;
    case Function::neg:
    case Function::logical_not: return kPrefix;
    case Function::fma:
    case Function::pow:
    case Function::min:
    case Function::max:
    case Function::abs:
    case Function::sign:
    case Function::floor:
    case Function::ceil:
    case Function::round:
    case Function::trunc:
    case Function::logical_xor:
    case Function::is_nan:
    case Function::select:
    case Function::exp:
    case Function::log:
    case Function::sqrt:
    case Function::rsqrt:
    case Function::sin:
    case Function::cos:
    case Function::tanh:
    case Function::erf:
    case Function::checked_index:
    case Function::philox:
    case Function::shift_right:
    case Function::f16_value: return 0;
  }
  return 0;
}

// i0, x12, p3: a letter and digits, which name an axis, an input or a param.
bool is_indexed_name(std::string_view word);

// Whether a symbol of this name can be written without quotes.
bool is_plain_name(std::string_view name);

}  // namespace ridge::expr
