#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "ridge/core/shape.h"

namespace ridge::layout_test {
namespace {

TEST(Layout, Contiguous) {
  EXPECT_TRUE(is_contiguous({}, {}));
  EXPECT_TRUE(is_contiguous({2, 3}, {3, 1}));
  EXPECT_TRUE(is_contiguous({2, 1, 3}, {3, 77, 1}));
  EXPECT_TRUE(is_contiguous({2, 0}, {5, 7}));
  EXPECT_FALSE(is_contiguous({2, 3}, {1, 2}));
  EXPECT_FALSE(is_contiguous({2, 3}, {4, 1}));
  EXPECT_FALSE(is_contiguous({2}, {0}));
}

TEST(Layout, ExtentReachesThePastTheLastElement) {
  EXPECT_EQ(extent({}, {}, 5).known(), 6);
  EXPECT_EQ(extent({2, 3}, {3, 1}, 0).known(), 6);
  EXPECT_EQ(extent({2, 3}, {10, 2}, 1).known(), 16);
  EXPECT_EQ(extent({2, 0}, {10, 2}, 1).known(), 0);
  EXPECT_THROW(extent({int64_t{1} << 40}, {int64_t{1} << 40}, 0), Error);
}

bool overlaps(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides) {
  std::vector<int64_t> positions{0};
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    std::vector<int64_t> longer;
    for (int64_t start : positions) {
      for (int64_t i = 0; i < shape[dim]; ++i) longer.push_back(start + i * strides[dim]);
    }
    positions = longer;
  }
  std::ranges::sort(positions);
  return std::ranges::adjacent_find(positions) != positions.end();
}

TEST(Layout, OverlapIsNeverMissed) {
  std::mt19937 random(3);
  int certain = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::vector<int64_t> shape, strides;
    for (auto rank = random() % 4; rank > 0; --rank) {
      shape.push_back(random() % 4);
      strides.push_back(random() % 13);
    }
    const bool answer =
        may_overlap(Shape(shape.begin(), shape.end()), Shape(strides.begin(), strides.end()));
    ASSERT_TRUE(answer || !overlaps(shape, strides));
    certain += !answer;
  }
  EXPECT_GT(certain, 1000);
}

TEST(Layout, UsualViewsDoNotOverlap) {
  EXPECT_FALSE(may_overlap({2, 3}, {3, 1}));
  EXPECT_FALSE(may_overlap({3, 2}, {1, 3}));   // transposed
  EXPECT_FALSE(may_overlap({2, 3}, {10, 2}));  // every second column of a slice
  EXPECT_FALSE(may_overlap({1, 3}, {0, 1}));   // size 1: the stride does not matter
  EXPECT_FALSE(may_overlap({0, 3}, {0, 0}));
  EXPECT_TRUE(may_overlap({2, 3}, {0, 1}));  // expanded
  EXPECT_TRUE(may_overlap({3, 2}, {1, 1}));  // sliding window
}

TEST(Layout, SymbolsLeaveNoGuard) {
  const auto log = std::make_shared<expr::GuardLog>();
  const Size n = symbolic_size("n", {1, 4096}, 8, log);
  const Size m = symbolic_size("m", {1, 4096}, {}, log);
  EXPECT_TRUE(is_contiguous({n, m, 4}, contiguous_strides({n, m, 4})));
  EXPECT_FALSE(is_contiguous({n, 4}, {1, n}));
  EXPECT_FALSE(is_contiguous({n}, {m}));
  EXPECT_FALSE(may_overlap({n, m}, {m, 1}));
  EXPECT_FALSE(may_overlap({m, n}, {1, m}));  // transposed, and m has no hint
  EXPECT_FALSE(may_overlap({4, n, m}, {m * n, m, 1}));
  EXPECT_TRUE(may_overlap({n, m}, {n, 1}));
  EXPECT_TRUE(may_overlap({n, m}, {0, 1}));
  EXPECT_TRUE(log->guards().empty());
}

}  // namespace
}  // namespace ridge::layout_test
