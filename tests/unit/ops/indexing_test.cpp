#include "ridge/ops/indexing.h"

#include <gtest/gtest.h>

#include "ridge/ridge.h"

namespace ridge::indexing_test {
namespace {

using Floats = std::vector<float>;
using Integers = std::vector<int64_t>;

Tensor table() { return Tensor::of<float>({1, 2, 3, 4, 5, 6}, {2, 3}); }

TEST(Gather, ReadsAlongTheLastDimension) {
  const Tensor index = Tensor::of<int64_t>({2, 0, 1, 1}, {2, 2});
  const Tensor y = gather(table(), 1, index);
  EXPECT_EQ(to_text(y.shape()), "[2, 2]");
  EXPECT_EQ(y.to_vector<float>(), (Floats{3, 1, 5, 5}));
}

TEST(Gather, ReadsAlongTheFirstDimensionOfATransposedTensor) {
  const Tensor index = Tensor::of<int64_t>({2, 0}, {1, 2});
  const Tensor y = gather(transpose(table(), 0, 1), 0, index);  // [[1, 4], [2, 5], [3, 6]]
  EXPECT_EQ(y.to_vector<float>(), (Floats{3, 4}));
}

TEST(Gather, TakesSmallIntegersAsIndex) {
  const Tensor y = gather(table(), -1, Tensor::of<uint8_t>({1, 0}, {2, 1}));
  EXPECT_EQ(y.to_vector<float>(), (Floats{2, 4}));
}

TEST(Gather, NamesIndexAndExtentWhenOutside) {
  for (const int64_t wrong : {int64_t{3}, int64_t{-1}}) {
    try {
      gather(table(), 1, Tensor::of<int64_t>({0, wrong}, {2, 1}));
      FAIL() << "no error for index " << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::index);
      const std::string text = error.what();
      EXPECT_NE(text.find(std::to_string(wrong)), std::string::npos) << text;
      EXPECT_NE(text.find('3'), std::string::npos) << text;
    }
  }
}

TEST(Gather, SaysWhichShapesItExpected) {
  try {
    gather(table(), 1, Tensor::of<int64_t>({0, 0, 0}, {3, 1}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::shape);
    EXPECT_NE(error.expected().find("[2, 3]"), std::string::npos) << error.what();
    EXPECT_EQ(error.given(), "[3, 1]");
  }
}

TEST(ScatterAdd, AddsUpWhatGoesToOnePlace) {
  const Tensor index = Tensor::of<int64_t>({0, 0, 2, 1, 1, 1}, {2, 3});
  const Tensor from = Tensor::of<float>({1, 10, 100, 2, 20, 200}, {2, 3});
  EXPECT_EQ(scatter_add(table(), 1, index, from).to_vector<float>(),
            (Floats{12, 2, 103, 4, 227, 6}));
}

TEST(ScatterAdd, WritesInPlace) {
  const Tensor x = table();
  const uint32_t version = x.version();
  scatter_add_(x, 0, Tensor::of<int64_t>({1}, {1, 1}), Tensor::of<float>({10}, {1, 1}));
  EXPECT_EQ(x.to_vector<float>(), (Floats{1, 2, 3, 14, 5, 6}));
  EXPECT_GT(x.version(), version);
}

TEST(ScatterAdd, RefusesValuesOfAnotherShape) {
  const Tensor index = Tensor::of<int64_t>({0, 0}, {2, 1});
  EXPECT_THROW(scatter_add(table(), 1, index, table()), Error);
}

TEST(IndexSelect, ListsSlicesInAnyOrder) {
  const Tensor index = Tensor::of<int64_t>({2, 0, 2, 1}, {4});
  const Tensor y = index_select(table(), 1, index);
  EXPECT_EQ(to_text(y.shape()), "[2, 4]");
  EXPECT_EQ(y.to_vector<float>(), (Floats{3, 1, 3, 2, 6, 4, 6, 5}));
  EXPECT_THROW(index_select(table(), 1, Tensor::of<int64_t>({0}, {1, 1})), Error);
}

TEST(Embedding, LooksUpRowsForAnIndexOfAnyShape) {
  const Tensor y = embedding(table(), Tensor::of<int64_t>({1, 0, 1, 1}, {2, 2}));
  EXPECT_EQ(to_text(y.shape()), "[2, 2, 3]");
  EXPECT_EQ(y.to_vector<float>(), (Floats{4, 5, 6, 1, 2, 3, 4, 5, 6, 4, 5, 6}));
  EXPECT_EQ(to_text(embedding(table(), Tensor::of<int64_t>({1}, {})).shape()), "[3]");
  EXPECT_EQ(to_text(embedding(table(), zeros({0, 2}, i64)).shape()), "[0, 2, 3]");
}

TEST(Scatter, WritesWhereTheIndexSays) {
  const Tensor index = Tensor::of<int64_t>({2, 0, 1, 2}, {2, 2});
  const Tensor y = scatter(table(), 1, index, Tensor::of<float>({10, 20, 30, 40}, {2, 2}));
  EXPECT_EQ(y.to_vector<float>(), (Floats{20, 2, 10, 4, 30, 40}));
  const Tensor x = table();
  scatter_(x, 0, Tensor::of<int64_t>({1, 0, 1}, {1, 3}), Tensor::of<float>({7, 8, 9}, {1, 3}));
  EXPECT_EQ(x.to_vector<float>(), (Floats{1, 8, 3, 7, 5, 9}));
}

TEST(Scatter, NamesAnIndexOutside) {
  try {
    scatter(table(), 1, Tensor::of<int64_t>({0, 3}, {2, 1}), zeros({2, 1}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::index);
  }
}

TEST(OneHot, MarksTheClass) {
  const Tensor y = one_hot(Tensor::of<int64_t>({1, 0}, {2}), 3);
  EXPECT_EQ(y.dtype(), i64);
  EXPECT_EQ(y.to_vector<int64_t>(), (Integers{0, 1, 0, 1, 0, 0}));
}

TEST(OneHot, RefusesAClassThatIsNotThere) {
  EXPECT_THROW(one_hot(Tensor::of<int64_t>({3}, {1}), 3), Error);
}

}  // namespace
}  // namespace ridge::indexing_test
