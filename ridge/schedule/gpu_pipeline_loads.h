// The loads of pipelined rows: arrays along rows, and single numbers of a row, are fetched to shared memory;
// row-invariant arrays are kept in registers.
//
//   for i5 in rows {                               for i7 in 3 { ... w_registers[..] = w[..] }
//     for i7 in 3 { ... x[..], mean[i5],    ->     for i5 in rows {
//                       w[..] ... }                  fetch x_row = x[first of its part] for n
//   }                                                fetch mean_head = mean[4 * (i5 // 4)] for i5 % 4 + 1
//                                                    for i7 in 3 { ... x_row[..], mean_head[..], w_registers[..] }
//                                                  }
#pragma once

#include <functional>

#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_row_loads.h"

namespace ridge::schedule {

struct PipelinedRows {
  const std::vector<PeeledLoop>& peeled_loops;
  int64_t width, threads, slice, steps;  // PipelineShape
  int64_t length;
  int row_loop, thread, lane;  // axes
  Expr part;                   // that the block has, of all blocks of a cluster
  Expr start;                  // of the vectors of a row, in elements: a multiple of the width
  Expr shift;                  // from there to the row
  // Wraps the body of an innermost loop in a peeled loop and its masks.
  std::function<loop::Statement(const PeeledLoop&, loop::Body)> around;
};

// `body` is that of the loop over rows, which gets the fetches. Returns what goes in front of the loop.
loop::Body pipeline_loads(Emitter& emitter, OnChipBuffers& own, loop::Body& body,
                          const PipelinedRows& rows);

}  // namespace ridge::schedule
