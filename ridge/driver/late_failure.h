// What kernels of a program on a GPU found wrong, told after their run: by whom it could have been.
//
//   LateFailures late(plan, graph);
//   late.note_line(where);                  // of an eager call: its graph was made at the first one
//   throw late.error(call, status);
//
//   what(): "embedding: expected indices inside the dimension they select from, given at least one
//            outside, in kernel `fused_gather_add_3f0` of an earlier run of `step`, at model.cpp:12
//            (index error at model.cpp:12). RIDGE_WAIT=1 ..."
//
// The inputs of that run may be gone, so ops are not computed again to find the one at fault
// (kernel_status.h): where a kernel has several that could have failed so, all are named.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "ridge/schedule/plan.h"

namespace ridge::driver {

class LateFailures {
 public:
  // Refers to neither afterwards.
  LateFailures(const schedule::Plan& plan, const graph::Graph& graph);

  void note_line(Location where);  // from any thread
  Error error(size_t call, int32_t status) const;

 private:
  static constexpr size_t kMostLines = 4;
  struct Suspect {
    KernelStatus status;
    std::string op;
    Location where;
  };
  struct Call {
    std::string kernel;
    std::vector<Suspect> suspects;
  };

  std::vector<Suspect> suspects_of(const Call& call, int32_t status) const;

  std::string program_;
  std::vector<Call> calls_;  // of the plan
  mutable std::mutex mutex_;
  std::vector<Location> lines_;  // the newest first
};

}  // namespace ridge::driver
