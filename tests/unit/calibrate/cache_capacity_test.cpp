#include <gtest/gtest.h>

#include <algorithm>

#include "ridge/calibrate/cpu_shape.h"

namespace ridge::calibrate::cache_capacity_test {
namespace {

constexpr double kMega = 1024 * 1024;

// Of a cache of some size: what does not fit comes from memory, of what does a part falls out early.
auto rate_with(double cache, double cached, double not_cached) {
  return [=](double bytes) {
    const double held = bytes <= cache ? 1 : std::max(0.0, 1 - 2 * (bytes - cache) / cache);
    return 1 / (held / cached + (1 - held) / not_cached);
  };
}

TEST(CacheCapacity, IsFoundWhateverTheSystemSays) {
  for (const double cache : {8.0, 32.0, 100.0}) {
    for (const double reported : {cache, 320.0, 768.0}) {
      const double found =
          capacity_of(rate_with(cache * kMega, 60e9, 10e9), 3 * kMega, 3 * reported * kMega);
      EXPECT_GE(found, 0.7 * cache * kMega) << cache << " of " << reported;
      EXPECT_LE(found, 1.4 * cache * kMega) << cache << " of " << reported;
    }
  }
}

TEST(CacheCapacity, OfLevelsThatAreAlikeIsNotKnown) {
  EXPECT_EQ(capacity_of(rate_with(32 * kMega, 11e9, 10e9), 3 * kMega, 96 * kMega), 96 * kMega);
}

TEST(CacheCapacity, TheSystemIsBelievedWhereItIsBorneOut) {
  EXPECT_EQ(checked_bytes(320 * kMega, 30 * kMega), 30 * kMega);
  EXPECT_EQ(checked_bytes(32 * kMega, 20 * kMega), 32 * kMega);
  EXPECT_EQ(checked_bytes(32 * kMega, 96 * kMega), 32 * kMega);
}

}  // namespace
}  // namespace ridge::calibrate::cache_capacity_test
