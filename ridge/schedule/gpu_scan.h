// Prefix sums on a GPU: each defined as a sum of its own, of the elements up to it, which would be
// quadratic; here each element is read once.
//
//   y[i, j] = sum over k of select(k <= j, x[i, k], 0)
//
// A block takes a row, chunk by chunk: a thread sums 4 neighboring elements, sums of threads are
// scanned in shared memory (each adding the one 1, 2, 4, ... before it), and the last one is carried
// to the next chunk. Where memory lies across rows a thread goes along each row instead. The order is
// fixed by the shape. One long row is one block's work.
#pragma once

#include "ridge/schedule/gpu_emitter.h"

namespace ridge::schedule {

// Nothing where the group is something else than a scan and what follows at each of its points.
std::optional<EmittedKernel> gpu_scan(const LoopInput& input);

}  // namespace ridge::schedule
