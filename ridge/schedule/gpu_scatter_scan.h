// The way through the index of a scatter on a GPU, in the order of its points: which of them lead to the
// elements of this block, and these are added.
//
//   chunk of points    each thread reads a few, and notes in shared memory their slots among those of the
//                      block, or -1; and whether it has found any, as each warp does
//   after a barrier    each thread goes through what was found, in its own columns; warps and threads that
//                      found nothing are passed over
//
// An index that differs from column to column is read by the thread of each column alone.
#pragma once

#include "ridge/schedule/gpu_scatter_sums.h"

namespace ridge::schedule {

void scan_index(ScatterThreads& threads, ScatterSums& sums);

}  // namespace ridge::schedule
