// How many threads take a row of a reduction on a GPU, and how many rows a block.
//
//   row of 128 bf16     16 threads, 8 rows in a block of 128
//   row of 4096 bf16    a block of 128 threads, 4 times 16 bytes each
//   row of 50304 bf16   a block of 1024 threads on each unit, which walks over rows in shared memory
//   200000 of f32       clusters of 4 such blocks; where rows are few, 8 blocks of 256 threads for each
//
// Where a result is wanted for each column too, blocks stay and walk over the rows, so that every
// thread meets the same columns again and keeps their sums in registers (gpu_persistent_rows.h).
//
// Short rows share a block, so that its threads have work; long ones take several blocks, so that
// registers hold what later passes over the row read again. Beyond a cluster nothing is held.
#pragma once

#include <optional>

#include "ridge/schedule/gpu_row_work.h"

namespace ridge::schedule {

struct RowShape {
  int64_t width = 1;
  int64_t threads = 1;  // of a block, along one row
  int64_t rows = 1;     // of a block
  int64_t blocks = 1;   // of a cluster, along one row
  std::optional<int64_t>
      steps{};         // of each thread along its row; none where nothing bounds its length
  bool keeps = false;  // what is read again is held: in registers, unless
  bool is_misaligned = false;
  // Elements that the first of a shifted row's chunks starts at a multiple of; 0: at any chunk. Warps that
  // start where lines of memory do touch four of them with a step, and not parts of five.
  int64_t line = 0;
  // Blocks of the grid, or clusters, that walk over all rows: b takes rows b, b + walkers, ... 0: one for
  // each `rows` of them.
  int64_t workers = 0;
  // A walking block has the next row come while it works on one: to registers, or, where `ahead` is not 0,
  // to shared memory, from where it goes to registers when its turn comes: so many rows are on their way.
  bool prefetches = false;
  int64_t prefetch_distance = 0;
  // ... rows lie in shared memory, where the next one comes while one is computed: elements of a row there,
  // and bytes for all that is kept of it. With room for two rows the next one comes all the while, else
  // when the last pass over this one makes room.
  bool stages = false, is_double_buffered = false;
  int64_t slots = 0, shared_bytes = 0;
  int64_t invariant_bytes =
      0;  // of what is the same for all rows, that a thread holds in registers
  // Its first step, and those that some threads do not have, lie in shared memory instead: so many chunks.
  int64_t end_chunks = 0;
  // Rows that a block walks over before those between them: b, b + 2 * walkers, ... and then b + walkers,
  // b + 3 * walkers, ... where only every other row is shifted alike. 0: in order.
  int64_t even_row_trips = 0;

  int64_t stride() const { return width * threads * blocks; }  // elements of one step
  int64_t start_multiple() const { return line > 0 ? line : width; }
};

RowShape row_shape(const RowWork& work);
// Rows of a known length in shared memory; nothing where they do not fit, or are too few to walk over.
std::optional<RowShape> staged_shape(const RowWork& work);
// Are rows so short that threads hold one of them, the next, and the sums of its columns? And does a
// thread meet the same columns in each of them?
bool can_be_persistent(const RowWork& work);

}  // namespace ridge::schedule
