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

// In the order of the standard library's stable sort, NaN last or first.
std::vector<int64_t> order_of(const std::vector<double>& values, bool descending) {
  std::vector<int64_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  const auto is_less = [](double a, double b) {
    return a < b || (!std::isnan(a) && std::isnan(b));
  };
  std::ranges::stable_sort(order, [&](int64_t a, int64_t b) {
    const double x = values[static_cast<size_t>(a)], y = values[static_cast<size_t>(b)];
    return descending ? is_less(y, x) : is_less(x, y);
  });
  return order;
}

// Many equal numbers, and all that are special.
std::vector<double> awkward(size_t count, bool is_real) {
  SplitMix64 random(7);
  const double infinity = std::numeric_limits<double>::infinity();
  const double special[] = {std::nan(""), infinity, -infinity, 0.0, -0.0};
  std::vector<double> values(count);
  for (double& value : values) {
    const int64_t kind = random.integer(0, 50);
    value = is_real && kind < 5 ? special[kind] : static_cast<double>(random.integer(-500, 500));
  }
  return values;
}

TEST(Sort, OrdersLongRowsAsTheStandardLibrary) {
  for (const DType dtype : {f32, f64, bf16, f16, i32, i64}) {
    const Tensor x = cast(Tensor::of(awkward(20000, is_floating(dtype)), {20000}), dtype);
    for (const bool descending : {false, true}) {
      const std::vector<int64_t> expected = order_of(x.to_vector<double>(), descending);
      const auto [values, indices] = sort(x, 0, descending);
      EXPECT_EQ(indices.to_vector<int64_t>(), expected) << name(dtype);
      const auto sorted = compile([=](const Tensor& t) { return sort(t, 0, descending).indices; });
      EXPECT_EQ(sorted(x).to_vector<int64_t>(), expected) << name(dtype);
      EXPECT_EQ(gather(x, 0, indices).to_vector<float>().size(), values.to_vector<float>().size());
    }
  }
}

// One program for many lengths, short rows that are counted among them.
TEST(Sort, OrdersRowsOfAnyLength) {
  const auto sorted = compile([](const Tensor& t) { return argsort(t * 1, 0); });
  for (const size_t count : {1000, 1500, 40, 7000, 0, 1, 65, 64}) {
    const Tensor x = cast(Tensor::of(awkward(count, true), {static_cast<int64_t>(count)}), f32);
    const std::vector<int64_t> expected = order_of(x.to_vector<double>(), false);
    EXPECT_EQ(argsort(x).to_vector<int64_t>(), expected) << count;
    EXPECT_EQ(sorted(x).to_vector<int64_t>(), expected) << count;
  }
}

TEST(Sort, GivesEachElementItsGradient) {
  const Tensor x = cast(Tensor::of(awkward(3000, false), {3000}), f32);
  const Tensor weight = arange(3000, f32);
  const auto loss = [&](const Tensor& t) { return sum(sort(t).values * constant(weight)); };
  const Tensor gradient = grad(loss)(x);
  EXPECT_EQ(gradient.to_vector<int64_t>(), rank_of(x).to_vector<int64_t>());
  const Tensor leaf = x.alias();
  set_requires_grad(leaf);
  backward(sum(sort(leaf).values * weight));
  EXPECT_EQ(grad_of(leaf).to_vector<int64_t>(), rank_of(x).to_vector<int64_t>());
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

// Long rows are searched by groups, of which all but k are left out.
TEST(Topk, FindsTheFirstOfLongRows) {
  for (const DType dtype : {f32, bf16, i32}) {
    for (const int64_t length : {4096, 20011}) {
      const Tensor x = cast(
          Tensor::of(awkward(static_cast<size_t>(2 * length), is_floating(dtype)), {2, length}),
          dtype);
      for (const bool largest : {false, true}) {
        for (const int64_t k : {1, 5, 60}) {
          const auto found =
              compile([=](const Tensor& t) { return topk(t, k, 1, largest).indices; });
          const auto [values, indices] = topk(x, k, 1, largest);
          for (int64_t row = 0; row < 2; ++row) {
            const Tensor one = select(x, 0, row);
            std::vector<int64_t> expected = order_of(one.to_vector<double>(), largest);
            expected.resize(static_cast<size_t>(k));
            EXPECT_EQ(select(indices, 0, row).to_vector<int64_t>(), expected);
            EXPECT_EQ(select(found(x), 0, row).to_vector<int64_t>(), expected);
          }
        }
      }
      const Tensor across = transpose(x, 0, 1);
      EXPECT_EQ(transpose(topk(across, 7, 0).indices, 0, 1).to_vector<int64_t>(),
                topk(x, 7, 1).indices.to_vector<int64_t>());
    }
  }
}

// A group of NaN comes behind one whose smallest element is infinite.
TEST(Topk, PutsNanBehindInfinity) {
  std::vector<double> values(8192, std::nan(""));
  values[8000] = std::numeric_limits<double>::infinity();
  const Tensor x = cast(Tensor::of(values, {8192}), f32);
  EXPECT_EQ(topk(x, 2, 0, false).indices.to_vector<int64_t>(), (Integers{8000, 0}));
  EXPECT_EQ(topk(x, 2, 0, true).indices.to_vector<int64_t>(), (Integers{0, 1}));
}

TEST(Topk, GivesEachValueItsGradient) {
  const Tensor x = cast(Tensor::of(awkward(9000, false), {9000}), f32);
  const auto loss = [](const Tensor& t) { return sum(topk(t, 20).values); };
  const Tensor gradient = grad(loss)(x);
  const Tensor expected = scatter(zeros({9000}), 0, topk(x, 20).indices, ones({20}));
  EXPECT_EQ(gradient.to_vector<float>(), expected.to_vector<float>());
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
