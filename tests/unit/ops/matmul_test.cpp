#include "ridge/ops/matmul.h"

#include <gtest/gtest.h>

#include "ridge/ridge.h"

namespace ridge::matmul_test {
namespace {

using Floats = std::vector<float>;

Tensor a() { return Tensor::of<float>({1, 2, 3, 4, 5, 6}, {2, 3}); }
Tensor b() { return Tensor::of<float>({1, 0, 0, 1, 1, 1}, {3, 2}); }
Tensor v() { return Tensor::of<float>({1, 2, 3}, {3}); }

std::string shape_of(const Shape& x, const Shape& y) {
  return to_text(matmul(zeros(x), zeros(y)).shape());
}

TEST(Matmul, MultipliesMatrices) {
  EXPECT_EQ(matmul(a(), b()).to_vector<float>(), (Floats{4, 5, 10, 11}));
  EXPECT_EQ(matmul(transpose(b(), 0, 1), transpose(a(), 0, 1)).to_vector<float>(),
            (Floats{4, 10, 5, 11}));
}

TEST(Matmul, TakesRowsAndColumns) {
  EXPECT_EQ(matmul(v(), v()).item<float>(), 14);
  EXPECT_EQ(matmul(v(), v()).rank(), 0);
  EXPECT_EQ(matmul(a(), v()).to_vector<float>(), (Floats{14, 32}));
  EXPECT_EQ(matmul(v(), b()).to_vector<float>(), (Floats{4, 5}));
}

TEST(Matmul, FollowsTheRankRulesOfNumpy) {
  EXPECT_EQ(shape_of({5, 2, 3}, {3, 4}), "[5, 2, 4]");
  EXPECT_EQ(shape_of({2, 3}, {5, 3, 4}), "[5, 2, 4]");
  EXPECT_EQ(shape_of({5, 1, 2, 3}, {6, 3, 4}), "[5, 6, 2, 4]");
  EXPECT_EQ(shape_of({5, 2, 3}, {3}), "[5, 2]");
  EXPECT_EQ(shape_of({3}, {5, 3, 4}), "[5, 4]");
}

TEST(Matmul, OverNothingIsZero) {
  EXPECT_EQ(matmul(zeros({2, 0}), zeros({0, 2})).to_vector<float>(), (Floats{0, 0, 0, 0}));
}

TEST(Matmul, BatchesBroadcast) {
  const Tensor x = Tensor::of<float>({1, 2, 3, 4}, {2, 1, 2});
  const Tensor y = Tensor::of<float>({1, 1, 10, 10}, {1, 2, 2});
  EXPECT_EQ(matmul(x, y).to_vector<float>(), (Floats{21, 21, 43, 43}));
}

TEST(Matmul, NamesBothShapesWhenTheyDoNotFit) {
  for (const auto& [x, y] : std::vector<std::pair<Shape, Shape>>{
           {{2, 3}, {2, 3}}, {{3}, {2}}, {{}, {2}}, {{2, 3}, {5, 4, 3}}}) {
    try {
      matmul(zeros(x), zeros(y));
      FAIL() << to_text(x) << to_text(y);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::shape);
      EXPECT_EQ(error.given(), to_text(x) + " and " + to_text(y));
    }
  }
}

TEST(Matmul, SumsTheGradientOverBroadcastBatches) {
  const Tensor x = ones({5, 2, 3}), y = ones({3, 4});
  set_requires_grad(x);
  set_requires_grad(y);
  backward(sum(matmul(x, y)));
  EXPECT_EQ(grad_of(x).to_vector<float>(), Floats(30, 4));
  EXPECT_EQ(grad_of(y).to_vector<float>(), Floats(12, 10));
}

TEST(Linear, MultipliesByTheTransposeAndAddsTheBias) {
  const Tensor weight = Tensor::of<float>({1, 0, 1, 0, 1, 0}, {2, 3});
  EXPECT_EQ(linear(a(), weight).to_vector<float>(), (Floats{4, 2, 10, 5}));
  EXPECT_EQ(linear(v(), weight, Tensor::of<float>({100, 200}, {2})).to_vector<float>(),
            (Floats{104, 202}));
  EXPECT_THROW(linear(a(), weight, zeros({3})), Error);
  EXPECT_THROW(linear(a(), b()), Error);
}

TEST(Matmul, WorksOnSymbolicSizes) {
  const Size batch = symbolic_size("batch", {1, 64}, 8);
  const Tensor x = zeros({batch, 7, 3}, f32, kMeta);
  EXPECT_EQ(to_text(matmul(x, zeros({3, 4}, f32, kMeta)).shape()), "[batch, 7, 4]");
  EXPECT_EQ(to_text(matmul(x, transpose(x, 1, 2)).shape()), "[batch, 7, 7]");
}

}  // namespace
}  // namespace ridge::matmul_test
