// Where the largest or smallest element of a row is, by all threads of the row.
//
// Each thread keeps the best of what it saw and the step at which it saw it first: one comparison for
// all the neighbors of a step. Then the best of all threads is found, and those that have it look
// through the neighbors of their step again; the first position of them all is the result. A NaN is
// better than any number.
#pragma once

#include "ridge/schedule/gpu_row_peel.h"

namespace ridge::schedule {

void emit_row_position(GpuEmitter& gpu, const Member& member, const RowThreads& threads,
                       const PeeledLoops& row);

}  // namespace ridge::schedule
