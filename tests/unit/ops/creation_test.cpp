#include "ridge/ops/creation.h"

#include <gtest/gtest.h>

#include "ridge/ridge.h"

namespace ridge::creation_test {
namespace {

using Floats = std::vector<float>;
using Integers = std::vector<int64_t>;

TEST(Creation, FillsAnyDtype) {
  EXPECT_EQ(zeros({2}).to_vector<float>(), (Floats{0, 0}));
  EXPECT_EQ(ones({2}, i64).to_vector<int64_t>(), (Integers{1, 1}));
  EXPECT_EQ(full({2}, 0.5, bf16).to_vector<float>(), (Floats{0.5, 0.5}));
  EXPECT_EQ(full({1}, 2, boolean).to_vector<bool>(), (std::vector<bool>{true}));
  EXPECT_EQ(zeros({}).rank(), 0);
  EXPECT_EQ(to_text(zeros({0, 3}).shape()), "[0, 3]");
}

TEST(Creation, IntegersAreExactUpTo2ToThe53) {
  const int64_t largest = int64_t{1} << 53;
  EXPECT_EQ(full({1}, static_cast<double>(largest - 1), i64).item<int64_t>(), largest - 1);
  EXPECT_EQ(full({1}, static_cast<double>(-largest), i64).item<int64_t>(), -largest);
}

TEST(Creation, NegativeSizesAreShapeErrors) {
  try {
    zeros({2, -1});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::shape);
    EXPECT_EQ(error.given(), "[2, -1]");
  }
}

TEST(Arange, CountsAndSteps) {
  EXPECT_EQ(arange(4).to_vector<int64_t>(), (Integers{0, 1, 2, 3}));
  EXPECT_EQ(arange(0).dtype(), i64);
  EXPECT_EQ(arange(1, 2, 0.25, f32).to_vector<float>(), (Floats{1, 1.25, 1.5, 1.75}));
  EXPECT_EQ(arange(5, 0, -2, i64).to_vector<int64_t>(), (Integers{5, 3, 1}));
  EXPECT_EQ(arange(3, 3, 1, i64).to_vector<int64_t>(), Integers{});
  EXPECT_THROW(arange(0, 5, -1, i64), Error);
  EXPECT_THROW(arange(0, 5, 0, i64), Error);
  EXPECT_THROW(arange(0, 5, 0.5, i64), Error) << "integers need a whole step";
}

TEST(Eye, NeedNotBeSquare) {
  EXPECT_EQ(eye(2).to_vector<float>(), (Floats{1, 0, 0, 1}));
  EXPECT_EQ(eye(2, 3, i64).to_vector<int64_t>(), (Integers{1, 0, 0, 0, 1, 0}));
}

TEST(Likes, TakeShapeAndDtype) {
  const Tensor x = Tensor::of<int64_t>({5, 6}, {1, 2});
  EXPECT_EQ(full_like(x, 7).to_vector<int64_t>(), (Integers{7, 7}));
  EXPECT_EQ(to_text(zeros_like(x).shape()), "[1, 2]");
  EXPECT_EQ(ones_like(x).dtype(), i64);
}

TEST(Creation, WorksOnMetaWithSymbolicSizes) {
  const Size batch = symbolic_size("batch", {1, 64}, 8);
  EXPECT_EQ(to_text(zeros({batch, 3}, f32, kMeta).shape()), "[batch, 3]");
  EXPECT_EQ(to_text(arange(batch, kMeta).shape()), "[batch]");
}

TEST(ElementCount, IsAPlainNumberWhereSizesAreKnown) {
  EXPECT_TRUE(element_count({2, 3}).is_weak());
  EXPECT_EQ(element_count({2, 3}).item<int64_t>(), 6);
  const Size batch = symbolic_size("batch", {1, 64}, 8);
  const Tensor count = element_count({batch, 3}, kMeta);
  EXPECT_EQ(count.rank(), 0);
  EXPECT_EQ(count.dtype(), i64);
}

}  // namespace
}  // namespace ridge::creation_test
