// SplitMix64: a small deterministic generator for tests, samples and fuzzing.
//
//   SplitMix64 random(42);
//   double x = random.uniform(-1, 1);
//   int64_t n = random.integer(1, 8);      // 1 to 8, both included
//
// The same seed gives the same numbers on every machine, unlike the distributions of <random>.
// Not for models: tensors are filled by Philox, whose numbers do not depend on order.
#pragma once

#include <cstdint>

#include "ridge/base/error.h"

namespace ridge {

class SplitMix64 {
 public:
  constexpr explicit SplitMix64(uint64_t seed) : state_(seed) {}

  constexpr uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  // In [lo, hi), but for rounding of the last step when the interval is wide or tiny.
  constexpr double uniform(double lo, double hi) {
    const double unit = static_cast<double>(next() >> 11) * 0x1p-53;
    return lo + (hi - lo) * unit;
  }

  // In [lo, hi], each equally likely.
  constexpr int64_t integer(int64_t lo, int64_t hi) {
    RIDGE_CHECK(lo <= hi, .code = ErrorCode::value, .op = "SplitMix64::integer",
                .expected = "lo <= hi", .given = std::to_string(lo) + " and " + std::to_string(hi));
    // Unsigned arithmetic: the distance may not fit an int64_t, and wraps to 0 for all of them.
    const uint64_t count = static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo) + 1;
    if (count == 0) return static_cast<int64_t>(next());
    // Values below 2^64 mod count would make some results likelier; draw again.
    const uint64_t first_fair = (0 - count) % count;
    uint64_t drawn = next();
    while (drawn < first_fair) drawn = next();
    return static_cast<int64_t>(static_cast<uint64_t>(lo) + drawn % count);
  }

 private:
  uint64_t state_;
};

}  // namespace ridge
