// The warp-specialized pipeline over rows: Note [Pipelined loop] in loop/loop.h.
//
//   for i3 in rows {                         producer warp          consumer warps
//     bulk_copy x_row = x[..] for n          for each row           for each row i, and `skew` times more
//     var v0 = 0.0                             wait for a stage       wait for row i
//     ... v0 sum= v3                    ->     copy it                reduce: ... partial sums, to all warps
//     cluster_reduce sum v0                                           receive the sums of row i - skew
//     ... column[..] = ..                                             apply: ... ; release the stage
//   }
//
// Shared memory has several stages, each of one row, so copies are always in flight. The loop is software-pipelined:
// the sums of a row are in flight while threads reduce the next `skew` rows. There is no block barrier. A thread adds
// its own elements in order: products are added by FMAs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ridge/codegen/cuda/generate.h"

namespace ridge::codegen::cuda {

struct Emission;

struct PipelinePlan {
  const loop::Loop* loop;                    // over rows
  std::vector<loop::BulkCopy> copies;        // at its start
  size_t first_reduction, after_reductions;  // statements of its body
  std::vector<int> sums;                     // vars that are reduced
  int blocks, warps;                         // of a cluster; consumers of a block
  int blocks_per_sm;                         // that share its shared memory and registers
  int64_t stages;                            // rows in shared memory
  std::vector<int64_t> offsets;              // by copy: of its elements in a stage
  int64_t stage_bytes;                       // of shared memory
  int64_t skew;                              // rows that the apply phase is behind the reduce phase
  // Loops along a row visit its elements in order, in both phases. A chunk of the row belongs to some of these loops: the
  // reduce phase waits for it in front of the first one, the apply phase releases it after the last.
  std::vector<size_t> reduce_loops, apply_loops;  // statements of the body
  std::vector<int64_t> chunk_ends;                // in bytes of an array

  int64_t bytes() const { return stages * stage_bytes; }
  int64_t own_bytes() const;  // mbarriers and partial sums
  bool holds(int buffer) const;
  bool is_inside(const loop::Statement& statement) const;  // its loop
  std::string shared_type() const;                         // ridge::RowPipelineShared<...>
  std::string type() const;                                // ridge::RowPipeline<...>
};

// Nothing if no loop of the kernel can be such a pipeline: it is then written as any other loop.
std::optional<PipelinePlan> pipeline_plan(const loop::Kernel& kernel, const CudaTarget& target);

// Can the loop be split into a reduce and an apply phase that share nothing but the sums?
bool can_split(const loop::Kernel& kernel, const PipelinePlan& plan);
// Fills in the loops along a row and their chunks; one chunk where the loops of both phases differ.
void find_chunks(const loop::Kernel& kernel, PipelinePlan& plan);

// The program of a block with the pipeline emission.pipeline.
void write_pipelined_block(Emission& emission, const loop::Body& program);
// Its loop over rows, for consumers.
void write_pipeline_loop(Emission& emission, const loop::Loop& loop);
// A bulk_copy outside of a pipeline: all threads copy.
void write_bulk_copy(Emission& emission, const loop::BulkCopy& copy);

}  // namespace ridge::codegen::cuda
