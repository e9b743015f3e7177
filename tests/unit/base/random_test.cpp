#include "ridge/base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace ridge::random_test {
namespace {

// The first outputs for seed 1234567 as published with the algorithm.
TEST(SplitMix64, FollowsThePublishedSequence) {
  SplitMix64 random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
}

TEST(SplitMix64, UniformStaysInsideAndFillsTheInterval) {
  SplitMix64 random(1);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double x = random.uniform(-2, 6);
    ASSERT_GE(x, -2);
    ASSERT_LT(x, 6);
    sum += x;
  }
  EXPECT_NEAR(sum / 10000, 2, 0.1);
}

TEST(SplitMix64, IntegerReachesBothEnds) {
  SplitMix64 random(2);
  std::array<int, 6> counts{};
  for (int i = 0; i < 6000; ++i) ++counts[static_cast<size_t>(random.integer(-2, 3) + 2)];
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
  EXPECT_EQ(random.integer(5, 5), 5);
}

TEST(SplitMix64, IntegerTakesTheWidestInterval) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  SplitMix64 random(3);
  EXPECT_NE(random.integer(kMin, kMax), random.integer(kMin, kMax));
  EXPECT_GE(random.integer(kMin + 1, kMax), kMin + 1);
}

TEST(SplitMix64, RefusesAnEmptyInterval) { EXPECT_THROW(SplitMix64(1).integer(2, 1), Error); }

TEST(SplitMix64, WorksAtCompileTime) {
  static_assert(SplitMix64(7).integer(1, 8) >= 1);
  static_assert(SplitMix64(7).uniform(0, 1) < 1);
}

}  // namespace
}  // namespace ridge::random_test
