#include "ridge/ops/unary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ridge/ridge.h"

namespace ridge::unary_test {
namespace {

template <class T>
Tensor vector_of(std::initializer_list<T> values) {
  return Tensor::of<T>(values, {Size(values.size())});
}

TEST(Unary, IntegersGiveTheDefaultFloat) {
  const Tensor y = sqrt(vector_of<int64_t>({4, 9}));
  EXPECT_EQ(y.dtype(), f32);
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{2, 3}));
  EXPECT_EQ(exp(vector_of<double>({0})).dtype(), f64);
}

TEST(Unary, KnownValues) {
  EXPECT_DOUBLE_EQ(exp(vector_of<double>({1})).item<double>(), M_E);
  EXPECT_DOUBLE_EQ(log(vector_of<double>({M_E})).item<double>(), 1);
  EXPECT_DOUBLE_EQ(rsqrt(vector_of<double>({4})).item<double>(), 0.5);
  EXPECT_DOUBLE_EQ(sin(vector_of<double>({M_PI_2})).item<double>(), 1);
  EXPECT_DOUBLE_EQ(cos(vector_of<double>({0})).item<double>(), 1);
  EXPECT_DOUBLE_EQ(tanh(vector_of<double>({0.5})).item<double>(), std::tanh(0.5));
  EXPECT_DOUBLE_EQ(erf(vector_of<double>({0.5})).item<double>(), std::erf(0.5));
}

TEST(Unary, OutsideTheDomainIsNan) {
  EXPECT_TRUE(std::isnan(sqrt(vector_of<float>({-1})).item<float>()));
  EXPECT_TRUE(std::isnan(log(vector_of<float>({-1})).item<float>()));
  EXPECT_TRUE(std::isinf(log(vector_of<float>({0})).item<float>()));
}

TEST(Log1p, KeepsTheDigitsOfTinyNumbers) {
  for (const double x : {1e-300, 1e-20, 1e-9, -1e-9, 0.3, -0.5, 1e6}) {
    EXPECT_DOUBLE_EQ(log1p(vector_of<double>({x})).item<double>(), std::log1p(x)) << x;
  }
}

TEST(Log1p, AtTheEndsOfItsRange) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Tensor x = vector_of<float>({kInfinity, 3e38F, -1, -kInfinity, std::nanf(""), -0.0F});
  const std::vector<float> y = log1p(x).to_vector<float>();
  EXPECT_EQ(y[0], kInfinity);
  EXPECT_FLOAT_EQ(y[1], std::log(3e38F));
  EXPECT_EQ(y[2], -kInfinity);
  EXPECT_TRUE(std::isnan(y[3]) && std::isnan(y[4]));
  EXPECT_TRUE(y[5] == 0 && std::signbit(y[5]));
}

TEST(Sigmoid, SaturatesWithFiniteGradients) {
  const Tensor x = vector_of<float>({-1000, 0, 1000});
  set_requires_grad(x);
  const Tensor y = sigmoid(x);
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{0, 0.5, 1}));
  backward(sum(y));
  EXPECT_EQ(grad_of(x).to_vector<float>(), (std::vector<float>{0, 0.25, 0}));
}

TEST(Unary, EmptyAndZeroDimensionalTensorsKeepTheirShape) {
  EXPECT_EQ(to_text(exp(zeros({0, 3})).shape()), "[0, 3]");
  EXPECT_EQ(exp(Tensor::number(0.0)).rank(), 0);
}

}  // namespace
}  // namespace ridge::unary_test
