// From the groups of a batch to one call.
#pragma once

#include <span>

#include "ridge/schedule/batch_map.h"
#include "ridge/schedule/plan.h"

namespace ridge::schedule {

// Takes the calls of a plan in their order, and joins those of each batch: Note [Batch].
//
// A batch of more entries than the arguments of a launch on a GPU have room for becomes several calls.
class BatchJoiner {
 public:
  BatchJoiner(const Graph& graph, const cost::Sheet& sheet, double resident, Target target)
      : graph_(graph), sheet_(sheet), resident_(resident), target_(target) {}

  void add(KernelCall call);
  // Of a group of the batch: the call has all but a kernel and its buffers.
  void add_entry(KernelCall call, BatchMap map, int32_t batch);
  std::vector<KernelCall> finish();

 private:
  struct Part {
    KernelCall call;
    BatchMap map;
  };

  void close();
  KernelCall join(std::span<Part> parts) const;
  double predicted_us(const loop::Kernel& kernel, int64_t count) const;

  const Graph& graph_;
  const cost::Sheet& sheet_;
  double resident_;
  Target target_;
  std::vector<KernelCall> calls_;
  int32_t batch_ = -1;       // that is open
  std::vector<Part> parts_;  // of it
  loop::Kernel kernel_;
};

}  // namespace ridge::schedule
