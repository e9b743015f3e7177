// Maps on a GPU whose arrays lie along different axes: blocks take tiles, and what lies across goes
// through shared memory.
//
//   out[i, j] = x[j, i] + y[i, j]       a block, for its tile of 64 times 64:
//                                       threads along i   tile[i, j] = x[j, i]
//                                       barrier
//                                       threads along j   out[i, j] = tile[i, j] + y[i, j]
//
// A result that lies across is left in shared memory by the threads along j, and after another
// barrier stored by threads along i.
#pragma once

#include <optional>

#include "ridge/schedule/loops.h"

namespace ridge::schedule {

// Nothing for a map without such arrays.
std::optional<EmittedKernel> gpu_tiles(const LoopInput& input);

}  // namespace ridge::schedule
