#include "ridge/ops/normalization.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ridge/ridge.h"

namespace ridge::normalization_test {
namespace {

void expect_near(const Tensor& actual, const std::vector<double>& expected, double tolerance) {
  const std::vector<double> values = actual.to_vector<double>();
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i], expected[i], tolerance) << "element " << i;
  }
}

TEST(Softmax, OfLogarithmsIsTheirShare) {
  const double l2 = std::log(2.0);
  const Tensor x = Tensor::of<double>({0, l2, l2, 2 * l2, 3 * l2, 0}, {2, 3});
  expect_near(softmax(x, 1), {0.2, 0.4, 0.4, 4 / 13.0, 8 / 13.0, 1 / 13.0}, 1e-14);
  expect_near(softmax(x, 0), {0.2, 0.2, 2 / 3.0, 0.8, 0.8, 1 / 3.0}, 1e-14);
}

TEST(Softmax, DoesNotOverflow) {
  const Tensor x = Tensor::of<float>({1e4f, 1e4f, -1e4f}, {3});
  expect_near(softmax(x, 0), {0.5, 0.5, 0}, 1e-7);
  expect_near(log_softmax(x, 0), {-std::log(2.0), -std::log(2.0), -2e4 - std::log(2.0)}, 2e-3);
}

TEST(Softmax, GivesNothingToMinusInfinity) {
  const double infinity = std::numeric_limits<double>::infinity();
  expect_near(softmax(Tensor::of<double>({1, -infinity, 1}, {3}), 0), {0.5, 0, 0.5}, 1e-15);
  const Tensor hopeless = softmax(Tensor::of<double>({-infinity, -infinity}, {2}), 0);
  for (const double value : hopeless.to_vector<double>()) EXPECT_TRUE(std::isnan(value));
}

TEST(Softmax, OfAnEmptyDimensionIsEmpty) {
  EXPECT_EQ(to_text(softmax(zeros({3, 0}), 1).shape()), "[3, 0]");
  EXPECT_EQ(to_text(log_softmax(zeros({3, 0}), 1).shape()), "[3, 0]");
  EXPECT_EQ(to_text(softmax(zeros({0, 3}), 1).shape()), "[0, 3]");
}

// 300 equal values: a sum of bf16 values that rounds at every step would get stuck at 256.
TEST(Softmax, RoundsSixteenBitValuesOnce) {
  const Tensor y = softmax(zeros({300}, bf16), 0);
  EXPECT_EQ(y.dtype(), bf16);
  EXPECT_EQ(y.to_vector<double>()[7], static_cast<double>(BFloat16(1 / 300.0)));
}

TEST(LogSoftmax, IsTheLogarithmOfSoftmax) {
  const Tensor x = Tensor::of<double>({0.5, -1, 2, 0, 3, 1}, {2, 3});
  expect_near(log_softmax(x, 1), log(softmax(x, 1)).to_vector<double>(), 1e-14);
}

TEST(LayerNorm, HasZeroMeanAndUnitVariance) {
  const Tensor x = Tensor::of<double>({1, 3, 5, 7}, {2, 2});  // deviation 1 in each row
  expect_near(layer_norm(x, {}, {}, 0), {-1, 1, -1, 1}, 1e-14);
  expect_near(layer_norm(x, {}, {}, 3), {-0.5, 0.5, -0.5, 0.5}, 1e-14);
}

TEST(LayerNorm, AppliesWeightAndBias) {
  const Tensor x = Tensor::of<double>({1, 3, 5, 7}, {2, 2});
  const Tensor weight = Tensor::of<double>({2, 10}, {2});
  const Tensor bias = Tensor::of<double>({0.5, -0.5}, {2});
  expect_near(layer_norm(x, weight, bias, 0), {-1.5, 9.5, -1.5, 9.5}, 1e-13);
}

TEST(LayerNorm, NormalizesSeveralDimensions) {
  const Tensor x = Tensor::of<double>({-1, -1, 1, 1, 3, 3, 5, 5}, {2, 2, 2});
  expect_near(layer_norm(x, {}, {}, 0, 2), {-1, -1, 1, 1, -1, -1, 1, 1}, 1e-14);
}

TEST(LayerNorm, SaysWhichWeightItExpected) {
  try {
    layer_norm(zeros({2, 3}), ones({2}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::shape);
    EXPECT_NE(error.expected().find("[3]"), std::string::npos) << error.what();
    EXPECT_EQ(error.given(), "[2]");
  }
  EXPECT_THROW(layer_norm(zeros({2, 3}), {}, {}, 1e-5, 3), Error);
}

TEST(LayerNorm, KeepsTheDtypeOfItsInput) {
  EXPECT_EQ(layer_norm(zeros({2, 3}, f16), ones({3})).dtype(), f16);
}

TEST(RmsNorm, HasUnitMeanSquare) {
  const Tensor x = Tensor::of<double>({1, 7, 3, 4}, {2, 2});  // mean squares 25 and 12.5
  const Tensor weight = Tensor::of<double>({1, 2}, {2});
  const double root = std::sqrt(12.5);
  expect_near(rms_norm(x, weight, 0), {0.2, 2.8, 3 / root, 8 / root}, 1e-14);
  expect_near(rms_norm(x, {}, 11), {1 / 6.0, 7 / 6.0, 3 / std::sqrt(23.5), 4 / std::sqrt(23.5)},
              1e-14);
}

}  // namespace
}  // namespace ridge::normalization_test
