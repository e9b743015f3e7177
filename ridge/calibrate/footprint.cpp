#include "ridge/calibrate/footprint.h"

#include <algorithm>
#include <cmath>

namespace ridge::calibrate {
namespace {

// Long enough for the clock, short enough for many rounds.
constexpr double kSeconds = 4e-3;
constexpr double kGuessedBandwidth = 20e9;
constexpr int64_t kLookups = 400000;
constexpr int64_t kLeastProducts = 4;

// Bytes of each task in the cache that all share.
double last_level_share(const CpuShape& shape, int tasks) {
  const double own = shape.l2 / shape.threads_of_core(tasks);
  const double share = std::min({shape.l3 / 4, 6 * own, shape.l3 / 2 / tasks});
  // Where the caches of the cores hold as much as the shared one, half of it would lie in them;
  // such a shared one does not repeat what they hold.
  return share < 2 * own ? own + shape.l3 / 2 / tasks : share;
}

// Bytes of each task, together far more than all caches.
double memory_share(const CpuShape& shape, int tasks) {
  return std::max(3 * shape.l3, 2 * (shape.l3 + shape.cores * shape.l2)) / tasks;
}

Footprint footprint(std::string level, const CpuShape& shape, int tasks, double bytes) {
  Footprint result{.level = std::move(level), .tasks = tasks};
  result.lines = std::max<int64_t>(1, static_cast<int64_t>(bytes / shape.line));
  result.floats = result.lines * (static_cast<int64_t>(shape.line) / 4);
  const double of_task = static_cast<double>(4 * result.floats);
  result.repeats = std::max<int64_t>(1, std::llround(kSeconds * kGuessedBandwidth / of_task));
  result.gather_repeats = std::max<int64_t>(1, kLookups / result.lines);
  return result;
}

}  // namespace

std::vector<Footprint> memory_footprints(const CpuShape& shape) {
  std::vector<Footprint> result;
  const auto add = [&](const char* level, auto bytes_of) {
    result.push_back(footprint(level, shape, 1, bytes_of(1)));
    if (shape.threads > 1) {
      result.push_back(footprint(level, shape, shape.threads, bytes_of(shape.threads)));
    }
  };
  add("l1", [&](int tasks) { return shape.l1 / 2 / shape.threads_of_core(tasks); });
  add("l2", [&](int tasks) { return shape.l2 / 2 / shape.threads_of_core(tasks); });
  add("l3", [&](int tasks) { return last_level_share(shape, tasks); });
  add("dram", [&](int tasks) { return memory_share(shape, tasks); });
  return result;
}

int64_t floats_for(const std::vector<Footprint>& footprints) {
  int64_t most = 1;
  for (const Footprint& one : footprints) {
    most = std::max({most, one.all_floats(), one.repeats});  // a write reads a number each time
  }
  return most;
}

int64_t arithmetic_floats(const CpuShape& shape) { return kArithmeticElements * shape.threads; }

int64_t overhead_floats(const CpuShape& shape) {
  return std::max(kWorkElements * shape.threads, kLoopRows * shape.lanes);
}

int64_t product_tasks(const CpuShape& shape) {
  return (kLeastProducts + shape.threads - 1) / shape.threads * shape.threads;
}

int64_t capacity_tasks(const CpuShape& shape) {
  const auto most = static_cast<int64_t>(shape.l3 / 4 / (2 * shape.l2));
  return std::clamp<int64_t>(most, 1, shape.threads);
}

}  // namespace ridge::calibrate
