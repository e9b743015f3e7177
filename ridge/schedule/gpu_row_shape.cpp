#include "ridge/schedule/gpu_row_shape.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "ridge/base/text.h"
#include "ridge/core/shape.h"
#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_split_reduction.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

int64_t power_of_two_from(int64_t n) {
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(n, 1))));
}

// The chunks of a row among threads of a block: a power of two where blocks hold several rows.
void share_block(RowShape& shape, int64_t chunks, int64_t most_steps) {
  shape.threads = power_of_two_from(divided_up(chunks, most_steps));
  if (shape.threads >= kSharedBlockThreads) {
    shape.threads = divided_up(divided_up(chunks, most_steps), kWarp) * kWarp;
  } else {
    shape.rows = kSharedBlockThreads / shape.threads;
  }
}

// Steps of a thread whose elements it keeps in registers; 0 if not even one.
int64_t max_register_steps(const RowWork& work, int64_t bytes) {
  if (work.reused_bytes == 0) return 0;
  const int64_t least = work.width == 1 ? 4 : 0;  // one by itself has a register of its own
  const int64_t elements = bytes / std::max(least, work.reused_bytes);
  return elements == 0
             ? 0
             : std::max<int64_t>(elements >= work.width ? 1 : 0,
                                 std::bit_floor(static_cast<uint64_t>(elements)) / work.width);
}

// Registers of a thread of a persistent block, in bytes for each of its elements: column sums, a row, and the next
// one if it is prefetched.
int64_t persistent_bytes(const RowWork& work, bool prefetches) {
  const int64_t one = work.width == 1 ? 2 : 1;  // half a register by itself takes a whole one
  const int64_t rows = prefetches ? 2 : 1;
  return work.column_bytes + one * (rows * work.reused_bytes + work.single_use_bytes);
}

int64_t max_persistent_steps(const RowWork& work, bool prefetches) {
  const int64_t elements =
      kMaxPersistentBytes / std::max<int64_t>(persistent_bytes(work, prefetches), 1);
  return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(elements))) / work.width;
}

// Of each block of a cluster that keeps a row in registers. Where rows are few and a block has an SM for itself, the
// longest rows get twice as many threads; they would take several kernels otherwise.
int64_t cluster_threads(const RowWork& work, int64_t chunks) {
  const int64_t most = max_register_steps(work, kMaxClusterRowBytes) * work.cluster;
  const auto count = work.count.known();
  const bool are_few = count && *count < work.limits.sms;
  return are_few && chunks > most * kClusterBlockThreads ? 2 * kClusterBlockThreads
                                                         : kClusterBlockThreads;
}

// Is a row a little longer than what a power of two of threads hold in so many steps? Within a warp, another step leaves
// fewer threads idle than twice as many threads do: softmax of 32768 x 1023 of bf16, which starts in the middle of
// 16 bytes, took 39 us on an H200, and 50 with two warps for a row; of 65536 x 511 40 and 45. 2026-11-17.
bool is_worth_a_step(const RowWork& work, int64_t chunks, int64_t steps) {
  const int64_t room = kMaxRegisterRowBytes / work.reused_bytes / work.width;
  const auto threads = [&](int64_t with) { return power_of_two_from(divided_up(chunks, with)); };
  return steps < room && threads(steps + 1) <= kWarp && threads(steps + 1) < threads(steps);
}

void take_registers(RowShape& shape, const RowWork& work, int64_t chunks, int64_t most) {
  int64_t usual = most;
  const int64_t count = work.count.hint_or(std::numeric_limits<int32_t>::max());
  // Few rows are spread over more threads, so that no SM is idle.
  while (usual > 1 && (work.cluster > 1 || chunks <= usual / 2 * kRegisterRowThreads) &&
         count * divided_up(chunks, usual) < 2 * work.limits.sms * kSharedBlockThreads) {
    usual /= 2;
  }
  if (chunks <= usual * kRegisterRowThreads) {
    share_block(shape, chunks,
                usual == most && is_worth_a_step(work, chunks, most) ? most + 1 : usual);
  } else {
    // Longer rows in fewer blocks, which wait for each other; but all SMs should have work.
    const int64_t steps = max_register_steps(work, kMaxClusterRowBytes);
    shape.threads = cluster_threads(work, chunks);
    shape.blocks = power_of_two_from(divided_up(chunks, steps * shape.threads));
    while (2 * shape.blocks <= work.cluster && chunks > 2 * shape.blocks * shape.threads &&
           count * shape.blocks < 2 * work.limits.sms) {
      shape.blocks *= 2;
    }
  }
  shape.is_on_chip = true;
}

