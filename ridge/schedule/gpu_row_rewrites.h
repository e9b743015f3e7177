// Rewrites of the emitted program of a row: loads hoisted to its start, and addresses of misaligned rows.
#pragma once

#include "ridge/loop/loop.h"
#include "ridge/schedule/emitter.h"

namespace ridge::schedule {

// Hoists loads of single numbers, such as the logit of a target, which is itself loaded by an index.
//
//   for i3 in rows {                       for i3 in rows {
//     ... first pass                         let v7 = target[i3]
//     block_reduce max v0             ->     ... first pass
//     ... others                             block_reduce max v0
//     let v7 = target[i3]                    let v8 = x[n * i3 + v7]
//     let v8 = x[n * i3 + v7]                ... others
//
// A persistent block would wait for both loads in every row, with nothing else to do meanwhile. The second
// is hoisted less far, because its address depends on the first.
//
// `body` is the program of a row. What it loads from buffers that the kernel writes stays where it is.
void hoist_loads(const loop::Kernel& kernel, loop::Body& body);

// Aligned addresses along misaligned rows. Threads start before the row, at a multiple of the vector width:
// j = 8 * chunk + lane - start % 8. Then start + j is a multiple of 8 plus the lane, and is written as such:
//   x[start - start % 8 + 8 * chunk + lane]   ->   x[8 * (start // 8) + 8 * chunk + lane]
struct MisalignedRow {
  Expr start;         // of the row in memory, in elements
  Expr misalignment;  // start % multiple, simplified
  int64_t multiple;
};

void align_rows(const Emitter& emitter, loop::Body& body, const MisalignedRow& row);

}  // namespace ridge::schedule
