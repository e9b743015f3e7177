#include "ridge/ops/comparison.h"

#include <gtest/gtest.h>

#include <limits>

#include "ridge/ridge.h"

namespace ridge::comparison_test {
namespace {

using Bools = std::vector<bool>;
using Floats = std::vector<float>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Tensor values() { return Tensor::of<float>({1, 2, kNan}, {3}); }

TEST(Comparison, OperatorsGiveBoolTensors) {
  const Tensor y = values() == 2;
  EXPECT_EQ(y.dtype(), boolean);
  EXPECT_EQ(y.to_vector<bool>(), (Bools{false, true, false}));
  EXPECT_EQ((values() != 2).to_vector<bool>(), (Bools{true, false, true}));
  EXPECT_EQ((values() < 2).to_vector<bool>(), (Bools{true, false, false}));
  EXPECT_EQ((2 >= values()).to_vector<bool>(), (Bools{true, true, false}));
  EXPECT_EQ((values() > 1).to_vector<bool>(), (Bools{false, true, false}));
  EXPECT_EQ((values() <= values()).to_vector<bool>(), (Bools{true, true, false}));
}

TEST(Comparison, PromotesBeforeItCompares) {
  const Tensor whole = Tensor::of<int64_t>({1, 2}, {2});
  EXPECT_EQ((whole == Tensor::of<float>({1, 2.5}, {2})).to_vector<bool>(), (Bools{true, false}));
  EXPECT_EQ((whole < 1.5).to_vector<bool>(), (Bools{true, false}));
}

TEST(Logic, AnythingButZeroIsTrue) {
  const Tensor x = Tensor::of<float>({0, -0.f, 0.5, kNan}, {4});
  const Tensor one = Tensor::of<int64_t>({1}, {1});
  EXPECT_EQ(logical_and(x, one).to_vector<bool>(), (Bools{false, false, true, true}));
  EXPECT_EQ(logical_or(x, 0).to_vector<bool>(), (Bools{false, false, true, true}));
  EXPECT_EQ(logical_xor(x, one).to_vector<bool>(), (Bools{true, true, false, false}));
  EXPECT_EQ(logical_not(x).to_vector<bool>(), (Bools{true, true, false, false}));
}

TEST(Logic, NanAndInfinityAreToldApart) {
  const Tensor x = Tensor::of<float>({1, kNan, kInf, -kInf}, {4});
  EXPECT_EQ(is_nan(x).to_vector<bool>(), (Bools{false, true, false, false}));
  EXPECT_EQ(is_finite(x).to_vector<bool>(), (Bools{true, false, false, false}));
  EXPECT_EQ(is_nan(Tensor::of<int64_t>({3}, {1})).to_vector<bool>(), (Bools{false}));
  EXPECT_EQ(is_finite(Tensor::of<int64_t>({3}, {1})).to_vector<bool>(), (Bools{true}));
}

TEST(Where, BroadcastsAndPromotes) {
  const Tensor condition = Tensor::of<bool>({true, false}, {2, 1});
  const Tensor y = where(condition, Tensor::of<int64_t>({1, 2, 3}, {3}), 0.5);
  EXPECT_EQ(y.dtype(), f32);
  EXPECT_EQ(y.to_vector<float>(), (Floats{1, 2, 3, 0.5, 0.5, 0.5}));
  EXPECT_THROW(where(Tensor::of<int64_t>({1}, {1}), 1, 0), Error) << "the condition must be bool";
}

TEST(Where, KeepsWhatIsNotChosenOutOfTheGradient) {
  const Tensor x = Tensor::of<float>({0, 4}, {2});
  set_requires_grad(x);
  const Tensor is_zero = x == 0;
  // log(0) is not chosen, and the slope there, infinite, must not come through.
  const Tensor y = where(is_zero, 0, log(where(is_zero, 1, x)));
  backward(sum(y));
  EXPECT_EQ(grad_of(x).to_vector<float>(), (Floats{0, 0.25}));
}

TEST(Comparison, ResultsNeverRequireGrad) {
  const Tensor x = Tensor::of<float>({1}, {1});
  set_requires_grad(x);
  EXPECT_FALSE((x > 0).requires_grad());
}

}  // namespace
}  // namespace ridge::comparison_test
