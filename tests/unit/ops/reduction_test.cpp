#include "ridge/ops/reduction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ridge/ridge.h"

namespace ridge::reduction_test {
namespace {

using Floats = std::vector<float>;
using Integers = std::vector<int64_t>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Tensor table() { return Tensor::of<float>({1, 2, 3, 4, 5, 6}, {2, 3}); }

Floats gradient(const Tensor& x, const std::function<Tensor(const Tensor&)>& function) {
  set_requires_grad(x);
  return gradients({sum(function(x))}, {x})[0].to_vector<float>();
}

TEST(Sum, OverAllSomeAndKeptDims) {
  EXPECT_EQ(sum(table()).item<float>(), 21);
  EXPECT_EQ(sum(table(), {0}).to_vector<float>(), (Floats{5, 7, 9}));
  EXPECT_EQ(sum(table(), {-1}, true).to_vector<float>(), (Floats{6, 15}));
  EXPECT_EQ(to_text(sum(table(), {-1}, true).shape()), "[2, 1]");
  EXPECT_EQ(to_text(sum(table(), {}, true).shape()), "[1, 1]");
  EXPECT_EQ(sum(transpose(table(), 0, 1), {1}).to_vector<float>(), (Floats{5, 7, 9}));
}

TEST(Sum, OfBoolAndSmallIntegersIsI64) {
  const Tensor flags = Tensor::of<bool>({true, true, true}, {3});
  EXPECT_EQ(sum(flags).dtype(), i64);
  EXPECT_EQ(sum(flags).item<int64_t>(), 3);
  EXPECT_EQ(sum(Tensor::of<uint8_t>({200, 200}, {2})).item<int64_t>(), 400);
}

TEST(Sum, OfNothing) {
  EXPECT_EQ(sum(zeros({0, 3}), {0}).to_vector<float>(), (Floats{0, 0, 0}));
  EXPECT_EQ(prod(zeros({0})).item<float>(), 1);
  EXPECT_TRUE(std::isnan(mean(zeros({0})).item<float>()));
  EXPECT_FALSE(any(zeros({0})).item<bool>());
  EXPECT_TRUE(all(zeros({0})).item<bool>());
  EXPECT_EQ(logsumexp(zeros({0})).item<float>(), -kInf);
}

TEST(Sum, RefusesDimsThatAreNotThere) {
  try {
    sum(table(), {2});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::index);
  }
  EXPECT_THROW(sum(table(), {0, -2}), Error) << "one dim twice";
}

TEST(Mean, DoesNotOverflowIn16Bits) {
  const Tensor x = full({4}, 60000, f16);
  EXPECT_EQ(mean(x).dtype(), f16);
  EXPECT_EQ(mean(x).item<float>(), 60000);
  EXPECT_THROW(mean(Tensor::of<int64_t>({1}, {1})), Error);
}

TEST(Var, IsUnbiasedUnlessAsked) {
  EXPECT_FLOAT_EQ(var(table()).item<float>(), 3.5f);
  EXPECT_FLOAT_EQ(var(table(), {}, 0).item<float>(), 17.5f / 6);
  EXPECT_FLOAT_EQ(std(table(), {1}).to_vector<float>()[0], 1);
  EXPECT_TRUE(std::isnan(var(ones({1})).item<float>())) << "0 / 0";
}

TEST(Std, IsFlatWhereAllElementsAreEqual) {
  EXPECT_EQ(gradient(ones({3}), [](const Tensor& x) { return std(x); }), (Floats{0, 0, 0}));
}

TEST(Max, PropagatesNan) {
  const Tensor x = Tensor::of<float>({1, kNan, 3, 4, 5, 6}, {2, 3});
  EXPECT_TRUE(std::isnan(max(x, {1}).to_vector<float>()[0]));
  EXPECT_TRUE(std::isnan(min(x, {1}).to_vector<float>()[0]));
  EXPECT_EQ(max(x, {1}).to_vector<float>()[1], 6);
  EXPECT_EQ(argmax(x, 1).to_vector<int64_t>(), (Integers{1, 2}));
}

TEST(Max, SharesItsGradientBetweenTies) {
  const Tensor x = Tensor::of<float>({3, 1, 3, 2, 2, 2}, {2, 3});
  EXPECT_EQ(gradient(x, [](const Tensor& t) { return max(t, {1}); }),
            (Floats{0.5, 0, 0.5, 1.f / 3, 1.f / 3, 1.f / 3}));
}

TEST(Max, OfNothingIsAShapeError) {
  try {
    max(zeros({2, 0}), {1});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::shape);
    EXPECT_NE(error.given().find("[2, 0]"), std::string::npos);
  }
  EXPECT_EQ(to_text(max(zeros({2, 0, 3}), {2}).shape()), "[2, 0]");
}

