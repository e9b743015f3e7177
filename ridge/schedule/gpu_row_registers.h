// Rows in registers: what several passes over a row load at the same index is loaded once, in front of the
// first pass, and kept in local buffers in the dtype of memory.
//
//   for i4 in 2 { ... let v1: f32 = x[..] ... }        for i4 in 2 { ... x_row[8 * i4 + i5] = x[..] }
//   block_reduce max v0                           ->   for i4 in 2 { ... let v1 = x_row[8 * i4 + i5] }
//   for i4 in 2 { ... let v3: f32 = x[..] ... }        ...
//
// In a persistent loop the next row is prefetched while one is computed. Row-invariant arrays are loaded
// once, in front of the loop.
//
//   for i3 in 62 {                 x_next = x[row 0]; w_row = w[..]
//     x_row = x[row i3]            for i3 in 62 {
//     w_row = w[..]           ->     x_row = x_next
//     ...                            if i3 + 1 < 62 { x_next = x[row i3 + 1] }
//   }                                ... }
//
// Where registers are short, x_next is in shared memory: `async_copy` fills it, with a prefetch distance of one
// or two rows. A thread reads only what it copied itself, so no barrier is needed.
#pragma once

#include <functional>

#include "ridge/schedule/gpu_row_loads.h"

namespace ridge::schedule {

// The loop of a block over rows; axis -1 where there is none.
struct PersistentLoop {
  int axis = -1;
  Expr trip_count{};           // of it
  int64_t even_row_trips = 0;  // RowShape::even_row_trips
  // Rows that are in flight to shared memory while one is worked on. 0: the next one comes to registers.
  int64_t prefetch_distance = 0;
  int64_t threads = 0;  // of a block; a thread has slots of its own there, by its number:
  Expr thread{};

  Expr has(const Expr& row) const { return row < trip_count; }
};

struct RegisterRows {
  const std::vector<PeeledLoop>& peeled_loops;
  int64_t steps;  // of all peeled loops
  int64_t width;
  int lane;  // axis, -1 where the width is 1
  // Wraps the body of an innermost loop in a peeled loop and its masks.
  std::function<loop::Statement(const PeeledLoop&, loop::Body)> around;
  PersistentLoop row_loop{};
};

// `body` is that of a thread, or of its row loop; local buffers are added to the kernel of the emitter.
// Returns what must stand in front of the row loop.
loop::Body keep_rows_in_registers(Emitter& emitter, loop::Body& body, const RegisterRows& rows);

}  // namespace ridge::schedule
