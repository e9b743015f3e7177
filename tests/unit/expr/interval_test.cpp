#include "ridge/expr/interval.h"

#include <gtest/gtest.h>

#include "ridge/expr/expr.h"
#include "ridge/expr/integer.h"
#include "ridge/expr/symbol.h"

namespace ridge::expr::interval_test {
namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

// Every pair of small intervals, against every pair of values in them.
TEST(Interval, OperationsContainAllResults) {
  std::vector<Interval> intervals;
  for (int64_t low = -4; low <= 4; ++low) {
    for (int64_t high = low; high <= 4; ++high) intervals.push_back({low, high});
  }
  for (const Interval a : intervals) {
    for (const Interval b : intervals) {
      for (int64_t x = a.low; x <= a.high; ++x) {
        for (int64_t y = b.low; y <= b.high; ++y) {
          ASSERT_TRUE((a + b).contains(x + y));
          ASSERT_TRUE((a - b).contains(x - y));
          ASSERT_TRUE((a * b).contains(x * y));
          ASSERT_TRUE(min(a, b).contains(std::min(x, y)));
          ASSERT_TRUE(max(a, b).contains(std::max(x, y)));
          ASSERT_TRUE(hull(a, b).contains(x) && hull(a, b).contains(y));
          ASSERT_TRUE((-a).contains(-x));
          ASSERT_EQ(x == y && !intersect(a, b), false);
          if (y == 0) continue;
          ASSERT_TRUE(floor_div(a, b).contains(floor_divide(x, y)));
          ASSERT_TRUE(mod(a, b).contains(floor_modulo(x, y))) << to_text(a) << to_text(b);
        }
      }
    }
  }
}

TEST(Interval, EndsAreTight) {
  EXPECT_EQ((Interval{-2, 3} * Interval{-5, 4}), (Interval{-15, 12}));
  EXPECT_EQ(floor_div(Interval{-7, 7}, Interval{2, 3}), (Interval{-4, 3}));
  EXPECT_EQ(mod(Interval{0, 100}, Interval::point(12)), (Interval{0, 11}));
  EXPECT_EQ(mod(Interval{3, 5}, Interval{12, 20}), (Interval{3, 5}));
  EXPECT_EQ(mod(Interval{-3, 5}, Interval{-4, -4}), (Interval{-3, 0}));
}

TEST(Interval, EndsSaturate) {
  const Interval positive = Interval::at_least(1);
  EXPECT_EQ(positive + positive, Interval::at_least(2));
  EXPECT_EQ(positive * Interval::point(-2), (Interval{kLowest, -2}));
  EXPECT_EQ(-Interval::all(), (Interval{-kHighest, kHighest}));
  EXPECT_EQ(floor_div(Interval::point(kLowest), Interval::point(-1)), Interval::point(kHighest));
  EXPECT_EQ(Interval::point(0) - Interval::point(kLowest), Interval::point(kHighest));
}

TEST(Interval, Text) {
  EXPECT_EQ(to_text(Interval{1, 4096}), "[1, 4096]");
  EXPECT_EQ(to_text(Interval::at_least(0)), "[0, inf]");
  EXPECT_EQ(to_text(Interval::all()), "[-inf, inf]");
}

TEST(IntervalOf, LeavesHaveTheirRanges) {
  EXPECT_EQ(interval_of(axis(0)), Interval::all());
  EXPECT_EQ(interval_of(axis(1), [](int axis) { return Interval::point(axis); }),
            Interval::point(1));
  EXPECT_EQ(interval_of(input(0, Type::boolean)), (Interval{0, 1}));
  EXPECT_EQ(interval_of(load(0, Type::integer, {axis(0)})), Interval::all());
  EXPECT_EQ(interval_of(input(0, Type::real)), Interval::all());
}

TEST(IntervalOf, OpenSymbolsStayBelowTheLargestSize) {
  const Expr n = symbol(make_ref<const Symbol>("n", Interval::at_least(1), std::nullopt, nullptr));
  EXPECT_EQ(interval_of(n), (Interval{1, (int64_t{1} << 62) - 1}));
  EXPECT_EQ(interval_of(n + 1).low, 2);
  EXPECT_EQ(interval_of(n * 4), Interval::all()) << "may wrap";
}

TEST(IntervalOf, ConditionsAndChoices) {
  const AxisRanges axes = [](int axis) { return Interval{10 * axis, 10 * axis + 5}; };
  const auto of = [&](const Expr& e) { return interval_of(e, axes); };
  EXPECT_EQ(of(axis(0) < axis(1)), Interval::point(1));
  EXPECT_EQ(of(equal(axis(0), axis(1))), Interval::point(0));
  EXPECT_EQ(of(axis(0) < 3), (Interval{0, 1}));
  EXPECT_EQ(of(select(axis(0) < 3, axis(0), axis(1))), (Interval{0, 15}));
  EXPECT_EQ(of(select(axis(0) < axis(1), axis(0), axis(1))), (Interval{0, 5}));
  EXPECT_EQ(of(checked_index(axis(1), 12)), (Interval{10, 11}));
  EXPECT_EQ(of(abs(axis(0) - 3)), (Interval{0, 3}));
  EXPECT_EQ(of(pow(axis(1), 2)), (Interval{100, 225}));
  EXPECT_EQ(of(call(Function::philox, {0, 0, 0, axis(0), 0})), (Interval{0, 0xFFFFFFFF}));
}

}  // namespace
}  // namespace ridge::expr::interval_test
