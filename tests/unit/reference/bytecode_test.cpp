#include "ridge/reference/bytecode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <optional>

#include "ridge/base/random.h"
#include "ridge/expr/text.h"
#include "ridge/reference/interpreter.h"

namespace ridge::reference::bytecode_test {
namespace {

using expr::Expr;
using expr::Function;
using expr::Number;
using expr::Type;

constexpr int kAxes = 2;
const std::vector<Number> kParams = {Number::of(0.75), Number::of(int64_t{-3}), Number::of(true)};

// What the expressions read: operand 0 is f64[3, 4], operand 1 is i64[5], operand 2 is bool[].
class Memory {
 public:
  Tensor real = Tensor::of<double>({0.5, -1.5, 2, 0, 1, -0.0, 3, 8, -2, 0.1, 1e300, -7}, {3, 4});
  Tensor integer = Tensor::of<int64_t>({0, 1, -1, 7, 3}, {5});
  Tensor boolean_ = Tensor::of<bool>({true}, {});
  std::vector<const Tensor*> operands = {&real, &integer, &boolean_};
  std::vector<DType> compute = {f64, i64, boolean};

  Number at(int operand, std::span<const int64_t> position) const {
    const Tensor& tensor = *operands[static_cast<size_t>(operand)];
    int64_t index = 0;
    for (size_t i = 0; i < position.size(); ++i) {
      const bool is_inside = position[i] >= 0 && position[i] < tensor.shape()[i].value();
      RIDGE_INTERNAL_CHECK(is_inside, "outside");
      index += position[i] * tensor.strides()[i].value();
    }
    return load_element(tensor.dtype(), tensor.raw_data(), index);
  }
};

// Random expressions that share subtrees, divide by zero, and read out of bounds.
class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  Expr make(Type type, int depth) {
    auto& pool = pools_[static_cast<size_t>(type)];
    if (!pool.empty() && random_.integer(0, 3) == 0) return pool[pick(pool.size())];
    pool.push_back(depth == 0 ? leaf(type) : node(type, depth - 1));
    return pool.back();
  }

 private:
  size_t pick(size_t count) {
    return static_cast<size_t>(random_.integer(0, static_cast<int64_t>(count) - 1));
  }

  Expr leaf(Type type) {
    const bool is_constant = random_.integer(0, 1) == 0;
    switch (type) {
      case Type::real: return is_constant ? Expr(random_.uniform(-2, 2)) : expr::param(0, type);
      case Type::integer:
        return is_constant ? Expr(random_.integer(-2, 4))
                           : expr::axis(static_cast<int>(pick(kAxes)));
      case Type::boolean: return is_constant ? expr::load(2, type, {}) : expr::param(2, type);
    }
    return {};
  }

  Expr node(Type type, int depth) {
    if (random_.integer(0, 3) == 0) {
      return select(make(Type::boolean, depth), make(type, depth), make(type, depth));
    }
    if (random_.integer(0, 4) == 0) return cast(make(static_cast<Type>(pick(3)), depth), type);
    switch (type) {
      case Type::real: return real_node(depth);
      case Type::integer: return integer_node(depth);
      case Type::boolean: return boolean_node(depth);
    }
    return {};
  }

  Expr real_node(int depth) {
    static const std::vector<Function> unary = {
        Function::neg, Function::abs,  Function::sign, Function::floor, Function::round,
        Function::exp, Function::sqrt, Function::sin,  Function::tanh,  Function::erf};
    static const std::vector<Function> binary = {Function::add, Function::sub,       Function::mul,
                                                 Function::div, Function::floor_div, Function::mod,
                                                 Function::pow, Function::min,       Function::max};
    const auto arg = [&] { return make(Type::real, depth); };
    if (random_.integer(0, 3) == 0) {
      return expr::load(0, Type::real, {make(Type::integer, 1), make(Type::integer, 1)});
    }
    if (random_.integer(0, 1) == 0) return call(unary[pick(unary.size())], {arg()});
    return call(binary[pick(binary.size())], {arg(), arg()});
  }

  Expr integer_node(int depth) {
    static const std::vector<Function> binary = {
        Function::add, Function::sub, Function::mul, Function::floor_div,    Function::mod,
        Function::min, Function::max, Function::pow, Function::checked_index};
    const auto arg = [&] { return make(Type::integer, depth); };
    if (random_.integer(0, 3) == 0) return expr::load(1, Type::integer, {arg()});
    if (random_.integer(0, 7) == 0) {
      return call(Function::philox, {arg(), arg(), arg(), arg(), arg()});
    }
    return call(binary[pick(binary.size())], {arg(), arg()});
  }

  Expr boolean_node(int depth) {
    static const std::vector<Function> comparisons = {Function::equal, Function::not_equal,
                                                      Function::less, Function::less_equal};
    static const std::vector<Function> logic = {Function::logical_and, Function::logical_or,
                                                Function::logical_xor, Function::max};
    if (random_.integer(0, 5) == 0) return is_nan(make(Type::real, depth));
    const Type type = static_cast<Type>(pick(3));
    const auto& functions = type == Type::boolean ? logic : comparisons;
    return call(functions[pick(functions.size())], {make(type, depth), make(type, depth)});
  }

