// Addresses along rows that do not start at a multiple of what a thread takes at once.
//
// Threads start before the row, at such a multiple: j = 8 * chunk + lane - start % 8. An address
// start + j is then a multiple of 8 and the lane, and is written so that everybody can see it:
//   x[start - start % 8 + 8 * chunk + lane]   ->   x[8 * (start // 8) + 8 * chunk + lane]
#pragma once

#include "ridge/schedule/emit.h"

namespace ridge::schedule {

struct MisalignedRow {
  Expr start;  // of the row in memory, in elements
  Expr shift;  // start % multiple, simplified
  int64_t multiple;
};

void align_rows(const Emitter& emitter, loop::Body& body, const MisalignedRow& row);

}  // namespace ridge::schedule
