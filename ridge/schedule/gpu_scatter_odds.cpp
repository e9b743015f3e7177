#include "ridge/schedule/gpu_scatter_odds.h"

#include <algorithm>
#include <cmath>

namespace ridge::schedule {
namespace {

constexpr int64_t kUnknownPoints = 4096;  // where nothing bounds them: neither few nor many

}  // namespace

ScatterOdds::ScatterOdds(const ScatterShape& shape)
    : owners_(static_cast<double>(shape.owners)),
      points_(static_cast<double>(std::max<int64_t>(shape.points.hint_or(kUnknownPoints), 1))),
      slots_(static_cast<double>(std::max<int64_t>(shape.slots.hint_or(kUnknownPoints), 1))) {}

double ScatterOdds::hit(int64_t points) const {
  return -std::expm1(-static_cast<double>(points) / owners_);
}

double ScatterOdds::touched() const { return -std::expm1(-points_ / slots_); }

double ScatterOdds::repeated() const { return 1 - touched() * slots_ / points_; }

int64_t one_of(double share) {
  constexpr double kLeast = 1e-6;
  return std::llround(1 / std::clamp(share, kLeast, 1.0));
}

}  // namespace ridge::schedule
