// Rows whose columns are summed too: persistent blocks, each thread of which has the same columns in every
// row and keeps their sums in registers.
//
//   gradients of a norm of x[8192, 8192] of bf16, on 132 SMs:
//     block b            rows b, b + 132, ...; 512 threads, 16 columns each
//     for each row       what rows need; then sum[k] += dy * x_hat, in registers
//     after the last     partial[b, column] = sum[k]
//     a second kernel    dgamma[column] = sum over b of partial[b, column], from the first to the last
//
// Rows that share a block are combined in shared memory before that. All orders are fixed by the shape.
#pragma once

#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_row_registers.h"
#include "ridge/schedule/gpu_row_shape.h"
#include "ridge/schedule/gpu_split_reduction.h"

namespace ridge::schedule {

// The loops of the kernel that has the rows.
struct RowLoops {
  RowShape shape;
  Size length;                                    // of a row
  int block = -1, row = -1, thread = -1;          // axes: block of the grid, row of the block or -1
  int lane = -1;                                  // axis, -1 where the width is 1
  const std::vector<PeeledLoop>* peeled_loops{};  // of a row
  // Element of a thread at a step; where rows are pipelined, its place in the room of a row of partial sums.
  std::function<Expr(const PeeledLoop&)> first_of{};
  // Wraps the body of an innermost loop in a peeled loop and its masks.
  std::function<loop::Statement(const PeeledLoop&, loop::Body)> around{};
  // Where rows are pipelined: how many segments leave partial sums, the number of this one, and their layout.
  int64_t partials = 0;
  Expr partial{};
  PartialRows partial_rows{};

  // Of the partial sums: which row of them this block writes, and elements from a row to the next.
  Expr number() const { return partials > 0 ? partial : expr::axis(block); }
  Size room() const { return partials > 0 ? partial_rows.room : length; }
};

class PersistentColumnSums {
 public:
  explicit PersistentColumnSums(GpuEmitter& gpu);

  // In front of the row loop: zeroed registers for the sums of so many columns of a thread.
  void declare(int64_t elements);
  void clear();
  // At a point of a row; `at` is the thread's register for its column.
  void accumulate(const Member& member, const Expr& at);
  // All that lies in global memory must be known before rows are kept in registers.
  void declare_partials(const RowLoops& loops);
  // After the row loop.
  void store_partials(const RowLoops& loops);
  // The kernel of the rows, and the one that combines what its blocks left.
  EmittedGroup finish(const Decision& decision);
  int64_t partial_count() const { return partial_count_; }
  OnChipBuffers& own() { return own_; }

 private:
  struct Sum {
    const Member* member;
    int registers, partials = -1;  // buffers
  };

  void store_registers(const RowLoops& loops, const std::vector<int>& to, const Expr& base);
  void combine_rows(const RowLoops& loops, const std::vector<int>& parts, const Expr& base);
  EmittedKernel combined();

  GpuEmitter& gpu_;
  Emitter& emitter_ = gpu_.emitter;
  OnChipBuffers own_;
  PartialScratch scratch_;
  PartialRows partial_rows_{};
  std::vector<Sum> sums_;
  int64_t elements_ = 0;
  int64_t partial_count_ = 1;  // blocks, or segments of a pipeline, that leave partial sums
};

// The rows of a group with columns.
RowWork row_work(const LoopInput& input);

EmittedGroup gpu_persistent_rows(const LoopInput& input);

}  // namespace ridge::schedule
