// Rows that come while the row before is computed: what several passes over a row load at the same index
// lies in shared memory, where each thread has places of its own for its elements.
//
//   for i9 in rows {                             for i4 { stage x_row[..] = x[row 0] }
//     for i4 { ... let v1 = x[..] ... }          await all but 1
//     block_reduce max v0                 ->     for i4 { stage x_row[..] = x[row 1] }
//     for i4 { ... let v3 = x[..] ... }          for i9 in rows {
//   }                                              await all but 1
//                                                  for i4 { ... let v1 = x_row[..] ... }
//                                                  block_reduce max v0
//                                                  for i4 { ... let v3 = x_row[..] ...
//                                                           if i9 + 2 < rows { stage x_row[..] = x[row i9 + 2] } }
//                                                }
//
// Rows of even and odd number lie in one half each of a buffer for two; where there is only room for one,
// the next row comes to its place. A thread that is done with some elements in the last pass sends for
// those that come there at once. It reads only what it staged itself, so nobody waits for another.
//
// What is the same for all rows, such as weights, a thread holds in registers if there are enough: they are
// loaded once, in front of the walk or at its first row, or where a half of it begins. Registers that not all threads would
// need, and those of the first step, are spared: what belongs there lies in shared memory beside the rows.
#pragma once

#include "ridge/schedule/gpu_row_registers.h"

namespace ridge::schedule {

struct StagedRows {
  RegisterRows rows;
  int thread;       // axis of the threads of a row
  int64_t threads;  // how many
  int64_t slots;    // elements of a row in a block, those in front of it and behind included
  int64_t max_misalignment;  // rows are shifted by fewer elements: 1 if not at all
  int64_t most_bytes;        // of shared memory
  bool is_double_buffered;   // room for two rows
  int64_t invariant_bytes;   // of registers for what is the same for all rows
  int64_t end_chunks;  // of it that lie in shared memory: those of all but the longest stretch
};

// `body` is that of the loop over rows. Returns what goes in front of the loop; nothing if no load is of
// several passes.
loop::Body stage_rows(Emitter& emitter, loop::Body& body, const StagedRows& staged);

}  // namespace ridge::schedule
