#include "ridge/schedule/gpu_scatter_shape.h"

#include <gtest/gtest.h>

namespace ridge::schedule::gpu_scatter_odds_test {
namespace {

ScatterOdds odds(int64_t points, int64_t slots, int64_t owners) {
  return ScatterOdds({.columns = 64, .slots = slots, .points = points, .owners = owners});
}

TEST(ScatterOdds, MorePointsHitABlockMoreOften) {
  EXPECT_DOUBLE_EQ(odds(100, 100, 8).own(), 0.125);
  EXPECT_NEAR(odds(100, 100, 1024).hit(1), odds(100, 100, 1024).own(), 1e-6);
  EXPECT_GT(odds(100, 100, 8).hit(256), 0.999);
}

TEST(ScatterOdds, FewPointsMeetNobodyAndManyMeetOthers) {
  EXPECT_NEAR(odds(10, 1000000, 8).repeated(), 0, 1e-5);
  EXPECT_NEAR(odds(10, 1000000, 8).touched(), 1e-5, 1e-9);
  EXPECT_NEAR(odds(1000000, 10, 8).repeated(), 1, 1e-4);
  EXPECT_NEAR(odds(1000000, 10, 8).touched(), 1, 1e-9);
}

TEST(ScatterOdds, OneOfHowMany) {
  EXPECT_EQ(one_of(1), 1);
  EXPECT_EQ(one_of(0.5), 2);
  EXPECT_EQ(one_of(0.0278), 36);
  EXPECT_EQ(one_of(0), 1000000) << "not nothing: an index may be of one slot";
}

}  // namespace
}  // namespace ridge::schedule::gpu_scatter_odds_test
