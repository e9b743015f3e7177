// Rows that come while the row before is computed: what several passes over a row load at the same index
// lies in shared memory, where each thread has places of its own for its elements. In the last pass over
// a row a thread that is done with some elements sends for those of the next row.
//
//   for i9 in rows {                              for i4 { stage x_row[..] = x[first row] }
//     for i4 { ... let v1 = x[..] ... }           for i9 in rows {
//     v0 max across block                  ->       await
//     for i4 { ... let v3 = x[..] ... }             for i4 { ... let v1 = x_row[..] ... }
//   }                                               v0 max across block
//                                                   for i4 { ... let v3 = x_row[..] ...
//                                                            if i9 + 1 < rows { stage x_row[..] = x[next] } }
//                                                 }
//
// A thread reads only what it staged itself, so nobody waits for another.
#pragma once

#include "ridge/schedule/gpu_row_keep.h"

namespace ridge::schedule {

struct StagedRows {
  KeptRows rows;
  int walk;            // axis of the loop over rows
  Expr has_next;       // condition: this is not the last row of the block
  int thread;          // axis of the threads of a row
  int64_t threads;     // how many
  int64_t slots;       // elements of a row, those in front of it and behind included
  int64_t most_bytes;  // of shared memory
};

// `body` is that of the loop over rows. Returns what goes in front of the loop; nothing if no load is of
// several passes.
loop::Body stage_rows(Emitter& emitter, loop::Body& body, const StagedRows& staged);

}  // namespace ridge::schedule
