#include <gtest/gtest.h>

#include <cmath>

#include "ridge/ridge.h"

namespace ridge::backward_test {
namespace {

Tensor leaf(std::vector<double> values, const Shape& shape) {
  const Tensor t = Tensor::of<double>(values, shape);
  set_requires_grad(t);
  return t;
}

std::vector<double> grad_values(const Tensor& t) { return grad_of(t).to_vector<double>(); }
using Values = std::vector<double>;

TEST(Backward, FollowsTheChainRule) {
  const Tensor x = leaf({1, 2, 3}, {3});
  backward(sum(square(x * 2 + 1)));  // d/dx (2x + 1)^2 = 4 (2x + 1)
  EXPECT_EQ(grad_values(x), (Values{12, 20, 28}));
}

TEST(Backward, SumsOverBroadcastDimensions) {
  const Tensor x = leaf({1, 2, 3, 4, 5, 6}, {2, 3});
  const Tensor row = leaf({10, 20, 30}, {3});
  const Tensor column = leaf({2, 3}, {2, 1});
  const Tensor number = leaf({5}, {});
  backward(sum((x + row) * column * number));
  EXPECT_EQ(grad_values(x), (Values{10, 10, 10, 15, 15, 15}));
  EXPECT_EQ(grad_values(row), (Values{25, 25, 25}));
  EXPECT_EQ(grad_values(column), (Values{5 * 66, 5 * 75}));
  EXPECT_EQ(to_text(grad_of(column).shape()), "[2, 1]");
  EXPECT_EQ(grad_values(number), (Values{2 * 66 + 3 * 75}));
}

TEST(Backward, AddsUpWhereAValueIsUsedTwice) {
  const Tensor x = leaf({3}, {1});
  const Tensor y = x * x;
  backward(y + y + x);  // 2x^2 + x
  EXPECT_EQ(grad_values(x), (Values{13}));
}

TEST(Backward, RunsEachNodeOfADiamondOnce) {
  const Tensor x = leaf({2}, {1});
  Tensor y = x * 1;
  for (int i = 0; i < 40; ++i) y = y + y;  // 2^40 paths
  backward(y);
  EXPECT_EQ(grad_values(x), (Values{std::ldexp(1.0, 40)}));
}

TEST(Backward, AccumulatesInLeavesUntilCleared) {
  const Tensor x = leaf({3}, {1});
  EXPECT_FALSE(grad_of(x).defined());
  backward(x * 2);
  backward(x * 5);
  EXPECT_EQ(grad_values(x), (Values{7}));
  clear_grad(x);
  EXPECT_FALSE(grad_of(x).defined());
  backward(x * 2);
  EXPECT_EQ(grad_values(x), (Values{2}));
}

TEST(Backward, GivesEachLeafAGradientOfItsOwn) {
  const Tensor a = leaf({1, 2}, {2}), b = leaf({3, 4}, {2});
  backward(sum(a + b));
  EXPECT_FALSE(grad_of(a).shares_storage_with(grad_of(b)));
  EXPECT_TRUE(grad_of(a).is_contiguous());
  mul_(grad_of(a), 0);
  EXPECT_EQ(grad_values(b), (Values{1, 1}));
}

TEST(Backward, TakesAGradientForTheRoot) {
  const Tensor x = leaf({1, 2, 3}, {3});
  const Tensor seed = Tensor::of<double>({1, 10, 100}, {3});
  backward(x * x, seed);
  EXPECT_EQ(grad_values(x), (Values{2, 40, 600}));
  backward(x * 1, seed);  // and does not keep it
  EXPECT_FALSE(grad_of(x).shares_storage_with(seed));
}

TEST(Backward, OfALeafIsOne) {
  const Tensor x = leaf({4}, {});
  backward(x);
  EXPECT_EQ(grad_values(x), (Values{1}));
}

TEST(Backward, MixesDtypes) {
  const Tensor x = Tensor::of<float>({1, 2}, {2});
  set_requires_grad(x);
  const Tensor y = leaf({3, 4}, {2});
  const Tensor z = x * y;
  EXPECT_EQ(z.dtype(), f64);
  backward(sum(z));
  EXPECT_EQ(grad_of(x).dtype(), f32);
  EXPECT_EQ(grad_of(x).to_vector<float>(), (std::vector<float>{3, 4}));
  EXPECT_EQ(grad_values(y), (Values{1, 2}));
}

TEST(Backward, ReachesAllTensorsOfAList) {
  const Tensor a = leaf({1}, {1}), b = leaf({2, 3}, {2});
  backward(sum(cat({a, b, a}) * Tensor::of<double>({1, 2, 3, 4}, {4})));
  EXPECT_EQ(grad_values(a), (Values{5}));
  EXPECT_EQ(grad_values(b), (Values{2, 3}));
}

TEST(Backward, GoesThroughDecompositions) {
  const Tensor x = leaf({1, 2, 3, 4, 5, 6}, {2, 3});
  const Tensor w = leaf({1, 1, 1}, {3});
  const Tensor y = rms_norm(x, w, 1e-5);
  EXPECT_TRUE(y.requires_grad());
  backward(sum(y * y));
  EXPECT_NEAR(grad_values(x)[0], 0, 1e-4);  // the norm of a normalized row does not move
  EXPECT_NEAR(grad_values(w)[0], 2 * (3.0 / 14 + 48.0 / 77), 1e-3);
}

TEST(RequiresGrad, FollowsFromTheOperands) {
  const Tensor x = leaf({1}, {1});
  const Tensor plain = Tensor::of<double>({1}, {1});
  EXPECT_TRUE((x + plain).requires_grad());
  EXPECT_FALSE((plain + plain).requires_grad());
  EXPECT_FALSE((x > 0).requires_grad());
  EXPECT_FALSE(argmax(x, 0).requires_grad());
  EXPECT_FALSE(cast(x, i64).requires_grad());
  EXPECT_FALSE(detach(x + 1).requires_grad());
  EXPECT_TRUE(is_leaf(x));
  EXPECT_TRUE(is_leaf(plain));
  EXPECT_FALSE(is_leaf(x + plain));
  EXPECT_TRUE(is_leaf(plain + plain));
}

TEST(RequiresGrad, IsOffUnderNoGrad) {
  const Tensor x = leaf({1}, {1});
  {
    const NoGrad scope;
    EXPECT_FALSE((x * 2).requires_grad());
    {
      const dispatch::GradMode on(true);
      EXPECT_TRUE((x * 2).requires_grad());
    }
    EXPECT_FALSE((x * 2).requires_grad());
  }
  EXPECT_TRUE((x * 2).requires_grad());
}

TEST(RequiresGrad, CanBeTakenFromALeafOnly) {
  const Tensor x = leaf({1}, {1});
  const Tensor y = x * 2;
  EXPECT_THROW(set_requires_grad(y, false), Error);
  set_requires_grad(y);  // it does already
  set_requires_grad(x, false);
  EXPECT_FALSE((x * 2).requires_grad());
  set_requires_grad(x);
  backward(x * 3);
  EXPECT_EQ(grad_values(x), (Values{3}));
}

TEST(RequiresGrad, NamesTheDtypeItCannotHave) {
  const Tensor index = Tensor::of<int64_t>({1}, {1});
  try {
    set_requires_grad(index);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::gradient);
    EXPECT_EQ(error.given(), "i64");
  }
}

TEST(Detach, CutsTheGraphButSharesTheValues) {
  const Tensor x = leaf({3}, {1});
  const Tensor y = x * x;
  backward(y * detach(y));  // x^2 * constant 9
  EXPECT_EQ(grad_values(x), (Values{54}));
  EXPECT_TRUE(detach(y).shares_storage_with(y));
}

TEST(Backward, WalksAndDropsDeepGraphs) {
  const Tensor x = leaf({1}, {1});
  Tensor y = x;
  for (int i = 0; i < 100'000; ++i) y = y * 1.0;  // saves nothing but numbers
  backward(y);
  EXPECT_EQ(grad_values(x), (Values{1}));
  y = {};
  // Here every node holds the tensor before it.
  y = x;
  for (int i = 0; i < 100'000; ++i) y = square(y);
  y = {};
  // And views.
  y = x;
  for (int i = 0; i < 20'000; ++i) y = reshape(y, {1});
  backward(y);
  EXPECT_EQ(grad_values(x), (Values{2}));
}

}  // namespace
}  // namespace ridge::backward_test
