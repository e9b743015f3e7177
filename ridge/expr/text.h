// Expressions as text, and back.
//
//   axis 0 -> i0, input 0 -> x0, param 1 -> p1, load -> x0[i0, i1], symbol -> its name.
//   Integer constants print plainly (3), reals always with a point or exponent (3.0, 1e-05, inf),
//   booleans as true and false. Shortest digits that read back exactly.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/expr/expr.h"

namespace ridge::expr {

std::string to_text(const Expr& e);

// The same with words of one's own: what `word` gives for an axis, input, param, symbol or the
// operand of a load is written in place of the usual one. Empty keeps that.
std::string to_text(const Expr& e, const std::function<std::string(const Node&)>& word);

// What a parser must be told: types of inputs, params and loads, and the symbols by name.
struct ParseContext {
  std::function<Type(int input)> input_type{};
  std::function<Type(int param)> param_type{};
  std::function<Expr(std::string_view name)> symbol{};
  // name[position], where loads go by the name of their operand. Without input_type (param_type),
  // x0 (p0) is a name like any other.
  std::function<Expr(std::string_view name, std::vector<Expr> position)> element{};
};

// Throws Error{parse} that shows the text and the column.
Expr parse(std::string_view text, const ParseContext& context);
// Reads the expression that starts at text[at] as far as it goes, and moves `at` behind it.
Expr parse_prefix(std::string_view text, size_t& at, const ParseContext& context);
// The same for a size: an integer made of constants, symbols and calls. Error{parse} for any other.
Expr parse_size_prefix(std::string_view text, size_t& at, const ParseContext& context);

}  // namespace ridge::expr
