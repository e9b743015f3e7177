// Note [Batch]: equal maps of different tensors become one launch, as the update of an optimizer, which
// is one small kernel for each parameter.
//
//   p0 -= 0.1 * g0    p1 -= 0.1 * g1   ...      ->      one call of 150 entries, (p0, g0), (p1, g1), ...
//
// The kernel is that of batch_map.h, over a length n. Its entries run in any order, and are the blocks
// of one grid on a GPU, the tasks of one job on a CPU. So none may read what another one writes, or share
// its memory: batches are formed before memory is planned, and count as one step of the program there.
//
// On a CPU a launch costs little, and waiting for others may cost a value its place in the cache. What a
// batch saves there is kernels to compile, one for each size: only updates of inputs become one.
#pragma once

#include <span>

#include "ridge/schedule/batch_map.h"
#include "ridge/schedule/plan.h"

namespace ridge::schedule {

// Moves groups of the same kernel next to each other and gives them a number, Group::batch, where no
// group between needs what they compute, or overwrites what they read. Says whether there is any batch.
bool form_batches(const InlinedGraph& program, Fusion& fusion, BatchMaps& maps, Target target);

// From the groups of a batch to one call.
//
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
