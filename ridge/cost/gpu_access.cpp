#include <algorithm>
#include <cmath>
#include <numeric>

#include "ridge/cost/gpu_work.h"
#include "ridge/cost/tuning.h"

namespace ridge::cost {
namespace {

using tuning::kWarp;

const AxisStep* step_along(const MemoryAccess& access, int axis) {
  const auto found = std::ranges::find(access.steps, axis, &AxisStep::axis);
  return found == access.steps.end() ? nullptr : &*found;
}

// Contiguous elements of a thread.
double run_of(const MemoryAccess& access, const ThreadPlace& place) {
  const AxisStep* step = step_along(access, place.vector_axis);
  return step != nullptr && step->stride == 1 && !step->is_random ? place.vector_trips : 1;
}

// Sectors start at multiples of this many bytes, whatever stands still for a warp.
double alignment_of(const MemoryAccess& access, const ThreadPlace& place, double sector) {
  auto unit = static_cast<int64_t>(sector);
  for (const AxisStep& step : access.steps) {
    const bool moves_in_warp =
        step.axis == place.vector_axis ||
        std::ranges::find(place.lanes, step.axis, &ThreadPlace::Lanes::axis) != place.lanes.end();
    if (!moves_in_warp) unit = std::gcd(unit, step.stride * access.element_bytes);
  }
  return static_cast<double>(std::gcd(unit, access.origin * access.element_bytes));
}

// Elements from the first of so many threads to the last.
double span_of(const AxisStep& step, double lanes) {
  if (lanes >= kWarp) return static_cast<double>(step.warp_span);
  if (step.trips <= lanes) return static_cast<double>(step.span);
  return static_cast<double>(step.stride) * (lanes - 1);
}

// What the lanes of a warp cover: contiguous runs of bytes, a sector or more apart.
struct Cover {
  double run_bytes, count = 1;
};

Cover cover_of(const MemoryAccess& access, const ThreadPlace& place, double bytes, double sector) {
  Cover cover{bytes};
  double left = kWarp;
  for (size_t i = place.lanes.size(); i-- > 0 && left > 1;) {
    const AxisStep* step = step_along(access, place.lanes[i].axis);
    const double lanes = std::min(left, std::ceil(place.lanes[i].trips));
    left /= lanes;
    if (step == nullptr) continue;
    if (step->is_random) {
      cover.count *= lanes;
      continue;
    }
    if (step->warp_runs > 1 && lanes > step->warp_runs) {
      const double run = std::ceil(lanes / step->warp_runs);
      cover.run_bytes += static_cast<double>(step->stride) * (run - 1) * access.element_bytes;
      cover.count *= step->warp_runs;
      continue;
    }
    const double span = span_of(*step, lanes);
    const double gap = lanes > 1 ? span / (lanes - 1) * access.element_bytes : 0;
    if (gap - cover.run_bytes >= sector) {
      cover.count *= lanes;
    } else {
      cover.run_bytes += span * access.element_bytes;
    }
  }
  return cover;
}

}  // namespace

double warp_bytes(const MemoryAccess& access, const ThreadPlace& place, double sector) {
  const double width = run_of(access, place), bytes = width * access.element_bytes;
  const Cover cover = cover_of(access, place, bytes, sector);
  const double alignment = alignment_of(access, place, sector);
  // A run may reach into one more sector than it fills.
  const double covered = std::ceil(cover.run_bytes / alignment) * alignment;
  const double sectors = cover.count * std::max(1.0, (covered - alignment) / sector + 1);
  const double most = kWarp * std::max(1.0, std::ceil(bytes / sector));
  return std::min(sectors, most) * sector / width;
}

double width_of(const MemoryAccess& access, const ThreadPlace& place) {
  const double most = std::max(1.0, tuning::kWidestAccess / access.element_bytes);
  return std::min(run_of(access, place), most);
}

double store_bytes(const MemoryAccess& access, const ThreadPlace& place, double sector) {
  const double instructions = run_of(access, place) / width_of(access, place);
  const double run = run_of(access, place) * access.element_bytes;
  const double parts = std::min(instructions, std::max(1.0, sector / tuning::kWidestAccess));
  return warp_bytes(access, place, sector) * (run > tuning::kWidestAccess ? parts : 1);
}

}  // namespace ridge::cost
