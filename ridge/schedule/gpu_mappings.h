// The mappings to a GPU that gpu_loops.cpp tries, besides plain maps, products and rows. Each returns
// nothing for a group that it does not map.
//
//   gpu_writes              scatter without a reducer       a thread for each point
//   gpu_scatter             scatter with a reducer          a block owns elements of the result
//   gpu_scan                prefix sum                      a block for each row or chunk
//   gpu_rank                rank                            radix sort
//   gpu_tiles               map that transposes             tiles through shared memory
//   gpu_pipeline            rows and column sums            warp-specialized persistent blocks or clusters
//   gpu_persistent_rows.h   rows and column sums            persistent blocks, rows in registers
//   gpu_split_reduction.h   few long rows, columns          several kernels
#pragma once

#include <optional>

#include "ridge/schedule/loops.h"

namespace ridge::schedule {

// Each element is read once, or twice where rows are few. A block takes a row, chunk by chunk: a thread
// sums 4 consecutive elements, sums of threads are scanned in shared memory (gpu_block_scan.h), and the
// total is carried to the next chunk. Where consecutive elements belong to different rows, a thread takes
// a whole row instead. Few long rows are cut into chunks, with a block for each: one kernel sums them, one
// scans the sums, and one scans each chunk, starting with the sum of those before it. The order of
// additions is fixed by the shape.
std::optional<EmittedGroup> gpu_scan(const LoopInput& input);

// Radix sort by the passes of rank_keys.h. Each pass is three kernels over chunks of rows:
//
//   count     a block for each chunk: each thread counts the digits of 16 consecutive elements in its own
//             column of shared memory, without atomics; counts[row, digit, chunk] are the sums
//   starts    a block for each row: exclusive scan of the counts, by digit, then chunk (gpu_block_scan.h)
//   move      counts again, scans the counters of its threads, and puts each element at its digit's start
//
// Digits have 4 bits: 16 counters for each of 256 threads are 16 KiB of shared memory. Nothing for rows
// that are too short to be worth sorting.
std::optional<EmittedGroup> gpu_rank(const LoopInput& input);

// Maps whose arrays are contiguous along different axes.
//
//   out[i, j] = x[j, i] + y[i, j]       a block, for its tile of 64 x 64:
//                                       threads along i   tile[i, j] = x[j, i]
//                                       barrier
//                                       threads along j   out[i, j] = tile[i, j] + y[i, j]
//
// A result that is contiguous along i is written to shared memory by the threads along j, and after
// another barrier stored by threads along i.
std::optional<EmittedKernel> gpu_tiles(const LoopInput& input);

// Each element of the result is owned by one block, which adds what the index sends there in the order of
// the points. So the result has the same bits as one thread going through all points.
//
//   gradient of an embedding: result[50257, 768], index[16384], from[16384, 768]
//     columns   axes that a point and its target share: a thread takes 4 consecutive ones
//     slots     where the index leads: block g of G takes those with slot % G == g
//     scan      each block reads the whole index, 32 points to a warp, and marks in shared memory which
//               are its own; groups of 32 without one are skipped
//
// Cost: each of the G blocks of a tile of columns reads the index once (from L2), and adds the points of a
// slot one after the other: a scatter into few slots is as slow as its longest list. An index that differs
// from column to column is read by the thread of each column instead.
EmittedKernel gpu_scatter(const LoopInput& input);

// No two points have the same target (ops/definition.h), so threads take them in any order. One kernel
// writes the initial values, one has a thread for each point. Nothing where points are combined.
std::optional<EmittedGroup> gpu_writes(const LoopInput& input);

// Rows with column sums that do not fit in the registers of one block, or only in narrow steps because rows
// are misaligned, or only in a block that leaves much of its SM idle. Persistent blocks or clusters process
// them in a pipelined loop (Note [Pipelined loop] in loop/loop.h).
//
//   gradients of a norm of x[4096, 50257] of bf16, on 120 of 132 SMs:
//     block p of a cluster    1571 vectors of 8 columns, 5 for each of 352 threads
//     for each row            its part of x and dy is copied to shared memory; cluster reductions of the
//                             row's sums; then dx, and sum[k] += dy * x_hat, in registers
//     after the last          partial[number, misalignment + column] = sum[k]
//     a second kernel         dgamma[column], as in gpu_persistent_rows.h
//
// gpu_pipeline_shape.h says which rows a cluster takes, and why they share an alignment. Nothing where
// persistent blocks with rows in registers (gpu_persistent_rows.h) do as well.
std::optional<EmittedGroup> gpu_pipeline(const LoopInput& input);

}  // namespace ridge::schedule
