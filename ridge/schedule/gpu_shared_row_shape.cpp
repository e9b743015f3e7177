// Rows in shared memory: how many persistent blocks take them, of how many threads.
#include <algorithm>
#include <bit>
#include <numeric>

#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_row_shape.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

// Threads so that all have about as many steps: four warps at a time, one for each part of an SM.
int64_t even_threads(int64_t chunks, int64_t most) {
  const int64_t steps = divided_up(chunks, most), four = 4 * kWarp;
  return std::min(most, divided_up(divided_up(chunks, steps), four) * four);
}

// That a thread of such a block may have: they are given to four warps at a time, eight to each thread.
int64_t registers_of(int64_t threads, const loop::DeviceLimits& limits) {
  const int64_t warps = divided_up(divided_up(threads, kWarp), 4) * 4;
  return limits.registers_per_thread(warps * kWarp);
}

// Chooses the number of blocks so that a thread has the same elements of row-invariant arrays in every row, or in
// every other one: a multiple of the number of alignment classes, or of half of it. False if too many blocks would
// be left without rows.
bool align_blocks(RowShape& shape, const RowWork& work) {
  const int64_t alignment_classes =
      work.is_misaligned ? shape.line / std::gcd(shape.line, *work.length.known()) : 1;
  const int64_t stride = 2 * shape.persistent_blocks, count = *work.count.known();
  const int64_t even_row_trips = divided_up(count, stride);
  const bool splits_evenly =
      even_row_trips == divided_up(count - shape.persistent_blocks + 1, stride);
  if (shape.persistent_blocks % alignment_classes == 0) return true;
  if (stride % alignment_classes == 0 && splits_evenly) {
    shape.even_row_trips = even_row_trips;
    return true;
  }
  const int64_t alike = shape.persistent_blocks / alignment_classes * alignment_classes;
  if (kMinBlocksPerClass * (shape.persistent_blocks - alike) > shape.persistent_blocks)
    return false;
  shape.persistent_blocks = alike;
  return true;
}

// Of a row, which blocks of a cluster take in turn, a step of all their threads each.
struct RowChunks {
  int64_t count, blocks;

  int64_t steps(int64_t threads) const { return divided_up(count, threads * blocks); }
  // Of the first one, which has most.
  int64_t of_block(int64_t threads) const {
    const int64_t whole = (steps(threads) - 1) * threads;
    return whole + std::min(threads, count - whole * blocks);
  }
};

// What is the same for all rows, for each thread of so many.
struct RowInvariant {
  int64_t register_bytes, end_chunks;
};

// In registers as far as all threads have elements, and in `room` bytes of shared memory at the ends. In
// registers alone where there is no room.
RowInvariant invariant_storage(const RowWork& work, const RowChunks& row, int64_t threads,
                               int64_t each, int64_t room) {
  const int64_t whole = *work.length.known() / work.width / (threads * row.blocks);
  const int64_t ends = row.of_block(threads) - (whole - 1) * threads;
  if (whole > 1 && ends * work.width * each <= room) return {(whole - 1) * work.width * each, ends};
  return {row.steps(threads) * work.width * each, 0};
}

int64_t bytes_of_rows(const RowShape& shape, const RowWork& work, int64_t slots) {
  return (shape.is_double_buffered ? 2 : 1) * work.row_bytes * slots;
}

// Shared memory of a block for rows: threads exchange what is found for each of them, through 8 bytes for each warp and
// block, and two barriers.
int64_t room_for_rows(const RowWork& work, int64_t blocks) {
  const int64_t exchanged = 8 * (kSharedRowThreads / kWarp + 2 + blocks);
  const int64_t others = loop::kCudaLimits.reserved_shared_bytes + work.row_values * exchanged;
  return work.limits.shared_bytes - std::max(kSharedOverhead, others);
}

