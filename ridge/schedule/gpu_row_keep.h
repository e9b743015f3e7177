// Rows that stay in registers: what several passes over a row load at the same index is loaded once,
// all of it in front of the first pass, and kept as it lies in memory.
//
//   for i4 in 2 { ... let v1: f32 = x[..] ... }        for i4 in 2 { ... x_row[8 * i4 + i5] = x[..] }
//   v0 max across block                           ->   for i4 in 2 { ... let v1 = x_row[8 * i4 + i5] }
//   for i4 in 2 { ... let v3: f32 = x[..] ... }        ...
#pragma once

#include <functional>

#include "ridge/schedule/gpu_row_loads.h"

namespace ridge::schedule {

struct KeptRows {
  const std::vector<RowStretch>& stretches;
  int64_t steps;  // of all stretches
  int64_t width;
  int lane;  // axis, -1 where the width is 1
  // What stands in the innermost loop, with the loops and conditions of a stretch around it.
  std::function<loop::Statement(const RowStretch&, loop::Body)> around;
};

// `body` is that of a thread; local buffers are added to the kernel of the emitter.
void keep_rows(Emitter& emitter, loop::Body& body, const KeptRows& rows);

}  // namespace ridge::schedule
