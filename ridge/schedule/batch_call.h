// From the calls of a batch's groups to one call.
#pragma once

#include "ridge/schedule/batch_map.h"
#include "ridge/schedule/plan.h"

namespace ridge::schedule {

// Takes the calls of a plan in their order, and joins those of each batch: Note [Batch].
//
// A batch of more entries than the arguments of a launch have room for becomes several calls.
class BatchJoiner {
 public:
  BatchJoiner(const Graph& graph, const cost::Sheet& sheet, double resident)
      : graph_(graph), sheet_(sheet), resident_(resident) {}

  // `batch`: that of the group, -1 if none.
  void add(KernelCall call, int32_t batch, const LoopInput& input);
  std::vector<KernelCall> finish();

 private:
  struct Part {
    KernelCall call;  // as a launch of its own
    BatchMap map;
  };

  void close();
  KernelCall join(std::span<Part> parts) const;
  double predicted_us(const loop::Kernel& kernel, std::span<const int64_t> sizes) const;

  const Graph& graph_;
  const cost::Sheet& sheet_;
  double resident_;
  std::vector<KernelCall> calls_;
  int32_t batch_ = -1;
  std::vector<Part> parts_;  // of the batch that is open
  std::string text_;         // of their kernel
};

}  // namespace ridge::schedule
