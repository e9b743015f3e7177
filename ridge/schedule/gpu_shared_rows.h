// Rows in shared memory that are prefetched while the row before is computed: what several passes over a
// row load at the same index is copied to shared memory, where each thread has its own elements.
//
//   for i9 in rows {                             for i4 { async_copy x_row[..] = x[row 0] }
//     for i4 { ... let v1 = x[..] ... }          wait_copies 1
//     block_reduce max v0                 ->     for i4 { async_copy x_row[..] = x[row 1] }
//     for i4 { ... let v3 = x[..] ... }          for i9 in rows {
//   }                                              wait_copies 1
//                                                  for i4 { ... let v1 = x_row[..] ... }
//                                                  block_reduce max v0
//                                                  for i4 { ... let v3 = x_row[..] ...
//                                                           if i9 + 2 < rows { async_copy x_row[..] = x[row i9 + 2] } }
//                                                }
//
// Double-buffered, even and odd rows have a buffer each. With room for one row only, the next row replaces
// this one: in the last pass a thread copies the next elements as soon as it has read the old ones. A
// thread reads only what it copied itself, so no barrier is needed.
//
// Row-invariant arrays, such as weights, stay in registers if there are enough. They are loaded once: in
// front of the persistent loop, at its first row, or where the odd rows begin (RowShape::even_row_trips).
// Elements that not all threads have, and those of the first step, are in shared memory instead.
#pragma once

#include "ridge/schedule/gpu_row_registers.h"

namespace ridge::schedule {

struct SharedRows {
  RegisterRows rows;
  int thread;       // axis of the threads of a row
  int64_t threads;  // how many
  int64_t slots;    // elements of a row in a block, those in front of it and behind included
  int64_t max_misalignment;  // rows are misaligned by fewer elements: 1 if not at all
  int64_t most_bytes;        // of shared memory
  bool is_double_buffered;   // room for two rows
  int64_t invariant_bytes;   // of registers for what is the same for all rows
  int64_t end_chunks;  // of it that lie in shared memory: those of all but the longest peeled loop
};

// `body` is that of the loop over rows. Returns what goes in front of the loop; nothing if no load is of
// several passes.
loop::Body share_rows(Emitter& emitter, loop::Body& body, const SharedRows& shared);

}  // namespace ridge::schedule
