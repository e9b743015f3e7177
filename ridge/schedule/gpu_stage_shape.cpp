// Rows in shared memory: how many blocks walk over them, of how many threads.
#include <algorithm>

#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_row_shape.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

int64_t quotient_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Threads so that all have about as many steps.
int64_t even_threads(int64_t chunks, int64_t most) {
  const int64_t steps = quotient_up(chunks, most);
  return quotient_up(quotient_up(chunks, steps), kWarp) * kWarp;
}

}  // namespace

std::optional<RowShape> staged_shape(const RowWork& work, int64_t chunks) {
  const auto count = work.count.known();
  if (!count || !work.can_share || work.kept_bytes == 0) return std::nullopt;
  const int64_t row = work.kept_bytes * chunks * work.width;
  const int64_t room = work.shared_bytes - kSharedOverhead;
  if (row > room) return std::nullopt;
  RowShape shape{.width = work.width, .is_shifted = work.is_shifted};
  shape.keeps = shape.stages = true;
  shape.is_double = 2 * row <= room;
  shape.threads = even_threads(chunks, kStagingThreads);
  shape.walkers = static_cast<int64_t>(work.units);
  shape.slots = chunks * work.width;
  shape.shared_bytes = room;
  if (*count < kLeastStagedRows * shape.walkers) return std::nullopt;
  return shape;
}

}  // namespace ridge::schedule
