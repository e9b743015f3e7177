// The launch of a batch on a CPU: all entries as one job.
//
// Entries are cut into pieces, and small ones joined, so that tasks are alike. How, follows from their
// sizes alone.
#pragma once

#include <span>
#include <vector>

#include "ridge/execute/executable_plan.h"

namespace ridge::execute {

class CpuBatch {
 public:
  // The call has entries, and outlives this.
  explicit CpuBatch(const ExecutableCall& call);

  // The first status that is not ok, or 0. `memory` is by buffer of the plan.
  int32_t run(KernelFunction function, std::span<void* const> memory) const;

 private:
  struct Piece {
    size_t entry;
    int64_t first;
    int64_t count;
  };
  int32_t run_piece(const Piece& piece, KernelFunction function,
                    std::span<void* const> memory) const;

  const ExecutableCall& call_;
  std::vector<Piece> pieces_;
  std::vector<size_t> tasks_;  // first piece of each, and the end
};

}  // namespace ridge::execute
