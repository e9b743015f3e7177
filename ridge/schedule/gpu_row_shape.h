// How many threads take a row of a reduction on a GPU, and how many rows a block.
//
//   row of 128 bf16     16 threads, 8 rows in a block of 128
//   row of 4096 bf16    a block of 128 threads, 4 vectors of 16 bytes each
//   row of 50304 bf16   a persistent block of 1024 threads on each SM, rows double-buffered in shared memory
//   200000 of f32       clusters of 4 such blocks; where rows are few, 8 blocks of 256 threads for each
//
// Short rows share a block, so that its threads have work. Long rows take a cluster of blocks, so that
// what later passes read again stays in registers. Rows that do not fit a cluster are read from memory by
// each pass. Where a group has column sums too, blocks are persistent, so that a thread has the same
// columns in every row and keeps their sums in registers (gpu_persistent_rows.h).
#pragma once

#include <optional>
#include <string>

#include "ridge/schedule/gpu_row_work.h"

namespace ridge::schedule {

struct RowShape {
  int64_t width = 1;
  int64_t threads = 1;  // of a block, along one row
  int64_t rows = 1;     // of a block
  int64_t blocks = 1;   // of a cluster, along one row
  // Of each thread along its row; none where nothing bounds its length.
  std::optional<int64_t> steps{};
  // What several passes read stays in registers, or in shared memory if `is_in_shared`.
  bool is_on_chip = false;
  bool is_misaligned = false;
  // The first vector of a misaligned row starts at a multiple of so many elements; 0: of the width. A warp
  // that starts at a cache line touches four lines with a step, and not parts of five.
  int64_t line = 0;
  // Persistent blocks, or clusters of `blocks`: block b takes rows b, b + persistent_blocks, ... 0: none, a block for
  // each `rows`.
  int64_t persistent_blocks = 0;
  // A persistent block prefetches the next row: to registers, or, where `prefetch_distance` is not 0, that
  // many rows to shared memory.
  bool prefetches = false;
  int64_t prefetch_distance = 0;
  // Rows stay in shared memory: elements of a row there, and bytes for all rows. Double-buffered, the next
  // row is copied while one is computed; else as the last pass over this one makes room.
  bool is_in_shared = false, is_double_buffered = false;
  int64_t slots = 0, shared_bytes = 0;
  int64_t invariant_bytes = 0;  // of row-invariant arrays, in registers of a thread
  // Vectors of those arrays that are in shared memory and not in registers: of the first step, and of steps that
  // not all threads have. With 256 threads and rows of 600 vectors: 256 of the first step and 88 of the third.
  int64_t end_chunks = 0;
  // Where rows of a persistent block alternate between two misalignments, it takes those of one before those of the
  // other, so that a thread keeps its columns: with n blocks and 3 here, block b takes rows b, b + 2n, b + 4n, then
  // b + n, b + 3n. 0: in order.
  int64_t even_row_trips = 0;

  int64_t stride() const { return width * threads * blocks; }  // elements of one step
  int64_t start_multiple() const { return line > 0 ? line : width; }
};

RowShape row_shape(const RowWork& work);
// "128 threads a row, 8 elements each, 4 steps, row in registers: 1 row a block".
std::string mapping_text(const RowShape& shape, const RowWork& work);
// Rows of a known length in shared memory; nothing where they do not fit, or are too few for persistent
// blocks (gpu_shared_row_shape.cpp).
std::optional<RowShape> shared_row_shape(const RowWork& work);
// Do a row, the next one and its column sums fit in registers, and has a thread the same columns in each row?
bool can_be_persistent(const RowWork& work);

}  // namespace ridge::schedule
