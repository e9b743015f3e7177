// Sums over threads of a block, up to each of them, in shared memory: each adds the one 1, 2, 4, ... before it. What
// prefix sums and sorts on a GPU are made of.
#pragma once

#include "ridge/schedule/gpu_emitter.h"

namespace ridge::schedule {

class BlockScan {
 public:
  BlockScan(Emitter& emitter, OnChipBuffers& own, int64_t threads, DType dtype);

  // Of a value of each thread, whose axis is given. Before it runs again all must have read what it found.
  void run(int value, int thread);
  Expr before(int thread) const;  // the sum of the threads before this one
  Expr total() const;

 private:
  Expr sum_at(const Expr& index) const;

  Emitter& emitter_;
  int64_t threads_;
  DType dtype_;
  int sums_[2];
  size_t now_ = 0;
};

// A block for each row of scratch[rows, length]: each element becomes the sum of those before it. `dtype` is that of
// the array, sums run in its register.
EmittedKernel scan_scratch(const LoopInput& input, int planned, DType dtype, const Size& rows,
                           const Size& length);

}  // namespace ridge::schedule
