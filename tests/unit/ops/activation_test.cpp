#include "ridge/ops/activation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ridge/ridge.h"

namespace ridge::activation_test {
namespace {

using Doubles = std::vector<double>;

Tensor doubles(const Doubles& values) { return Tensor::of(values, {Size(values.size())}); }

Doubles slope(Tensor (*function)(const At&), const Doubles& at) {
  const Tensor x = doubles(at);
  set_requires_grad(x);
  return gradients({sum(function(x))}, {x})[0].to_vector<double>();
}

TEST(Relu, IsFlatAtZeroAndKeepsNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Doubles y = relu(doubles({-2, 0, 3, nan})).to_vector<double>();
  EXPECT_EQ((Doubles{y[0], y[1], y[2]}), (Doubles{0, 0, 3}));
  EXPECT_TRUE(std::isnan(y[3]));
  EXPECT_EQ(slope(relu, {-2, 0, 3}), (Doubles{0, 0, 1}));
  EXPECT_EQ(relu(Tensor::of<int64_t>({-2, 5}, {2})).to_vector<int64_t>(),
            (std::vector<int64_t>{0, 5}));
}

TEST(Relu, InPlaceIsDifferentiable) {
  const Tensor x = doubles({-2, 3});
  set_requires_grad(x);
  const Tensor y = x * 2;
  relu_(y);
  backward(sum(y * y));
  EXPECT_EQ(grad_of(x).to_vector<double>(), (Doubles{0, 24}));
}

TEST(LeakyRelu, TakesItsSlope) {
  EXPECT_EQ(leaky_relu(doubles({-2, 3}), 0.25).to_vector<double>(), (Doubles{-0.5, 3}));
  const Tensor x = doubles({-2, 3});
  set_requires_grad(x);
  backward(sum(leaky_relu(x, 0.25)));
  EXPECT_EQ(grad_of(x).to_vector<double>(), (Doubles{0.25, 1}));
}

// Values of PyTorch 2 in f64.
TEST(Gelu, MatchesPyTorch) {
  const Doubles exact = gelu(doubles({-1, 0, 2})).to_vector<double>();
  EXPECT_NEAR(exact[0], -0.15865525393145707, 1e-15);
  EXPECT_EQ(exact[1], 0);
  EXPECT_NEAR(exact[2], 1.9544997361036416, 1e-15);
  const Doubles approximate = gelu_tanh(doubles({-1, 2})).to_vector<double>();
  EXPECT_NEAR(approximate[0], -0.15880800939172324, 1e-15);
  EXPECT_NEAR(approximate[1], 1.954597694087775, 1e-15);
}

TEST(Silu, SaturatesWithFiniteGradients) {
  EXPECT_EQ(silu(doubles({-1000, 0, 1000})).to_vector<double>(), (Doubles{-0.0, 0, 1000}));
  EXPECT_EQ(slope(silu, {-1000, 0, 1000}), (Doubles{0, 0.5, 1}));
}

TEST(Softplus, IsExactOnBothSides) {
  const Doubles y = softplus(doubles({-1000, -50, 0, 50, 1000})).to_vector<double>();
  EXPECT_EQ(y[0], 0);
  EXPECT_DOUBLE_EQ(y[1], std::exp(-50.0));
  EXPECT_DOUBLE_EQ(y[2], std::log(2.0));
  EXPECT_EQ(y[3], 50);
  EXPECT_EQ(y[4], 1000);
  EXPECT_EQ(slope(softplus, {-1000, 0, 1000}), (Doubles{0, 0.5, 1}));
}

TEST(Activation, RefusesIntegersThatWouldLoseTheirMeaning) {
  EXPECT_THROW(gelu(Tensor::of<int64_t>({1}, {1})), Error);
}

}  // namespace
}  // namespace ridge::activation_test