// Rows whose length is a symbol, where registers have room for those of the expected length and longer ones, up to a
// power of two: what is beyond has another program, by a guard. No cluster is used: what a row of the
// expected length leaves idle is at most half of its threads.
std::optional<RowShape> register_shape(const RowWork& work) {
  const int64_t expected = work.length.hint_or(0);
  int64_t most = max_register_steps(work, kMaxRegisterRowBytes);
  if (expected == 0 || most == 0 || !work.allows_persistent_blocks) return std::nullopt;
  const int64_t before = work.is_misaligned ? work.width - 1 : 0;
  const int64_t wanted = std::min(kRegisterRowGrowth * expected, kMinRegisterRow);
  const int64_t chunks =
      power_of_two_from(divided_up(std::max(expected + before, wanted), work.width));
  if (chunks > most * kRegisterRowThreads) return std::nullopt;
  // Rows are mostly shorter than the registers have room for: those of one warp leave the fewest threads idle,
  // and need no block reduction.
  const int64_t of_warp = max_register_steps(work, kMaxWarpRowBytes);
  if (chunks <= of_warp * kWarp) most = of_warp;
  RowShape shape{.width = work.width, .is_misaligned = work.is_misaligned};
  RowWork single_block = work;
  single_block.cluster = 1;
  take_registers(shape, single_block, chunks, most);
  shape.steps = divided_up(chunks, shape.threads);
  if (!is_below(work.length, *shape.steps * shape.stride() - before + 1)) return std::nullopt;
  return shape;
}

// Rows to prefetch to shared memory, where registers are short: as many as there is room for beside the column sums
// that rows of a block exchange there. `blocks` share an SM. 0: none.
int64_t prefetch_distance_of(const RowShape& shape, const RowWork& work, int64_t chunks,
                             int64_t blocks) {
  // One element by itself may be too narrow to be copied while a thread goes on.
  if (work.reused_bytes == 0 || work.width == 1) return 0;
  const int64_t elements = divided_up(chunks, shape.threads) * work.width;
  // What hardly fits in registers leaves none for the addresses of prefetched rows, either.
  const int64_t register_bytes = elements * persistent_bytes(work, true);
  if (register_bytes <= kMaxRegisterPrefetchBytes || register_bytes > kMaxPersistentBytes) return 0;
  const int64_t sums = shape.rows > 1 ? shape.rows * *work.length.known() * work.column_bytes : 0;
  const int64_t room = work.limits.shared_bytes / blocks - kSharedOverhead - sums;
  const int64_t row = shape.rows * shape.threads * elements * work.reused_bytes;
  return std::clamp<int64_t>(room / row, 0, blocks == 1 ? kMaxPrefetchDistance : 1);
}

// Persistent blocks: as many as the registers of all SMs have room for. Rows that do not fit in registers come here
// only with unexpected strides, and are slower then.
void take_persistent(RowShape& shape, const RowWork& work, int64_t chunks) {
  shape.prefetches = chunks <= max_persistent_steps(work, true) * kRegisterRowThreads;
  share_block(shape, chunks,
              std::max(max_persistent_steps(work, shape.prefetches),
                       divided_up(chunks, kRegisterRowThreads)));
  shape.is_on_chip = work.reused_bytes > 0;
  const int64_t blocks_per_sm =
      std::max<int64_t>(1, kPersistentThreads / (shape.threads * shape.rows));
  shape.prefetch_distance = prefetch_distance_of(shape, work, chunks, blocks_per_sm);
  shape.prefetches |= shape.prefetch_distance > 0;
  const int64_t trip_count = divided_up(*work.count.known(), shape.rows);
  shape.persistent_blocks = std::min(trip_count, work.limits.sms * blocks_per_sm);
}

