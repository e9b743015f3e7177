#include "ridge/calibrate/cache_capacity.h"

#include <cmath>

namespace ridge::calibrate {
namespace {

// Arrays grow by this, and then the place of the step is halved so often.
constexpr double kGrowth = 2;
constexpr int kHalvings = 3;
// A level that is not faster than the next by this cannot be told from it.
constexpr double kLeastStep = 1.25;
constexpr double kLeastShare = 0.5;

}  // namespace

double capacity_of(const std::function<double(double bytes)>& rate, double least, double most) {
  const double cached = rate(least), not_cached = rate(most);
  if (!(cached > kLeastStep * not_cached)) return most;
  const double between = std::sqrt(cached * not_cached);
  double held = least, past = most;
  for (double bytes = least * kGrowth; bytes < most; bytes *= kGrowth) {
    if (rate(bytes) < between) {
      past = bytes;
      break;
    }
    held = bytes;
  }
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = std::sqrt(held * past);
    (rate(middle) < between ? past : held) = middle;
  }
  return held;
}

double checked_bytes(double reported, double measured) {
  return measured < kLeastShare * reported ? measured : reported;
}

}  // namespace ridge::calibrate
