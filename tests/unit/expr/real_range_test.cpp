#include <gtest/gtest.h>

#include <cmath>

#include "ridge/expr/interval.h"

namespace ridge::expr::real_range_test {
namespace {

const Expr x = input(0, Type::real);

RealRange range(const Expr& e, RealRange of_x = {}) {
  return real_range(e, [&](int) { return of_x; });
}

TEST(RealRange, FollowsFromHowAValueIsComputed) {
  EXPECT_TRUE(range(cos(x)).is_within(1));
  EXPECT_TRUE(range(0.5 * cos(x)).is_within(0.5));
  EXPECT_TRUE(range(cos(x) * sin(x)).is_within(1));
  EXPECT_TRUE(range(max(tanh(x), -erf(x))).is_within(1));
  EXPECT_FALSE(range(x).is_within(1e300));
  EXPECT_FALSE(range(cos(x) + 1.0).is_within(1e300)) << "sums are not followed";
  EXPECT_TRUE(range(abs(x), {-3, 2}).is_within(3));
  EXPECT_EQ(range(abs(x), {-3, 2}).low, 0);
  EXPECT_EQ(range(exp(x)).low, 0);
  EXPECT_TRUE(std::isinf(range(exp(x)).high));
  EXPECT_TRUE(range(select(x < 0.0, cos(x), constant(2.0))).is_within(2));
  EXPECT_FALSE(range(select(x < 0.0, cos(x), constant(2.0))).is_within(1));
}

TEST(RealRange, NothingTimesInfinityIsNotKnown) {
  EXPECT_TRUE(std::isinf(range(0.0 * exp(x)).high));
}

}  // namespace
}  // namespace ridge::expr::real_range_test