// Few long rows that are read as they come: each by a cluster.
void spread_over_cluster(RowShape& shape, const RowWork& work) {
  const auto count = work.count.known();
  if (!count) return;
  shape.blocks = blocks_of_row(*count, *work.length.known(), work.limits.sms, work.cluster);
  if (shape.blocks > 1) shape.threads = kClusterReadThreads;
}

}  // namespace

bool can_be_persistent(const RowWork& work) {
  const auto length = work.length.known();
  if (!length || !work.count.known() || work.is_misaligned || !work.allows_persistent_blocks)
    return false;
  return divided_up(*length, work.width) <= max_persistent_steps(work, false) * kRegisterRowThreads;
}

RowShape row_shape(const RowWork& work) {
  RowShape shape{.width = work.width, .is_misaligned = work.is_misaligned};
  const auto length = work.length.known();
  if (!length) {
    if (const auto in_registers = register_shape(work)) return *in_registers;
    // For rows as long as expected; others take more steps, or leave threads without work.
    const int64_t expected = work.length.hint_or(kMaxBlockThreads * kReadOnceSteps);
    share_block(shape, divided_up(expected, work.width), kReadOnceSteps);
    shape.threads = std::min(shape.threads, kMaxBlockThreads);
    if (!work.allows_persistent_blocks && shape.rows > 1) {
      shape.threads = kWarp;
      shape.rows = 1;
    }
    return shape;
  }
  // A misaligned row may reach into one chunk more.
  const int64_t chunks =
      divided_up(*length + (work.is_misaligned ? work.width - 1 : 0), work.width);
  const int64_t most = max_register_steps(work, kMaxRegisterRowBytes);
  const int64_t steps = max_register_steps(work, kMaxClusterRowBytes);
  const int64_t most_chunks =
      std::max(most * kRegisterRowThreads, steps * cluster_threads(work, chunks) * work.cluster);
  const std::optional<RowShape> in_shared = shared_row_shape(work);
  if (work.column_bytes > 0) {
    take_persistent(shape, work, chunks);
  } else if (in_shared && chunks > most * kRegisterRowThreads) {
    return *in_shared;
  } else if (most > 0 && chunks <= most_chunks) {
    take_registers(shape, work, chunks, most);
  } else {
    const int64_t least = work.is_misaligned ? kMisalignedSteps : kReadOnceSteps;
    const auto count = work.count.known();
    // Rows that have an SM each are as fast as a thread's steps, one after the other.
    const bool has_own_sm = count && *count <= work.limits.sms;
    const int64_t threads = has_own_sm ? kMaxRowThreads : kMaxBlockThreads;
    share_block(shape, chunks, std::max(least, chunks / threads));
    shape.threads = std::min(shape.threads, threads);
    spread_over_cluster(shape, work);
  }
  shape.steps = divided_up(chunks, shape.threads * shape.blocks);
  return shape;
}

namespace {

std::string count_text(int64_t count, std::string_view what) {
  return concat(count, " ", what, count == 1 ? "" : "s");
}

// Where a row is while it is computed.
std::string place_text(const RowShape& shape, const RowWork& work) {
  if (shape.is_in_shared) {
    return shape.is_double_buffered ? "rows in shared memory, double-buffered"
                                    : "row in shared memory";
  }
  if (shape.is_on_chip) return "row in registers";
  return work.reused_bytes > 0 ? "row read by each pass" : "row read once";
}

std::string blocks_text(const RowShape& shape) {
  if (shape.persistent_blocks > 0) {
    const std::string_view what = shape.blocks > 1 ? "persistent cluster" : "persistent block";
    return count_text(shape.persistent_blocks, what);
  }
  return shape.blocks > 1 ? "1 row a cluster" : concat(count_text(shape.rows, "row"), " a block");
}

}  // namespace

std::string mapping_text(const RowShape& shape, const RowWork& work) {
  std::string text = concat(count_text(shape.threads, "thread"), " a row");
  if (shape.blocks > 1) text += concat(" in each of ", shape.blocks, " blocks of a cluster");
  text += concat(", ", count_text(shape.width, "element"), " each, ");
  text += shape.steps ? count_text(*shape.steps, "step") : std::string("steps by the length");
  if (shape.is_misaligned) text += ", misaligned";
  return concat(text, ", ", place_text(shape, work), ": ", blocks_text(shape));
}

}  // namespace ridge::schedule
