// Prefix sums on a GPU (scan_form.h): each element is read once, or twice where rows are few.
//
// A block takes a row, round by round: a thread sums 4 neighboring elements, sums of threads are scanned in shared
// memory (gpu_block_scan.h), and the last one is carried to the next round. Where memory lies across rows a thread goes
// along each row instead. Few long rows are cut into chunks, a block for each: one kernel sums them, one scans these
// sums, and one takes each chunk as it would a row, starting with the sum of those before it. The order is fixed by
// the shape.
#pragma once

#include "ridge/schedule/gpu_emitter.h"

namespace ridge::schedule {

// Nothing where the group has no scan.
std::optional<EmittedGroup> gpu_scan(const LoopInput& input);

}  // namespace ridge::schedule
