// Rows with sums of their columns that registers of one block cannot hold, or not in wide steps, since they start
// anywhere, or only those of a block that leaves much of its unit idle: blocks or clusters of blocks through which the rows stream (Note [Pipelined loop] in loop/loop.h).
//
//   gradients of a norm of x[4096, 50257] of bf16, on 120 of 132 units:
//     block p of a cluster    1571 vectors of 8 columns, 5 for each of 352 threads
//     for each row            its part of x and dy comes to shared memory; sums of the row across the
//                             cluster; then dx, and sum[k] += dy * x_hat, in registers
//     after the last          partial[number, shift + column] = sum[k]
//     a further kernel        dgamma[column], as in gpu_persistent_rows.h
//
// Which rows a cluster has, and why they share their alignment, is said in gpu_pipeline_shape.h.
#pragma once

#include "ridge/schedule/gpu_persistent_rows.h"
#include "ridge/schedule/gpu_pipeline_shape.h"

namespace ridge::schedule {

// Nothing where blocks walk over the rows as well, or rows cannot stream.
std::optional<EmittedGroup> gpu_pipeline(const LoopInput& input);

}  // namespace ridge::schedule
