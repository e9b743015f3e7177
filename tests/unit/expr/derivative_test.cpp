#include "ridge/expr/derivative.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ridge/base/random.h"
#include "ridge/expr/evaluate.h"
#include "ridge/expr/text.h"

namespace ridge::expr::derivative_test {
namespace {

const Expr x = input(0, Type::real);
const Expr y = input(1, Type::real);

double at(const Expr& e, double x_value, double y_value = 0) {
  return evaluate(e,
                  {.input = [=](int index) { return Number::of(index == 0 ? x_value : y_value); }})
      .as_real();
}

double slope(const Expr& e, double x_value, double y_value = 0) {
  return at(derivative(e, 0), x_value, y_value);
}

void expect_central_difference(const Expr& e, double x_value, double y_value) {
  const auto difference = [&](double step) {
    return (at(e, x_value + step, y_value) - at(e, x_value - step, y_value)) / (2 * step);
  };
  // Halving the step shows how far the difference is from its limit, near a pole for instance.
  const double coarse = difference(1e-5);
  const double expected = difference(5e-6);
  const double actual = slope(e, x_value, y_value);
  EXPECT_NEAR(actual, expected, 1e-6 * (1 + std::abs(expected)) + std::abs(coarse - expected))
      << to_text(e) << "\n"
      << to_text(derivative(e, 0)) << " at " << x_value << ", " << y_value;
}

TEST(Derivative, ReadsAsInABook) {
  const auto text = [](const Expr& e) { return to_text(derivative(e, 0)); };
  EXPECT_EQ(text(x), "1.0");
  EXPECT_EQ(text(y * 3 + 1), "0.0");
  EXPECT_EQ(text(3 * x), "3.0");
  EXPECT_EQ(text(x * x), "x0 + x0");
  EXPECT_EQ(text(sin(x)), "cos(x0)");
  EXPECT_EQ(text(exp(x * y)), "x1 * exp(x0 * x1)");
  EXPECT_EQ(text(x - y), "1.0");
  EXPECT_EQ(text(y - x), "-1.0");
  EXPECT_EQ(text(pow(x, 3)), "3.0 * pow(x0, 2.0)");
  EXPECT_EQ(text(tanh(x)), "1.0 - tanh(x0) * tanh(x0)");
  EXPECT_EQ(text(sqrt(x)), "1.0 / (2.0 * sqrt(x0))");
  EXPECT_EQ(text(select(y < 0, x, 0)), "select(x1 < 0.0, 1.0, 0.0)");
}

TEST(Derivative, EveryFunctionAgreesWithDifferences) {
  for (const double a : {0.3, 0.9, 1.7, 2.6}) {
    for (const double b : {-1.3, 0.4, 2.2}) {
      for (const Expr& e : {-x,
                            x + y,
                            y - x,
                            x * y,
                            x / y,
                            y / x,
                            mod(x, 2.1),
                            mod(4.3, x),
                            pow(x, y),
                            pow(2.5, x),
                            min(x, y),
                            max(x, y),
                            abs(x - 1.2),
                            sign(x),
                            floor(x),
                            ceil(x),
                            round(x),
                            trunc(x),
                            exp(x),
                            log(x),
                            sqrt(x),
                            rsqrt(x),
                            sin(x),
                            cos(x),
                            tanh(x),
                            erf(x),
                            select(x < y, x * 2, sin(x)),
                            floor_div(x, 0.7)}) {
        expect_central_difference(e, a, b);
      }
    }
  }
}

// Compositions of smooth functions, kept in a range where nothing explodes.
Expr smooth(SplitMix64& random, int depth) {
  if (depth == 0) {
    const int64_t leaf = random.integer(0, 4);
    if (leaf < 2) return x;
    return leaf == 2 ? y : constant(random.uniform(-2, 2));
  }
  const Expr a = smooth(random, depth - 1);
  switch (random.integer(0, 10)) {
    case 0: return a + smooth(random, depth - 1);
    case 1: return a - smooth(random, depth - 1);
    case 2: return a * smooth(random, depth - 1);
    case 3: return a / (1.5 + smooth(random, depth - 1) * smooth(random, depth - 1));
    case 4: return exp(-(a * a));
    case 5: return log(1 + a * a);
    case 6: return sqrt(1 + a * a);
    case 7: return rsqrt(1 + a * a);
    case 8: return pow(1.5 + tanh(a), tanh(smooth(random, depth - 1)));
    case 9: return erf(a);
    default: return random.integer(0, 1) == 0 ? sin(a) : cos(a);
  }
}

TEST(Derivative, RandomExpressionsAgreeWithDifferences) {
  SplitMix64 random(11);
  for (int n = 0; n < 1500; ++n) {
    const Expr e = smooth(random, 1 + n % 4);
    const double a = random.uniform(-1.5, 1.5);
    const double b = random.uniform(-1.5, 1.5);
    if (std::abs(at(e, a, b)) > 1e4) continue;  // differences lose too many digits there
    expect_central_difference(e, a, b);
  }
}

TEST(Derivative, TiesSplitEvenly) {
  EXPECT_EQ(slope(max(x, y), 2, 2), 0.5);
  EXPECT_EQ(slope(min(x, y), 2, 2), 0.5);
  EXPECT_EQ(slope(max(x, y), 3, 2), 1);
  EXPECT_EQ(slope(max(x, y), 1, 2), 0);
  EXPECT_EQ(slope(max(x, x), 1), 1);
  EXPECT_EQ(slope(abs(x), 0), 0);
}

TEST(Derivative, PowersAtZero) {
  EXPECT_EQ(slope(pow(x, y), 0, 0), 0);
  EXPECT_EQ(slope(pow(x, 2), 0), 0);
  EXPECT_EQ(slope(pow(x, 1), 0), 1);
  EXPECT_EQ(slope(pow(y, x), 0, 0), 0);
  EXPECT_EQ(slope(pow(y, x), 2, 0), 0);
  EXPECT_TRUE(std::isinf(slope(pow(y, x), -1, 0)));
}

TEST(Derivative, UnusedBranchesDoNotLeak) {
  const Expr safe = select(x < 0.5, 0, log(x));
  EXPECT_EQ(slope(safe, 0), 0) << "not 0 * infinity";
  EXPECT_EQ(slope(y * constant(INFINITY), 1, 1), 0);
}

TEST(Derivative, StepsAndIntegersAreFlat) {
  EXPECT_EQ(to_text(derivative(cast(cast(x, Type::integer), Type::real), 0)), "0.0");
  EXPECT_EQ(to_text(derivative(cast(x < 1, Type::real), 0)), "0.0");
  EXPECT_EQ(to_text(derivative(input(0, Type::integer) * 2.0, 0)), "0.0");
  EXPECT_EQ(derivative(x < 1, 0)->type, Type::real);
}

}  // namespace
}  // namespace ridge::expr::derivative_test
