// Loads that several passes over a row share, and row-invariant loads: what is worth keeping on chip.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ridge/schedule/emitter.h"
#include "ridge/schedule/gpu_emitter.h"

namespace ridge::schedule {

// Prologue, main loop or tail of a thread along its row (gpu_row_peel.h). All passes have the same peeled loops in
// the same order, each over an axis of its own.
struct PeeledLoop {
  int step;                        // axis
  int64_t first = 0;               // step of the row
  std::optional<int64_t> count{};  // none: as many as it takes
};

// A load of memory in a peeled loop, and the statements that do it.
struct RowLoad {
  int buffer;
  Expr index;
  std::vector<loop::Let*> lets;
  size_t last_pass;
  bool is_multi_pass;  // several passes load it
};

// By peeled loop, with equal loads in equal order. None of buffers that the kernel writes, since a later pass may
// have to see the new value. Elements of fewer than `least_bits` do not count.
std::vector<std::vector<RowLoad>> repeated_loads(Emitter& emitter, loop::Body& body,
                                                 const std::vector<PeeledLoop>& peeled_loops,
                                                 int least_bits);

// The same of loads whose index is the same in all iterations of the persistent loop, or in its first
// `even_row_trips` iterations and in the rest (RowShape); 0: in all. `row_loop` is its axis.
std::vector<std::vector<RowLoad>> row_invariant_loads(Emitter& emitter, loop::Body& body,
                                                      const std::vector<PeeledLoop>& peeled_loops,
                                                      int least_bits, int row_loop,
                                                      int64_t even_row_trips);

// The loads of pipelined rows: arrays along rows, and single numbers of a row, are copied to shared memory;
// row-invariant arrays are kept in registers.
//
//   for i5 in rows {                               for i7 in 3 { ... w_registers[..] = w[..] }
//     for i7 in 3 { ... x[..], mean[i5],    ->     for i5 in rows {
//                       w[..] ... }                  bulk_copy x_row = x[first of its part] for n
//   }                                                bulk_copy mean_head = mean[4 * (i5 // 4)] for i5 % 4 + 1
//                                                    for i7 in 3 { ... x_row[..], mean_head[..], w_registers[..] }
//                                                  }

struct PipelinedRows {
  const std::vector<PeeledLoop>& peeled_loops;
  int64_t width, threads, slice, steps;  // PipelineShape
  int64_t length;
  int row_loop, thread, lane;  // axes
  Expr part;                   // that the block has, of all blocks of a cluster
  Expr start;                  // of the vectors of a row, in elements: a multiple of the width
  Expr misalignment;           // from there to the row
  // Wraps the body of an innermost loop in a peeled loop and its masks.
  std::function<loop::Statement(const PeeledLoop&, loop::Body)> around;
};

// `body` is that of the loop over rows, which gets the bulk copies. Returns what goes in front of the loop
// (gpu_pipeline_loads.cpp).
loop::Body pipeline_loads(Emitter& emitter, OnChipBuffers& own, loop::Body& body,
                          const PipelinedRows& rows);

}  // namespace ridge::schedule
