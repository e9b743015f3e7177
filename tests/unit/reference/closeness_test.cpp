#include "ridge/reference/closeness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace ridge::reference::closeness_test {
namespace {

const double kNone = std::nan("");
const double kInfinite = std::numeric_limits<double>::infinity();

TEST(Tolerance, GrowsWithTheRootOfTheLength) {
  EXPECT_DOUBLE_EQ(tolerance(f32, 16, 0, 1e-7), 16e-7);
  EXPECT_DOUBLE_EQ(tolerance(f32, 256, 0, 1e-7), 40e-7);
  EXPECT_DOUBLE_EQ(tolerance(bf16, 1, -3, 0), 3 * epsilon(bf16));
  EXPECT_LT(working_epsilon(f64), working_epsilon(bf16));
  EXPECT_EQ(working_epsilon(f32), working_epsilon(bf16));
}

TEST(WorstMismatch, IsTheElementThatIsOffByTheMost) {
  const std::vector<double> expected{1, 2, 3, 4}, allowed{0.5, 0.5, 0.5, 3};
  EXPECT_FALSE(worst_mismatch(std::vector<double>{1.5, 2, 2.5, 7}, expected, allowed));
  const auto worst = worst_mismatch(std::vector<double>{1.6, 4, 3, 7.1}, expected, allowed);
  ASSERT_TRUE(worst.has_value());
  EXPECT_EQ(worst->element, 1u);
  EXPECT_EQ(worst->ours, 4);
  EXPECT_EQ(worst->expected, 2);
  EXPECT_EQ(worst->allowed, 0.5);
}

TEST(WorstMismatch, InfinitiesAndNaNStandWhereTheyStand) {
  const std::vector<double> expected{kInfinite, kNone, 1, 1}, allowed(4, 0.1);
  const auto ok = [&](std::vector<double> ours) {
    return !worst_mismatch(ours, expected, allowed).has_value();
  };
  EXPECT_TRUE(ok({kInfinite, kNone, 1, 1}));
  EXPECT_FALSE(ok({-kInfinite, kNone, 1, 1}));
  EXPECT_FALSE(ok({kInfinite, 0, 1, 1}));
  EXPECT_FALSE(ok({kInfinite, kNone, kNone, 1}));
  EXPECT_FALSE(ok({kInfinite, kNone, 1, kInfinite}));
  EXPECT_FALSE(worst_mismatch(std::vector<double>{kNone}, std::vector<double>{1},
                              std::vector<double>{kInfinite}));
}

}  // namespace
}  // namespace ridge::reference::closeness_test