// Keeps as many row-invariant arrays in registers as fit: fewer threads have more registers each.
void keep_row_invariant(RowShape& shape, const RowWork& work, const RowChunks& row, int64_t room) {
  RowShape alike = shape;
  if (!align_blocks(alike, work)) return;
  const bool divides = alike.even_row_trips > 0 &&
                       !std::has_single_bit<uint64_t>(static_cast<uint64_t>(alike.even_row_trips));
  const bool starts_in_line = work.width < shape.line && shape.line < kLineChunks * work.width;
  const int64_t more_arrays = work.row_bytes * work.width / kWideBytes - 1;
  const int64_t needed = kSharedRowRegisters + (shape.is_double_buffered ? 0 : kRefillRegisters) +
                         std::max<int64_t>(0, more_arrays) * kRowArrayRegisters +
                         (divides ? kDividingRegisters : 0) +
                         (starts_in_line ? kPartLineRegisters : 0);
  for (size_t arrays = work.invariant_bytes.size(), left = 0; arrays > 0; --arrays, ++left) {
    const int64_t own = needed + static_cast<int64_t>(left) * kReloadedArrayRegisters;
    const auto end = work.invariant_bytes.begin() + static_cast<ptrdiff_t>(arrays);
    const int64_t each = std::accumulate(work.invariant_bytes.begin(), end, int64_t{0});
    for (int64_t most = kSharedRowThreads; most >= kMinInvariantThreads; most -= kWarp) {
      const int64_t threads = even_threads(divided_up(row.count, row.blocks), most);
      const int64_t slots = row.of_block(threads) * work.width;
      const int64_t spare = room - bytes_of_rows(shape, work, slots);
      const RowInvariant invariant = invariant_storage(work, row, threads, each, spare);
      if (spare < 0 || invariant.register_bytes / 4 + own > registers_of(threads, work.limits))
        continue;
      shape = alike;
      shape.threads = threads;
      shape.slots = slots;
      shape.invariant_bytes = invariant.register_bytes;
      shape.end_chunks = invariant.end_chunks;
      return;
    }
  }
}

// Rows whose first chunk starts at a multiple of `line` elements, of so many blocks each.
std::optional<RowShape> shared_at(const RowWork& work, int64_t line, int64_t blocks) {
  const int64_t before = work.is_misaligned ? line - 1 : 0;
  const RowChunks row{divided_up(*work.length.known() + before, work.width), blocks};
  RowShape shape{
      .width = work.width, .blocks = blocks, .is_misaligned = work.is_misaligned, .line = line};
  shape.threads = even_threads(divided_up(row.count, blocks), kSharedRowThreads);
  shape.slots = row.of_block(shape.threads) * work.width;
  const int64_t bytes = work.row_bytes * shape.slots;
  const int64_t room = room_for_rows(work, blocks);
  const int64_t sms = work.limits.sms;
  // SMs come in pairs, whose clusters leave none of them out.
  shape.persistent_blocks = (blocks <= 2 ? sms : std::min(sms, work.limits.clustered_sms)) / blocks;
  if (bytes > room || shape.persistent_blocks == 0) return std::nullopt;
  shape.is_on_chip = shape.is_in_shared = true;
  shape.is_double_buffered = 2 * bytes <= room;
  keep_row_invariant(shape, work, row, room);
  shape.shared_bytes = room;
  shape.steps = row.steps(shape.threads);
  return shape;
}

// Has `shape` at most one part in kWorthALine less than `other` of row-invariant bytes on chip, and of blocks?
bool is_as_good(const RowShape& shape, const RowShape& other) {
  const auto bytes_on_chip = [](const RowShape& of) { return of.invariant_bytes * of.threads; };
  return shape.is_double_buffered == other.is_double_buffered &&
         kWorthALine * bytes_on_chip(shape) >= (kWorthALine - 1) * bytes_on_chip(other) &&
         kWorthALine * (other.persistent_blocks - shape.persistent_blocks) <=
             other.persistent_blocks;
}

std::optional<RowShape> shared_by(const RowWork& work, int64_t blocks) {
  const std::optional<RowShape> anywhere = shared_at(work, work.width, blocks);
  if (!anywhere || !work.is_misaligned) return anywhere;
  for (int64_t line = kLineChunks * work.width; line > work.width; line /= 2) {
    const std::optional<RowShape> shape = shared_at(work, line, blocks);
    if (shape && is_as_good(*shape, *anywhere)) return shape;
  }
  return anywhere;
}

}  // namespace

// The blocks of a row wait for each other in two cluster reductions or more, so there are as few as have room (rows of
// 65536 of bf16 on an H200: 164 to 166 us with one block, 172 to 216 with two and room for two rows).
std::optional<RowShape> shared_row_shape(const RowWork& work) {
  if (!work.count.known() || !work.allows_persistent_blocks || work.row_bytes == 0)
    return std::nullopt;
  std::optional<RowShape> shape;
  for (int64_t blocks = 1; blocks <= work.cluster && !shape; blocks *= 2) {
    shape = shared_by(work, blocks);
  }
  const bool are_many = shape && *work.count.known() >= kMinSharedRows * shape->persistent_blocks;
  return are_many ? shape : std::nullopt;
}

}  // namespace ridge::schedule
