// How many threads take a row of a reduction on a GPU, and how many rows a block.
//
//   row of 128 bf16     16 threads, 8 rows in a block of 128
//   row of 4096 bf16    a block of 128 threads, 4 times 16 bytes each
//   row of 50304 bf16   a block of 1024 threads on each unit, which walks over rows in shared memory
//   200000 of f32       a cluster of 8 blocks of 256 threads, if there is one
//
// Where a result is wanted for each column too, blocks stay and walk over the rows, so that every
// thread meets the same columns again and keeps their sums in registers (gpu_walk.h).
//
// Short rows share a block, so that its threads have work; long ones take several blocks, so that
// registers hold what later passes over the row read again. Beyond a cluster nothing is held.
#pragma once

#include <optional>

#include "ridge/schedule/loops.h"

namespace ridge::schedule {

struct RowWork {
  Size length, count;       // of a row, and of rows
  int64_t width = 1;        // neighbors that a thread takes at once
  int64_t kept_bytes = 0;   // of each element, that later passes read again
  int64_t row_bytes = 0;    // those of them in arrays that have rows
  bool is_shifted = false;  // rows start in the middle of `width` neighbors
  bool can_share =
      true;          // may blocks walk over rows? Not where the position of an element is asked
  double units = 1;  // of the device
  int64_t shared_bytes = 0;  // memory that the blocks of a unit share
  int64_t cluster = 1;       // most blocks of it that may hold a row together
  // Of each element, in arrays that are the same for all rows, one by one.
  std::vector<int64_t> steady_bytes{};
  // Bytes of accumulators that a thread holds for each of its columns while its block walks over rows.
  // 0: nothing is kept from row to row, and each row has a block of its own.
  int64_t column_bytes = 0;
  int64_t once_bytes = 0;  // of each element, that one pass reads or stores: where blocks walk
};

struct RowShape {
  int64_t width = 1;
  int64_t threads = 1;  // of a block, along one row
  int64_t rows = 1;     // of a block
  int64_t blocks = 1;   // of a cluster, along one row
  std::optional<int64_t>
      steps{};         // of each thread along its row; none where nothing bounds its length
  bool keeps = false;  // what is read again is held: in registers, unless
  bool is_shifted = false;
  // Elements that the first of a shifted row's chunks starts at a multiple of; 0: at any chunk. Warps that
  // start where lines of memory do touch four of them with a step, and not parts of five.
  int64_t line = 0;
  // Blocks of the grid, or clusters, that walk over all rows: b takes rows b, b + walkers, ... 0: one for
  // each `rows` of them.
  int64_t walkers = 0;
  // A walking block has the next row come while it works on one: to registers, or, where `ahead` is not 0,
  // to shared memory, from where it goes to registers when its turn comes: so many rows are on their way.
  bool fetches_next = false;
  int64_t ahead = 0;
  // ... rows lie in shared memory, where the next one comes while one is computed: elements of a row there,
  // and bytes for all that is kept of it. With room for two rows the next one comes all the while, else
  // when the last pass over this one makes room.
  bool stages = false, is_double = false;
  int64_t slots = 0, shared_bytes = 0;
  int64_t steady_bytes = 0;  // of what is the same for all rows, that a thread holds in registers
  // Its first step, and those that some threads do not have, lie in shared memory instead: so many chunks.
  int64_t end_chunks = 0;
  // Rows that a block walks over before those between them: b, b + 2 * walkers, ... and then b + walkers,
  // b + 3 * walkers, ... where only every other row is shifted alike. 0: in order.
  int64_t half_walk = 0;

  int64_t stride() const { return width * threads * blocks; }  // elements of one step
  int64_t start_multiple() const { return line > 0 ? line : width; }
};

RowShape row_shape(const RowWork& work);
// Rows of a known length in shared memory; nothing where they do not fit, or are too few to walk over.
std::optional<RowShape> staged_shape(const RowWork& work);
// Are rows so short that threads hold one of them, the next, and the sums of its columns? And does a
// thread meet the same columns in each of them?
bool can_walk(const RowWork& work);

// Neighbors along a row, whose inner axes are one in memory, that a thread takes at once: 16 bytes of the narrowest array,
// less where the widest would be more than 32. One where an array lies across them. Where rows do not
// start at a multiple of as many, threads take neighbors from such a multiple on, in front of the row.
struct RowWidth {
  int64_t width = 1;
  Expr base{};  // where the row starts that others are shifted like: over the axes of the group
  bool is_shifted() const { return static_cast<bool>(base); }
};
RowWidth row_width(const Group& group, const std::vector<AccessPattern>& patterns);

// Bytes of each element of a row that more than one pass reads from memory, and those of them in arrays
// that are not the same for all rows.
struct KeptBytes {
  int64_t all = 0, of_rows = 0;
};
KeptBytes kept_bytes(const LoopInput& input, const std::vector<int>& passes);

// The rows of a group whose axes the emitter has merged.
class GpuEmitter;
RowWidth row_width(const GpuEmitter& gpu);
RowWork row_work(const GpuEmitter& gpu, const RowWidth& wide);

}  // namespace ridge::schedule
