// Expressions as text, and back.
//
//   axis 0 -> i0, input 0 -> x0, param 1 -> p1, load -> x0[i0, i1], symbol -> its name.
//   Integer constants print plainly (3), reals always with a point or exponent (3.0, 1e-05, inf),
//   booleans as true and false. Shortest digits that read back exactly.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ridge/expr/expr.h"

namespace ridge::expr {

std::string to_text(const Expr& e);

// What a parser must be told: types of inputs, params and loads, and the symbols by name.
struct ParseContext {
  std::function<Type(int input)> input_type{};
  std::function<Type(int param)> param_type{};
  std::function<Expr(std::string_view name)> symbol{};
};

// Throws Error{parse} that shows the text and the column.
Expr parse(std::string_view text, const ParseContext& context);

}  // namespace ridge::expr
