#include "ridge/ops/join.h"

#include <gtest/gtest.h>

#include "ridge/ridge.h"

namespace ridge::join_test {
namespace {

using Floats = std::vector<float>;

Tensor floats(const Floats& values, const Shape& shape) { return Tensor::of(values, shape); }

TEST(Cat, JoinsAlongADim) {
  const Tensor a = floats({1, 2, 3, 4}, {2, 2}), b = floats({5, 6}, {2, 1});
  EXPECT_EQ(cat({a, b}, 1).to_vector<float>(), (Floats{1, 2, 5, 3, 4, 6}));
  EXPECT_EQ(cat({a, transpose(b, 0, 1)}).to_vector<float>(), (Floats{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(cat({a, zeros({2, 0}), b}, -1).to_vector<float>(), (Floats{1, 2, 5, 3, 4, 6}));
  EXPECT_EQ(cat({a}).to_vector<float>(), a.to_vector<float>());
}

TEST(Cat, PromotesItsTensors) {
  const Tensor whole = Tensor::of<int64_t>({1}, {1});
  EXPECT_EQ(cat({whole, floats({0.5}, {1})}).to_vector<float>(), (Floats{1, 0.5}));
}

TEST(Cat, TakesManyTensors) {
  std::vector<Tensor> parts;
  Floats expected;
  for (int i = 0; i < 37; ++i) {
    parts.push_back(full({i % 3}, i));
    expected.insert(expected.end(), static_cast<size_t>(i % 3), static_cast<float>(i));
  }
  EXPECT_EQ(cat(parts).to_vector<float>(), expected);
}

TEST(Cat, SaysWhichShapeDoesNotFit) {
  try {
    cat({zeros({2, 3}), zeros({2, 4})}, 0);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::shape);
    EXPECT_NE(error.expected().find("[2, 3]"), std::string::npos);
    EXPECT_EQ(error.given(), "[2, 4]");
  }
  EXPECT_THROW(cat({}), Error);
  EXPECT_THROW(cat({Tensor::number(1.0)}), Error) << "a 0-d tensor has no dim";
}

TEST(Cat, GradientIsTakenApart) {
  const Tensor a = ones({2}), b = ones({1});
  set_requires_grad(a);
  set_requires_grad(b);
  backward(sum(cat({a, b, a}) * floats({1, 2, 3, 4, 5}, {5})));
  EXPECT_EQ(grad_of(a).to_vector<float>(), (Floats{5, 7}));
  EXPECT_EQ(grad_of(b).to_vector<float>(), (Floats{3}));
}

TEST(Cat, WorksOnSymbolicSizes) {
  const Size n = symbolic_size("n", {1, 64}, 8);
  const Tensor x = zeros({n, 3}, f32, kMeta);
  const Tensor y = cat({x, x, zeros({1, 3}, f32, kMeta)});
  EXPECT_EQ(to_text(y.shape()), "[2 * n + 1, 3]");
  const std::vector<Tensor> parts = split(y, Shape{n, n, 1});
  EXPECT_EQ(to_text(parts[1].shape()), "[n, 3]");
}

TEST(Stack, AddsADim) {
  const Tensor a = floats({1, 2}, {2}), b = floats({3, 4}, {2});
  EXPECT_EQ(stack({a, b}).to_vector<float>(), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(stack({a, b}, -1).to_vector<float>(), (Floats{1, 3, 2, 4}));
  EXPECT_THROW(stack({a, zeros({3})}), Error);
}

TEST(Pad, PutsAValueAround) {
  const Tensor x = floats({1, 2, 3, 4}, {2, 2});
  EXPECT_EQ(pad(x, {1, 0}, 9).to_vector<float>(), (Floats{9, 1, 2, 9, 3, 4}));
  EXPECT_EQ(pad(x, {0, 1, 1, 0}).to_vector<float>(), (Floats{0, 0, 0, 1, 2, 0, 3, 4, 0}));
  EXPECT_EQ(pad(zeros({0}), {1, 1}, 5).to_vector<float>(), (Floats{5, 5}));
  EXPECT_EQ(pad(Tensor::of<int64_t>({7}, {1}), {0, 1}, 2).to_vector<int64_t>(),
            (std::vector<int64_t>{7, 2}));
  EXPECT_THROW(pad(x, {-1, 0}), Error);
  EXPECT_THROW(pad(x, {1}), Error);
  EXPECT_THROW(pad(x, {0, 0, 0, 0, 1, 1}), Error);
}

TEST(Pad, GradientIsTheInnerPart) {
  const Tensor x = ones({2, 2});
  set_requires_grad(x);
  const Tensor weights = reshape(cast(arange(12), f32), {3, 4});
  backward(sum(pad(x, {1, 1, 1, 0}) * weights));
  EXPECT_EQ(grad_of(x).to_vector<float>(), (Floats{5, 6, 9, 10}));
}

TEST(Split, GivesViews) {
  const Tensor x = floats({1, 2, 3, 4, 5}, {5});
  const std::vector<Tensor> parts = split(x, 2);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[1].to_vector<float>(), (Floats{3, 4}));
  EXPECT_EQ(parts[2].to_vector<float>(), (Floats{5}));
  EXPECT_TRUE(parts[2].shares_storage_with(x));
  EXPECT_EQ(split(x, Shape{4, 1})[0].to_vector<float>(), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(split(zeros({0}), 2).size(), 1u);
  EXPECT_THROW(split(x, Shape{4, 2}), Error);
  EXPECT_THROW(split(x, 0), Error);
}

}  // namespace
}  // namespace ridge::join_test
