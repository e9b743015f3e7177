// How far from the reference a result may be.
#include "ridge/verify/oracle.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ridge/ridge.h"

namespace ridge::verify::oracle_test {
namespace {

Tensor numbers(const Shape& shape, uint64_t seed = 1) {
  Generator generator(seed);
  return uniform(shape, generator, -2.0, 2.0);
}

class Judged {
 public:
  template <class F>
  Judged(const F& function, const Tensor& x)
      : graph_(capture::capture(function, {.name = "judged"}, x).graph), oracle_(graph_, {x}) {}
  bool is_right(const std::vector<double>& values) {
    const graph::Type& type = graph_[graph_.outputs[0]].type;
    return !oracle_.judge(0, cast(Tensor::of(values, type.shape), type.dtype));
  }

 private:
  graph::Graph graph_;
  Oracle oracle_;
};

TEST(Oracle, ExactWorkMustBeExact) {
  Judged doubled([](const Tensor& x) { return x * 2; }, Tensor::of<float>({1, 3, -1000}, {3}));
  EXPECT_TRUE(doubled.is_right({2, 6, -2000}));
  EXPECT_FALSE(doubled.is_right({2, 6.00001, -2000}));
}

TEST(Oracle, ADecisionMayTurnOnARoundingOfEitherSign) {
  // 0.99999989 is nearest; one unit more is 1, and its integer part another.
  Judged whole([](const Tensor& x) { return cast(sigmoid(x), i64); },
               Tensor::of<float>({16, 16, 16, 16, 16, 16, 0.5f}, {7}));
  EXPECT_TRUE(whole.is_right({0, 1, 0, 1, 1, 1, 0}));
  EXPECT_FALSE(whole.is_right({0, 0, 0, 0, 0, 0, 1}));
}

TEST(Oracle, RoundingsMayMoveWhatTheyMove) {
  // The difference of two sums that nearly cancel: a few units in the last place of 1000.
  Judged rest([](const Tensor& x) { return (x + 1000.1) - (x + 1000); },
              Tensor::of<float>({0.3f, 1.7f}, {2}));
  EXPECT_TRUE(rest.is_right({0.1001, 0.0999}));
  EXPECT_FALSE(rest.is_right({0.11, 0.1}));
}

TEST(Oracle, ASumMayBeOffByTheRoundingsOfItsTerms) {
  Judged rest([](const Tensor& x) { return sum(x * x * x); },
              Tensor::of<float>({100.5f, -100.5f, 0.25f, 0.125f}, {4}));
  const double exact = 0.017578125;
  EXPECT_TRUE(rest.is_right({exact + 0.03}));  // half a unit in the last place of 100.5^3
  EXPECT_FALSE(rest.is_right({exact + 100}));
}

TEST(Oracle, SixteenBitIntermediatesMayBeRoundedOrNot) {
  const Tensor x = cast(numbers({64}), bf16);
  const auto function = [](const Tensor& t) { return (t * 1.37 + 0.71) * 3.1; };
  Judged judged(function, x);
  EXPECT_TRUE(judged.is_right(function(x).to_vector<double>()));
  EXPECT_TRUE(judged.is_right(cast(function(cast(x, f32)), bf16).to_vector<double>()));
  std::vector<double> wrong = function(x).to_vector<double>();
  wrong[5] *= 1.2;
  EXPECT_FALSE(judged.is_right(wrong));
}

TEST(Oracle, ADecisionThatTurnsOnARoundingMayGoEitherWay) {
  // 0.1 * 3 is 0.3 or one unit more; 0.5 is far from it.
  Judged above([](const Tensor& x) { return cast(x, f64) * 3 / 3 > x; },
               Tensor::of<float>({0.1f, 0.5f}, {2}));
  EXPECT_TRUE(above.is_right({0, 0}));
  Judged whole([](const Tensor& x) { return floor(x / 3 * 3 + 0.2); },
               Tensor::of<float>({0.4f, 1.5f}, {2}));
  EXPECT_TRUE(whole.is_right({0, 1}));
  EXPECT_FALSE(whole.is_right({0, 2}));
}

TEST(Oracle, WhatLeavesTheRangeOfItsDtypeIsAsTheDtypeHasIt) {
  Judged ratio([](const Tensor& x) { return exp(x) / exp(x); }, Tensor::of<float>({1, 200}, {2}));
  EXPECT_TRUE(ratio.is_right({1, std::nan("")}));
  EXPECT_FALSE(ratio.is_right({std::nan(""), std::nan("")}));
}

}  // namespace
}  // namespace ridge::verify::oracle_test
