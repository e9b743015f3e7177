// Mistakes with gradients.
#include "expect_error.h"

namespace ridge::testing::gradient_test {
namespace {

Tensor leaf(const Shape& shape) {
  const Tensor x = ones(shape);
  set_requires_grad(x);
  return x;
}

TEST(GradientError, ThroughAnInteger) {
  const Tensor index = arange(3);
  EXPECT_RIDGE_ERROR(set_requires_grad(index), ErrorCode::gradient, "", {"i64"});
}

TEST(GradientError, SecondBackwardWithoutRetention) {
  const Tensor x = leaf({3});
  const Tensor y = sum(x * x);
  backward(y);
  EXPECT_RIDGE_ERROR(backward(y), ErrorCode::gradient, "", {"retain"});
}

TEST(GradientError, RootThatNeedsNoGradient) {
  const Tensor y = sum(ones({3}));
  EXPECT_RIDGE_ERROR(backward(y), ErrorCode::gradient, "", {});
}

TEST(GradientError, RootThatIsNoScalar) {
  const Tensor y = leaf({3}) * 2;
  EXPECT_RIDGE_ERROR(backward(y), ErrorCode::gradient, "backward",
                     {"[3]", "mean", "gradient of its"});
  EXPECT_RIDGE_ERROR(gradients({y}, {y}), ErrorCode::gradient, "gradients", {"[3]", "mean"});
}

TEST(GradientError, SavedValueWrittenInPlace) {
  const Tensor x = leaf({3});
  const Tensor y = x * 1;
  const Tensor z = y * y;
  add_(y, 1);
  EXPECT_RIDGE_ERROR(backward(sum(z)), ErrorCode::gradient, "", {"mul"});
}

TEST(GradientError, AnArgumentWrittenBeforeThePullback) {
  const Tensor x = Tensor::of<float>({1, 2, 3}, {3});
  const auto [y, pullback] = vjp([](const Tensor& t) { return t * t; })(x);
  EXPECT_EQ(pullback(ones({3})).to_vector<float>(), (std::vector<float>{2, 4, 6}));
  add_(x, 1);
  EXPECT_RIDGE_ERROR(pullback(ones({3})), ErrorCode::gradient, "vjp", {"f32[3]", "written to"});
}

TEST(GradientError, AResultWrittenBeforeThePullback) {
  const auto [y, pullback] = vjp([](const Tensor& t) { return exp(t); })(ones({3}));
  mul_(y, 0);
  EXPECT_RIDGE_ERROR(pullback(ones({3})), ErrorCode::gradient, "vjp", {"written to"});
}

TEST(GradientError, ACotangentOfAnotherType) {
  const auto [y, pullback] = vjp([](const Tensor& t) { return t * t; })(ones({3}));
  EXPECT_RIDGE_ERROR(pullback(ones({3}, f64)), ErrorCode::dtype, "vjp", {"f32[3]", "f64[3]"});
  EXPECT_RIDGE_ERROR(pullback(ones({4})), ErrorCode::shape, "vjp", {"f32[3]", "f32[4]"});
}

TEST(GradientError, LeafWrittenInPlace) {
  const Tensor x = leaf({3});
  EXPECT_RIDGE_ERROR(add_(x, 1), ErrorCode::gradient, "add_", {"leaf"});
}

}  // namespace
}  // namespace ridge::testing::gradient_test
