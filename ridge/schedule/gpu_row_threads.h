// The threads of rows on a GPU: rows over the grid, then blocks of a cluster, rows of a block, threads of a
// row; and the loop over rows of a persistent block.
//
//   for block @gpu_block { for part @gpu_cluster_block { for own @gpu_thread { for thread @gpu_thread {
//     for row_loop in trip_count { ... row = (block + row_loop * persistent_blocks) * rows + own ... }
#pragma once

#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_row_shape.h"

namespace ridge::schedule {

class RowThreads {
 public:
  // Opens all loops but the row loop.
  RowThreads(GpuEmitter& gpu, const RowShape& shape);
  // Opens the row loop, where there is one: from here on the axes of the group say which row it is.
  void open_row_loop();
  bool is_persistent() const { return row_loop >= 0; }
  // Closes what the constructor has opened.
  void close();

  // Axes that say which thread of its row this is, and whether it is the one that stores what rows have one of.
  uint64_t of_row() const { return axis_mask({thread}) | (part >= 0 ? axis_mask({part}) : 0); }
  Expr is_first() const;
  // Its number among the threads of a block.
  Expr in_block() const;
  // Reduces a var over the threads of a row: a warp, block or cluster reduction.
  void combine(int var, loop::Combine how) const;

  // Axes; -1 where a row has one block, a block one row, and each row a block.
  int block = -1, part = -1, own = -1, thread = -1, row_loop = -1;
  Expr trip_count{};  // rows of a persistent block
  Expr is_row{};      // where the last block has threads without a row

 private:
  Expr trip() const;
  void open(int axis, loop::Place place, bool defines_values = true);

  GpuEmitter& gpu_;
  Emitter& emitter_ = gpu_.emitter;
  const RowShape& shape_;
  Size count_;  // of rows
  Expr row_{};
  int open_loops_ = 0;
};

}  // namespace ridge::schedule
