// What a row asks of memory for itself comes first in its program, so that the answer is there when the
// row is done: a target's logit, say, which is looked up by an index that is read.
//
//   for i3 in rows {                       for i3 in rows {
//     ... first pass                         let v7 = target[i3]
//     block_reduce max v0             ->     ... first pass
//     ... others                             block_reduce max v0
//     let v7 = target[i3]                    let v8 = x[n * i3 + v7]
//     let v8 = x[n * i3 + v7]                ... others
//
// Blocks that walk over rows would wait for both once a row, with nothing else to do meanwhile; and if
// they were asked for together, threads would wait for the first to know the second's place.
#pragma once

#include "ridge/loop/loop.h"
#include "ridge/schedule/emit.h"

namespace ridge::schedule {

// `body` is the program of a row. What it loads from buffers that the kernel writes stays where it is.
void hoist_loads(const loop::Kernel& kernel, loop::Body& body);

// Addresses along rows that do not start at a multiple of what a thread takes at once.
//
// Threads start before the row, at such a multiple: j = 8 * chunk + lane - start % 8. An address
// start + j is then a multiple of 8 and the lane, and is written so that everybody can see it:
//   x[start - start % 8 + 8 * chunk + lane]   ->   x[8 * (start // 8) + 8 * chunk + lane]
struct MisalignedRow {
  Expr start;  // of the row in memory, in elements
  Expr shift;  // start % multiple, simplified
  int64_t multiple;
};

void align_rows(const Emitter& emitter, loop::Body& body, const MisalignedRow& row);

}  // namespace ridge::schedule
