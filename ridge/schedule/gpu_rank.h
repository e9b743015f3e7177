// Ranks on a GPU, by the same passes as on a CPU (rank_keys.h), each of them three kernels over chunks of rows.
//
//   count     a block for each chunk: each thread counts the digits of 16 neighboring elements in a column of its own
//             in shared memory, so nobody waits for an atomic; counts[row, digit, chunk] are the sums
//   starts    a block for each row: sums of all counts before, digit by digit, chunk by chunk (gpu_block_scan.h)
//   move      counts again, scans the counters of its threads, and puts each element at its digit's start
//
// Digits of 4 bits: 16 counters for each of 256 threads are 16 KiB of shared memory.
#pragma once

#include "ridge/schedule/loops.h"

namespace ridge::schedule {

// Nothing where the group is something else than the rank of rows that are long enough.
std::optional<EmittedGroup> gpu_rank(const LoopInput& input);

}  // namespace ridge::schedule
