#include "ridge/ops/loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ridge/ridge.h"

namespace ridge::loss_test {
namespace {

// Rows whose softmax is (1/4, 1/4, 1/2) and (1/8, 3/4, 1/8).
Tensor logits() {
  const double l2 = std::log(2.0);
  const double l6 = std::log(6.0);
  return Tensor::of<double>({0, 0, l2, 5, 5 + l6, 5}, {2, 3});
}

TEST(CrossEntropy, IsTheMeanOfMinusLogProbability) {
  const Tensor target = Tensor::of<int64_t>({2, 0}, {2});
  const double expected = (std::log(2.0) + std::log(8.0)) / 2;
  EXPECT_NEAR(cross_entropy(logits(), target).item<double>(), expected, 1e-14);
}

TEST(CrossEntropy, LeavesIgnoredTargetsOut) {
  const Tensor target = Tensor::of<int64_t>({-100, 1}, {2});
  EXPECT_NEAR(cross_entropy(logits(), target).item<double>(), std::log(4 / 3.0), 1e-14);
  const Tensor first = Tensor::of<int64_t>({2, 1}, {2});
  EXPECT_NEAR(cross_entropy(logits(), first, 0, 1).item<double>(), std::log(2.0), 1e-14);
  const Tensor none = Tensor::of<int64_t>({-100, -100}, {2});
  EXPECT_TRUE(std::isnan(cross_entropy(logits(), none).item<double>()));
}

TEST(CrossEntropy, SmoothsLabels) {
  const Tensor target = Tensor::of<int64_t>({2}, {1});
  const Tensor row = slice(logits(), 0, 0, 1, 1);
  const double spread = (2 * std::log(4.0) + std::log(2.0)) / 3;
  EXPECT_NEAR(cross_entropy(row, target, 0.3).item<double>(), 0.7 * std::log(2.0) + 0.3 * spread,
              1e-14);
}

TEST(CrossEntropy, HasClassesInDimensionOne) {
  const Tensor swapped = reshape(transpose(logits(), 0, 1), {1, 3, 2});  // two places in one image
  const Tensor target = Tensor::of<int64_t>({2, 0}, {1, 2});
  const double expected = (std::log(2.0) + std::log(8.0)) / 2;
  EXPECT_NEAR(cross_entropy(swapped, target).item<double>(), expected, 1e-14);
}

TEST(CrossEntropy, TakesASingleRow) {
  const Tensor row = Tensor::of<double>({0, 0}, {2});
  EXPECT_NEAR(cross_entropy(row, Tensor::of<int64_t>({1}, {})).item<double>(), std::log(2.0),
              1e-14);
}

TEST(CrossEntropy, HasProbabilityLessTargetAsGradient) {
  const Tensor x = logits();
  set_requires_grad(x);
  backward(cross_entropy(x, Tensor::of<int64_t>({-100, 1}, {2})));
  const std::vector<double> expected = {0, 0, 0, 1 / 8.0, 3 / 4.0 - 1, 1 / 8.0};
  const std::vector<double> grad = grad_of(x).to_vector<double>();
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(grad[i], expected[i], 1e-14);
}

// 70000 rows are more than f16 can count, and their sum more than it can hold.
TEST(CrossEntropy, AveragesLargeBatchesOfSixteenBitValues) {
  const Tensor loss = cross_entropy(zeros({70000, 2}, f16), zeros({70000}, i64));
  EXPECT_EQ(loss.dtype(), f16);
  EXPECT_NEAR(loss.item<double>(), std::log(2.0), 5e-4);
}

TEST(CrossEntropy, IsFiniteForHugeLogits) {
  const Tensor x = Tensor::of<float>({1e30f, 0, -1e30f}, {1, 3});
  EXPECT_EQ(cross_entropy(x, Tensor::of<int64_t>({0}, {1})).item<float>(), 0);
  EXPECT_EQ(cross_entropy(x, Tensor::of<int64_t>({1}, {1})).item<float>(), 1e30f);
}

TEST(CrossEntropy, SaysWhatIsWrong) {
  try {
    cross_entropy(logits(), Tensor::of<int64_t>({0, 0, 0}, {3}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::shape);
    EXPECT_NE(error.expected().find("[2]"), std::string::npos) << error.what();
    EXPECT_EQ(error.given(), "[3]");
  }
  try {
    cross_entropy(logits(), Tensor::of<int64_t>({0, 3}, {2}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::index);
    EXPECT_EQ(error.inside(), "cross_entropy");
  }
}

TEST(MseLoss, IsTheMeanSquaredDifference) {
  const Tensor x = Tensor::of<double>({1, 2, 3}, {3});
  const Tensor target = Tensor::of<double>({1, 4, 0}, {3});
  EXPECT_NEAR(mse_loss(x, target).item<double>(), 13 / 3.0, 1e-14);
  EXPECT_THROW(mse_loss(x, reshape(target, {3, 1})), Error);
}

TEST(BinaryCrossEntropy, IsStableAtBothEnds) {
  const auto loss = [](double x, double target) {
    return binary_cross_entropy_with_logits(Tensor::of<double>({x}, {1}),
                                            Tensor::of<double>({target}, {1}))
        .item<double>();
  };
  EXPECT_NEAR(loss(0, 0.3), std::log(2.0), 1e-15);
  const double log3 = std::log(3.0);  // p = 3/4
  EXPECT_NEAR(loss(log3, 1), std::log(4 / 3.0), 1e-15);
  EXPECT_NEAR(loss(log3, 0.25), 0.25 * std::log(4 / 3.0) + 0.75 * std::log(4.0), 1e-15);
  EXPECT_DOUBLE_EQ(loss(50, 1), std::exp(-50.0));
  EXPECT_DOUBLE_EQ(loss(-50, 0), std::exp(-50.0));
  EXPECT_DOUBLE_EQ(loss(1e4, 0), 1e4);
  EXPECT_DOUBLE_EQ(loss(-1e4, 1), 1e4);
}

TEST(BinaryCrossEntropy, HasNoKinkAtZero) {
  const Tensor x = Tensor::of<double>({0}, {1});
  set_requires_grad(x);
  backward(binary_cross_entropy_with_logits(x, Tensor::of<double>({0.3}, {1})));
  EXPECT_NEAR(grad_of(x).item<double>(), 0.5 - 0.3, 1e-15);
}

}  // namespace
}  // namespace ridge::loss_test
