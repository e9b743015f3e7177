#include "ridge/expr/function.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace ridge::expr::function_test {
namespace {

// Spelled out once more, so that a row of the table in the wrong place is noticed.
std::string_view spelling(Function function) {
  switch (function) {
    case Function::neg: return "neg";
    case Function::add: return "add";
    case Function::sub: return "sub";
    case Function::mul: return "mul";
    case Function::div: return "div";
    case Function::floor_div: return "floor_div";
    case Function::mod: return "mod";
    case Function::pow: return "pow";
    case Function::min: return "min";
    case Function::max: return "max";
    case Function::abs: return "abs";
    case Function::sign: return "sign";
    case Function::floor: return "floor";
    case Function::ceil: return "ceil";
    case Function::round: return "round";
    case Function::trunc: return "trunc";
    case Function::equal: return "equal";
    case Function::not_equal: return "not_equal";
    case Function::less: return "less";
    case Function::less_equal: return "less_equal";
    case Function::logical_and: return "logical_and";
    case Function::logical_or: return "logical_or";
    case Function::logical_xor: return "logical_xor";
    case Function::logical_not: return "logical_not";
    case Function::is_nan: return "is_nan";
    case Function::select: return "select";
    case Function::exp: return "exp";
    case Function::log: return "log";
    case Function::fma: return "fma";
    case Function::sqrt: return "sqrt";
    case Function::rsqrt: return "rsqrt";
    case Function::sin: return "sin";
    case Function::cos: return "cos";
    case Function::tanh: return "tanh";
    case Function::erf: return "erf";
    case Function::checked_index: return "checked_index";
    case Function::philox: return "philox";
    case Function::shift_right: return "shift_right";
    case Function::f16_value: return "f16_value";
  }
  return "?";
}

TEST(Function, TableFollowsTheEnum) {
  std::set<std::string_view> names;
  for (int i = 0; i < kFunctionCount; ++i) {
    const auto function = static_cast<Function>(i);
    EXPECT_EQ(info(function).name, spelling(function));
    EXPECT_EQ(find_function(info(function).name), function);
    EXPECT_TRUE(names.insert(info(function).name).second) << info(function).name;
  }
}

TEST(Function, ResultTypesAndArities) {
  EXPECT_EQ(info(Function::add).arity, 2);
  EXPECT_EQ(info(Function::select).arity, 3);
  EXPECT_EQ(info(Function::philox).arity, 5);
  EXPECT_EQ(info(Function::div).result, ResultType::real);
  EXPECT_EQ(info(Function::less).result, ResultType::boolean);
  EXPECT_EQ(info(Function::checked_index).result, ResultType::integer);
  EXPECT_EQ(info(Function::floor_div).symbol, "//");
}

TEST(Function, UnknownNameIsNothing) {
  EXPECT_FALSE(find_function("silu").has_value());
  EXPECT_FALSE(find_function("").has_value());
}

TEST(Function, TypeNames) {
  EXPECT_EQ(name(Type::boolean), "boolean");
  EXPECT_EQ(name(Type::integer), "integer");
  EXPECT_EQ(name(Type::real), "real");
}

}  // namespace
}  // namespace ridge::expr::function_test