TEST(Argmax, TakesTheFirstOfEquals) {
  const Tensor x = Tensor::of<int64_t>({5, 9, 9, 1, 1, 1}, {2, 3});
  EXPECT_EQ(argmax(x, 1).to_vector<int64_t>(), (Integers{1, 0}));
  EXPECT_EQ(argmin(x, -1, true).to_vector<int64_t>(), (Integers{0, 0}));
  EXPECT_EQ(to_text(argmin(x, -1, true).shape()), "[2, 1]");
}

TEST(Prod, HasGradientsAtZeros) {
  const auto product = [](const Tensor& x) { return prod(x, {1}); };
  const Tensor x = Tensor::of<float>({2, 3, 4, 2, 0, 4, 0, 0, 4}, {3, 3});
  EXPECT_EQ(gradient(x, product), (Floats{12, 8, 6, 0, 8, 0, 0, 0, 0}));
}

TEST(Prod, HasSecondGradientsAtZeros) {
  const Tensor x = Tensor::of<double>({2, 0, 4, 0}, {4});
  set_requires_grad(x);
  const Tensor first = gradients({prod(x)}, {x}, {}, {.create_graph = true})[0];
  EXPECT_EQ(first.to_vector<double>(), (std::vector<double>{0, 0, 0, 0}));
  // d2 / dx1 dx3 = x0 * x2: only the pair of zeros has a product of others that is not zero.
  const Tensor weights = Tensor::of<double>({0, 1, 0, 0}, {4});
  const Tensor second = gradients({sum(first * weights)}, {x})[0];
  EXPECT_EQ(second.to_vector<double>(), (std::vector<double>{0, 0, 0, 8}));
}

TEST(Logsumexp, SurvivesInfinities) {
  EXPECT_FLOAT_EQ(logsumexp(full({2}, 1000)).item<float>(), 1000 + std::log(2.f));
  EXPECT_EQ(logsumexp(full({2}, -kInf)).item<float>(), -kInf);
  EXPECT_EQ(logsumexp(Tensor::of<float>({kInf, 0}, {2})).item<float>(), kInf);
  EXPECT_EQ(gradient(full({2}, -kInf), [](const Tensor& x) { return logsumexp(x); }),
            (Floats{0, 0}));
}

TEST(AnyAll, CountNanAsTrue) {
  const Tensor x = Tensor::of<float>({0, kNan, 0, 0}, {2, 2});
  EXPECT_EQ(any(x, {1}).to_vector<bool>(), (std::vector<bool>{true, false}));
  EXPECT_EQ(all(x, {1}).to_vector<bool>(), (std::vector<bool>{false, false}));
}

TEST(SumTo, UndoesBroadcasting) {
  EXPECT_EQ(sum_to(table(), {3}).to_vector<float>(), (Floats{5, 7, 9}));
  EXPECT_EQ(sum_to(table(), {2, 1}).to_vector<float>(), (Floats{6, 15}));
  EXPECT_EQ(sum_to(table(), {}).item<float>(), 21);
  const Tensor x = table();
  EXPECT_TRUE(sum_to(x, {2, 3}).is_same(x));
}

TEST(Reduction, WorksOnSymbolicSizes) {
  const Size batch = symbolic_size("batch", {1, 64}, 8);
  const Tensor x = zeros({batch, 3}, f32, kMeta);
  EXPECT_EQ(to_text(mean(x, {1}).shape()), "[batch]");
  EXPECT_EQ(to_text(var(x, {0}, 1, true).shape()), "[1, 3]");
  EXPECT_EQ(to_text(sum_to(x, {1, 3}).shape()), "[1, 3]");
}

}  // namespace
}  // namespace ridge::reduction_test
