#include "ridge/ops/sorting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ridge/base/random.h"
#include "ridge/ridge.h"

namespace ridge::sorting_test {
namespace {

using Floats = std::vector<float>;
using Integers = std::vector<int64_t>;

TEST(Sort, OrdersRowsAndColumns) {
  const Tensor x = Tensor::of<float>({3, 1, 2, 0, 5, 4}, {2, 3});
  const auto [values, indices] = sort(x);
  EXPECT_EQ(values.to_vector<float>(), (Floats{1, 2, 3, 0, 4, 5}));
  EXPECT_EQ(indices.to_vector<int64_t>(), (Integers{1, 2, 0, 0, 2, 1}));
  EXPECT_EQ(indices.dtype(), i64);
  const auto [columns, rows] = sort(x, 0, true);
  EXPECT_EQ(columns.to_vector<float>(), (Floats{3, 5, 4, 0, 1, 2}));
  EXPECT_EQ(rows.to_vector<int64_t>(), (Integers{0, 1, 1, 1, 0, 0}));
}

TEST(Sort, KeepsEqualElementsInOrder) {
  const Tensor x = Tensor::of<int32_t>({1, 0, 1, 0, 1}, {5});
  EXPECT_EQ(sort(x).indices.to_vector<int64_t>(), (Integers{1, 3, 0, 2, 4}));
  EXPECT_EQ(sort(x, 0, true).indices.to_vector<int64_t>(), (Integers{0, 2, 4, 1, 3}));
}

TEST(Sort, CountsNanAsLargest) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensor x = Tensor::of<float>({nan, infinity, -infinity, nan, 0}, {5});
  EXPECT_EQ(argsort(x).to_vector<int64_t>(), (Integers{2, 4, 1, 0, 3}));
  EXPECT_EQ(argsort(x, 0, true).to_vector<int64_t>(), (Integers{0, 3, 1, 4, 2}));
}

TEST(Sort, TakesFlags) {
  const Tensor x = Tensor::of<bool>({true, false, true}, {3});
  EXPECT_EQ(sort(x).values.dtype(), boolean);
  EXPECT_EQ(argsort(x).to_vector<int64_t>(), (Integers{1, 0, 2}));
}

TEST(Sort, AgreesWithTheStandardLibrary) {
  SplitMix64 random(3);
  std::vector<int64_t> values;
  for (int i = 0; i < 101; ++i) values.push_back(random.integer(-20, 20));
  std::vector<int64_t> expected(values.size());
  std::iota(expected.begin(), expected.end(), 0);
  const auto value = [&](int64_t i) { return values[static_cast<size_t>(i)]; };
  std::stable_sort(expected.begin(), expected.end(),
                   [&](int64_t a, int64_t b) { return value(a) < value(b); });
  EXPECT_EQ(argsort(Tensor::of(values, {101})).to_vector<int64_t>(), expected);
}

TEST(Sort, OfNothingIsNothing) {
  const auto [values, indices] = sort(zeros({3, 0}));
  EXPECT_EQ(to_text(values.shape()), "[3, 0]");
  EXPECT_EQ(to_text(indices.shape()), "[3, 0]");
}

TEST(Topk, GivesTheLargestOrSmallestInOrder) {
  const Tensor x = Tensor::of<float>({3, 1, 2, 0, 5, 4}, {2, 3});
  const auto [largest, where_largest] = topk(x, 2);
  EXPECT_EQ(largest.to_vector<float>(), (Floats{3, 2, 5, 4}));
  EXPECT_EQ(where_largest.to_vector<int64_t>(), (Integers{0, 2, 1, 2}));
  const auto [smallest, where_smallest] = topk(x, 1, 0, false);
  EXPECT_EQ(smallest.to_vector<float>(), (Floats{0, 1, 2}));
  EXPECT_EQ(where_smallest.to_vector<int64_t>(), (Integers{1, 0, 0}));
}

TEST(Topk, SaysHowManyThereAre) {
  try {
    topk(zeros({2, 3}), 4);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::shape);
    EXPECT_NE(error.expected().find("[2, 3]"), std::string::npos) << error.what();
    EXPECT_EQ(error.given(), "4");
  }
}

TEST(RankOf, IsThePositionAfterSorting) {
  const Tensor x = Tensor::of<float>({30, 10, 20, 10}, {4});
  EXPECT_EQ(rank_of(x).to_vector<int64_t>(), (Integers{3, 0, 2, 1}));
  EXPECT_EQ(rank_of(x, 0, true).to_vector<int64_t>(), (Integers{0, 2, 1, 3}));
}

}  // namespace
}  // namespace ridge::sorting_test
