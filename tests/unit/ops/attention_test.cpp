#include "ridge/ops/attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ridge/ridge.h"

namespace ridge::attention_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void expect_near(const Tensor& actual, const std::vector<double>& expected) {
  const std::vector<double> values = actual.to_vector<double>();
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-13) << i;
}

// Two queries, three keys of width 1 with values of width 2. The scores are log(1), log(2), log(5)
// for the first query and zero for the second.
struct Example {
  Tensor q = Tensor::of<double>({1, 0}, {2, 1});
  Tensor k = Tensor::of<double>({0, std::log(2.0), std::log(5.0)}, {3, 1});
  Tensor v = Tensor::of<double>({8, 0, 16, 24, 0, 8}, {3, 2});
};

TEST(Attention, WeighsValuesByTheSoftmaxOfScores) {
  const Example e;
  const Tensor y = scaled_dot_product_attention(e.q, e.k, e.v);
  EXPECT_EQ(to_text(y.shape()), "[2, 2]");
  expect_near(y, {5, 11, 8, 32 / 3.0});
}

TEST(Attention, ScalesByTheRootOfTheWidthUnlessTold) {
  const Tensor q = Tensor::of<double>({2, 0, 0, 0}, {1, 4});
  const Tensor k = Tensor::of<double>({std::log(3.0), 0, 0, 0, 0, 0, 0, 0}, {2, 4});
  const Tensor v = Tensor::of<double>({1, 0}, {2, 1});
  expect_near(scaled_dot_product_attention(q, k, v), {3 / 4.0});
  expect_near(scaled_dot_product_attention(q, k, v, {}, false, 1.0), {9 / 10.0});
}

TEST(Attention, TakesBoolAndAdditiveMasks) {
  const Example e;
  const Tensor seen = Tensor::of<bool>({true, true, false}, {3});
  expect_near(scaled_dot_product_attention(e.q, e.k, e.v, seen), {40 / 3.0, 16, 12, 12});
  const Tensor added = Tensor::of<double>({0, 0, -kInfinity}, {1, 3});
  expect_near(scaled_dot_product_attention(e.q, e.k, e.v, added), {40 / 3.0, 16, 12, 12});
}

TEST(Attention, IsCausalFromTheFirstKeyOn) {
  const Example e;
  expect_near(scaled_dot_product_attention(e.q, e.k, e.v, {}, true), {8, 0, 12, 12});
}

TEST(Attention, CombinesCausalityWithAMask) {
  const Example e;
  const Tensor seen = Tensor::of<bool>({true, true, true, false, true, true}, {2, 3});
  expect_near(scaled_dot_product_attention(e.q, e.k, e.v, seen, true), {8, 0, 16, 24});
}

TEST(Attention, GivesZerosToAQueryThatSeesNothing) {
  const Example e;
  const Tensor seen = Tensor::of<bool>({false, false, false, true, true, true}, {2, 3});
  expect_near(scaled_dot_product_attention(e.q, e.k, e.v, seen), {0, 0, 8, 32 / 3.0});
  const Tensor added = Tensor::of<double>({-kInfinity, -kInfinity, -kInfinity, 0, 0, 0}, {2, 3});
  expect_near(scaled_dot_product_attention(e.q, e.k, e.v, added), {0, 0, 8, 32 / 3.0});
  const Tensor no_keys = scaled_dot_product_attention(e.q, zeros({0, 1}, f64), zeros({0, 2}, f64));
  expect_near(no_keys, {0, 0, 0, 0});
}

TEST(Attention, SendsNoGradientThroughAQueryThatSeesNothing) {
  const Example e;
  for (const Tensor& input : {e.q, e.k, e.v}) set_requires_grad(input);
  const Tensor hidden = Tensor::of<double>({-kInfinity, 0}, {2, 1});
  backward(sum(scaled_dot_product_attention(e.q, e.k, e.v, hidden)));
  EXPECT_EQ(grad_of(e.q).to_vector<double>()[0], 0);
  // Only the second query is left, which sees all values alike.
  expect_near(grad_of(e.v), std::vector<double>(6, 1 / 3.0));
  for (const double value : grad_of(e.k).to_vector<double>()) EXPECT_EQ(value, 0);
}

TEST(Attention, TreatsHeadsApart) {
  const Example e;
  const auto two = [](const Tensor& t) { return expand(t, {3, 2, t.size(0), t.size(1)}); };
  const Tensor y = scaled_dot_product_attention(two(e.q), two(e.k), two(e.v));
  EXPECT_EQ(to_text(y.shape()), "[3, 2, 2, 2]");
  expect_near(slice(reshape(y, {24}), 0, 20, 24, 1), {5, 11, 8, 32 / 3.0});
}

TEST(Attention, SaysWhichShapesItExpected) {
  try {
    scaled_dot_product_attention(zeros({2, 3}), zeros({4, 5}), zeros({4, 3}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::shape);
    EXPECT_EQ(error.given(), "[2, 3], [4, 5] and [4, 3]");
  }
}

}  // namespace
}  // namespace ridge::attention_test