  SplitMix64 random_;
  std::array<std::vector<Expr>, 3> pools_;
};

std::optional<Number> value_or_error(const std::function<Number()>& compute) {
  try {
    return compute();
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool is_same(const Number& a, const Number& b) {
  if (a.type != Type::real) return a.integer == b.integer;
  if (std::isnan(a.real) && std::isnan(b.real)) return true;
  return std::bit_cast<int64_t>(a.real) == std::bit_cast<int64_t>(b.real);
}

// Compares at all points, and counts those that have a value.
int check_against_evaluate(const Expr& e, const Memory& memory) {
  const Bytecode bytecode = compile({&e, 1}, kAxes, kParams);
  Interpreter interpreter(bytecode, memory.operands, memory.compute);
  int values = 0;
  for (int64_t i = 0; i < 3; ++i) {
    for (int64_t j = -1; j < 4; ++j) {
      const expr::Leaves leaves{
          .axis = [&](int axis) { return Number::of(axis == 0 ? i : j); },
          .input = {},
          .param = [&](int index) { return kParams[static_cast<size_t>(index)]; },
          .load = [&](int operand, auto position) { return memory.at(operand, position); },
          .symbol = {}};
      interpreter.axes(kAxes)[0].integer = i;
      interpreter.axes(kAxes)[1].integer = j;
      const auto expected = value_or_error([&] { return expr::evaluate(e, leaves); });
      const auto given = value_or_error([&] {
        interpreter.run();
        return number_of(interpreter.result(0), e->type);
      });
      EXPECT_EQ(expected.has_value(), given.has_value()) << to_text(e);
      if (!expected || !given) continue;
      EXPECT_TRUE(is_same(*expected, *given)) << to_text(e);
      ++values;
    }
  }
  return values;
}

TEST(Bytecode, AgreesWithEvaluateOnRandomExpressions) {
  const Memory memory;
  int values = 0;
  for (uint64_t seed = 0; seed < 3000 && !HasFailure(); ++seed) {
    Generator generator(seed);
    const Expr e = generator.make(static_cast<Type>(seed % 3), 2 + static_cast<int>(seed % 5));
    values += check_against_evaluate(e, memory);
  }
  EXPECT_GT(values, 10000);  // enough of them must be free of errors to say anything
}

TEST(Bytecode, ComputesEqualSubexpressionsOnce) {
  const auto x = [] { return expr::load(0, Type::real, {expr::axis(0), expr::axis(1)}); };
  const Expr e = exp(x()) * exp(x());
  const Bytecode bytecode = compile({&e, 1}, kAxes, {});
  EXPECT_EQ(bytecode.loads.size(), 1u);
  EXPECT_EQ(bytecode.code.size(), 4u);  // load, exp, multiply, back
}

// If both sides had their own code for what they share, this would take 2^60 instructions.
TEST(Bytecode, StaysSmallWhenSidesShare) {
  Expr e = expr::load(1, Type::integer, {expr::axis(0)});
  for (int64_t i = 0; i < 60; ++i) {
    const Expr condition = equal(mod(e, 3), 0);
    e = select(condition, select(e < i, e + 1, e - 2), e * 2);
  }
  EXPECT_LT(compile({&e, 1}, kAxes, {}).code.size(), 2000u);
  EXPECT_GT(check_against_evaluate(e, Memory()), 0);
}

TEST(Bytecode, TakesNestingOfAnyDepth) {
  Expr e = expr::constant(int64_t{-1});
  for (int64_t i = 0; i < 20'000; ++i) {
    e = select(equal(expr::axis(0), i % 10'000 + 1), expr::constant(i), std::move(e));
  }
  EXPECT_GT(check_against_evaluate(e, Memory()), 0);
}

TEST(Bytecode, SkipsTheSideThatWouldFail) {
  const Expr i = expr::axis(1);
  const Expr guarded =
      select(i >= 0 && i < 3, expr::load(0, Type::real, {i, expr::constant(int64_t{0})}), 0.0);
  EXPECT_EQ(check_against_evaluate(guarded, Memory()), 15);
}

TEST(Bytecode, RefusesAPositionOutside) {
  const Memory memory;
  const Expr e = expr::load(0, Type::real, {expr::axis(0), expr::axis(1) + 4});
  const Bytecode bytecode = compile({&e, 1}, kAxes, {});
  Interpreter interpreter(bytecode, memory.operands, memory.compute);
  try {
    interpreter.run();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::internal);
    EXPECT_EQ(error.expected(), "a position inside operand 0 of shape [3, 4]");
    EXPECT_EQ(error.given(), "[0, 4]");
  }
}

TEST(Bytecode, RefusesWhatHasNoValue) {
  const auto compile_one = [](const Expr& e) { return compile({&e, 1}, 1, {}); };
  EXPECT_THROW(compile_one(expr::axis(1)), Error);
  EXPECT_THROW(compile_one(expr::param(0, Type::real)), Error);
  EXPECT_THROW(compile_one(expr::input(0, Type::real)), Error);
  EXPECT_THROW(compile_one(symbolic_size("n", expr::Interval::at_least(0), 3).expression()), Error);
}

}  // namespace
}  // namespace ridge::reference::bytecode_test
