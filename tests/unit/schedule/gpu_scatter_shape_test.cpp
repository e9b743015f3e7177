#include "ridge/schedule/gpu_scatter_shape.h"

#include <gtest/gtest.h>

namespace ridge::schedule::gpu_scatter_odds_test {
namespace {

BranchProbabilities probabilities(int64_t points, int64_t slots, int64_t owners) {
  return BranchProbabilities({.columns = 64, .slots = slots, .points = points, .owners = owners});
}

TEST(BranchProbabilities, MorePointsHitABlockMoreOften) {
  EXPECT_DOUBLE_EQ(probabilities(100, 100, 8).own(), 0.125);
  EXPECT_NEAR(probabilities(100, 100, 1024).hit(1), probabilities(100, 100, 1024).own(), 1e-6);
  EXPECT_GT(probabilities(100, 100, 8).hit(256), 0.999);
}

TEST(BranchProbabilities, FewPointsMeetNobodyAndManyMeetOthers) {
  EXPECT_NEAR(probabilities(10, 1000000, 8).repeated(), 0, 1e-5);
  EXPECT_NEAR(probabilities(10, 1000000, 8).touched(), 1e-5, 1e-9);
  EXPECT_NEAR(probabilities(1000000, 10, 8).repeated(), 1, 1e-4);
  EXPECT_NEAR(probabilities(1000000, 10, 8).touched(), 1, 1e-9);
}

TEST(BranchProbabilities, OneOfHowMany) {
  EXPECT_EQ(inverse(1), 1);
  EXPECT_EQ(inverse(0.5), 2);
  EXPECT_EQ(inverse(0.0278), 36);
  EXPECT_EQ(inverse(0), 1000000) << "not nothing: an index may be of one slot";
}

}  // namespace
}  // namespace ridge::schedule::gpu_scatter_odds_test
