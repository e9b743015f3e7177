#include "ridge/expr/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ridge/base/error.h"
#include "ridge/expr/symbol.h"

namespace ridge::expr::evaluate_test {
namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

int64_t on_integers(Function function, int64_t a, int64_t b = 0) {
  const Number both[] = {Number::of(a), Number::of(b)};
  return apply(function, std::span(both).first(static_cast<size_t>(info(function).arity))).integer;
}
double on_reals(Function function, double a, double b = 0) {
  const Number both[] = {Number::of(a), Number::of(b)};
  return apply(function, std::span(both).first(static_cast<size_t>(info(function).arity))).real;
}

TEST(Apply, IntegersWrap) {
  EXPECT_EQ(on_integers(Function::add, kHighest, 1), kLowest);
  EXPECT_EQ(on_integers(Function::sub, kLowest, 1), kHighest);
  EXPECT_EQ(on_integers(Function::mul, kHighest, 2), -2);
  EXPECT_EQ(on_integers(Function::neg, kLowest), kLowest);
  EXPECT_EQ(on_integers(Function::abs, kLowest), kLowest);
  EXPECT_EQ(on_integers(Function::floor_div, kLowest, -1), kLowest);
  EXPECT_EQ(on_integers(Function::mod, kLowest, -1), 0);
  EXPECT_EQ(on_integers(Function::pow, 3, 41),
            static_cast<int64_t>(0xfa2a1cf67b5fb863));  // mod 2^64
}

TEST(Apply, DivisionRoundsDown) {
  for (const int64_t a : {-7, -6, -1, 0, 1, 6, 7}) {
    for (const int64_t b : {-3, -1, 1, 3}) {
      const int64_t quotient = on_integers(Function::floor_div, a, b);
      const int64_t rest = on_integers(Function::mod, a, b);
      EXPECT_EQ(quotient, static_cast<int64_t>(std::floor(double(a) / double(b))));
      EXPECT_EQ(a, b * quotient + rest);
      EXPECT_EQ(on_reals(Function::floor_div, double(a), double(b)), double(quotient));
      EXPECT_EQ(on_reals(Function::mod, double(a), double(b)), double(rest));
    }
  }
}

TEST(Apply, RealDivisionFollowsTheExactRemainder) {
  EXPECT_EQ(on_reals(Function::floor_div, 1.0, 0.1), 9);  // though 1.0 / 0.1 rounds to 10
  EXPECT_EQ(on_reals(Function::floor_div, 1.0, 0.0), kInfinity);
  EXPECT_TRUE(std::signbit(on_reals(Function::floor_div, -0.0, 1.0)));
  EXPECT_EQ(on_reals(Function::mod, -1.0, kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(on_reals(Function::mod, 1.0, 0.0)));
}

TEST(Apply, ReportsWhatHasNoValue) {
  const auto code_of = [](Function function, int64_t a, int64_t b) {
    try {
      on_integers(function, a, b);
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::internal;
  };
  EXPECT_EQ(code_of(Function::floor_div, 1, 0), ErrorCode::value);
  EXPECT_EQ(code_of(Function::mod, 1, 0), ErrorCode::value);
  EXPECT_EQ(code_of(Function::pow, 2, -1), ErrorCode::value);
  EXPECT_EQ(code_of(Function::checked_index, 4, 4), ErrorCode::index);
  EXPECT_EQ(code_of(Function::checked_index, -1, 4), ErrorCode::index);
  EXPECT_EQ(on_integers(Function::checked_index, 3, 4), 3);
}

TEST(Apply, NanSpreadsThroughMinAndMax) {
  EXPECT_TRUE(std::isnan(on_reals(Function::min, NAN, 1)));
  EXPECT_TRUE(std::isnan(on_reals(Function::min, 1, NAN)));
  EXPECT_TRUE(std::isnan(on_reals(Function::max, NAN, 1)));
  EXPECT_TRUE(std::isnan(on_reals(Function::max, 1, NAN)));
  EXPECT_EQ(on_reals(Function::max, -kInfinity, 1), 1);
  EXPECT_TRUE(std::isnan(on_reals(Function::sign, NAN)));
  EXPECT_EQ(on_reals(Function::sign, -3), -1);
}

TEST(Apply, ComparisonsWithNan) {
  const Number args[] = {Number::of(double{NAN}), Number::of(double{NAN})};
  EXPECT_FALSE(apply(Function::equal, args).as_boolean());
  EXPECT_FALSE(apply(Function::less, args).as_boolean());
  EXPECT_FALSE(apply(Function::less_equal, args).as_boolean());
  EXPECT_TRUE(apply(Function::not_equal, args).as_boolean());
  EXPECT_TRUE(apply(Function::is_nan, std::span(args).first(1)).as_boolean());
}

TEST(Apply, RoundsHalfToEven) {
  EXPECT_EQ(on_reals(Function::round, 0.5), 0);
  EXPECT_EQ(on_reals(Function::round, 1.5), 2);
  EXPECT_EQ(on_reals(Function::round, 2.5), 2);
  EXPECT_EQ(on_reals(Function::round, -1.5), -2);
  EXPECT_EQ(on_reals(Function::trunc, -1.7), -1);
  EXPECT_EQ(on_reals(Function::rsqrt, 4), 0.5);
}

TEST(Number, ConvertsBetweenTypes) {
  EXPECT_EQ(Number::of(2.9).as_integer(), 2);
  EXPECT_EQ(Number::of(-2.9).as_integer(), -2);
  EXPECT_EQ(Number::of(1e300).as_integer(), kHighest);
  EXPECT_EQ(Number::of(-kInfinity).as_integer(), kLowest);
  EXPECT_EQ(Number::of(double{NAN}).as_integer(), 0);
  EXPECT_TRUE(Number::of(double{NAN}).as_boolean());
  EXPECT_EQ(convert(Number::of(true), Type::real).real, 1);
  EXPECT_EQ(convert(Number::of(0.5), Type::boolean).integer, 1);
}

TEST(Evaluate, TakesValuesFromItsLeaves) {
  const Expr e =
      load(0, Type::real, {axis(0), axis(1) + 1}) * param(2, Type::real) + input(3, Type::integer);
  Leaves leaves;
  leaves.axis = [](int index) { return Number::of(int64_t{10 + index}); };
  leaves.input = [](int index) { return Number::of(int64_t{100 * index}); };
  leaves.param = [](int) { return Number::of(0.5); };
  leaves.load = [](int operand, std::span<const int64_t> position) {
    EXPECT_EQ(operand, 0);
    return Number::of(static_cast<double>(position[0] * 100 + position[1]));
  };
  EXPECT_EQ(evaluate(e, leaves).real, 1012 * 0.5 + 300);
}

TEST(Evaluate, SymbolsDefaultToTheirHint) {
  const Expr n = symbol(make_ref<const Symbol>("n", Interval{1, 9}, 7, nullptr));
  EXPECT_EQ(evaluate(n * 2, {}).integer, 14);
  EXPECT_EQ(
      evaluate(n * 2, {.symbol = [](const Symbol&) { return Number::of(int64_t{3}); }}).integer, 6);
}

TEST(Evaluate, MissingLeavesAreAnInternalError) {
  const Expr n = symbol(make_ref<const Symbol>("n", Interval{1, 9}, std::nullopt, nullptr));
  for (const Expr& e :
       {axis(0), input(0, Type::real), param(0, Type::real), n, load(0, Type::real, {Expr(1)})}) {
    EXPECT_THROW(evaluate(e, {}), Error);
  }
}

TEST(Evaluate, SelectLeavesTheOtherSideAlone) {
  const Expr i = input(0, Type::integer);
  const Expr guarded =
      select(equal(i, 0), -1, floor_div(12, i)) + select(i < 0, floor_div(1, 0), 5);
  const auto at = [&](int64_t value) {
    return evaluate(guarded, {.input = [=](int) { return Number::of(value); }}).integer;
  };
  EXPECT_EQ(at(0), 4);
  EXPECT_EQ(at(4), 8);
  EXPECT_THROW(at(-1), Error);
}

TEST(Evaluate, ComputesSharedPartsOnce) {
  int reads = 0;
  const Expr shared = load(0, Type::real, {axis(0)});
  const Leaves leaves = {.axis = [](int) { return Number::of(int64_t{0}); },
                         .load =
                             [&](int, std::span<const int64_t>) {
                               ++reads;
                               return Number::of(2.0);
                             }};
  EXPECT_EQ(evaluate(shared * shared + shared, leaves).real, 6);
  EXPECT_EQ(reads, 1);
}

}  // namespace
}  // namespace ridge::expr::evaluate_test
