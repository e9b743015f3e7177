// The kernels of one eager call on a device that plans are made for: scheduled and launched as those
// of a compiled program, from a graph of one node (eager_graph.h) with exactly its sizes.
//
// On a GPU a mapping follows from sizes, so each size has a program of its own. Equal kernels are
// compiled once (linker/cuda_kernels.h), and programs that no thread has used lately are let go when there
// are many.
#pragma once

#include <memory>
#include <vector>

#include "ridge/eager/eager_graph.h"
#include "ridge/execute/executor.h"

namespace ridge::eager {

class EagerProgram {
 public:
  EagerProgram(OneNode one, Device device);
  EagerProgram(const EagerProgram&) = delete;
  EagerProgram& operator=(const EagerProgram&) = delete;

  // Operands, then numbers, by input of the graph: on the device, each at the start of 16 bytes; one
  // that was left out is undefined. `result` is undefined where operand 0 is written. `where` is the
  // user's line.
  std::optional<execute::Failure> run(std::span<const Tensor> inputs, const Tensor& result,
                                      Location where) const;

  const schedule::Plan& plan() const { return plan_; }

 private:
  Device device_;
  schedule::Plan plan_;
  execute::ExecutablePlan linked_;
  std::unique_ptr<execute::Executor> executor_;
  execute::BoundPlan sizes_;  // all of them are known
  std::unique_ptr<execute::BoundExecutor> bound_;
  int64_t bytes_ = 0;
};

// The program of the class on the device, made if it is missing.
std::shared_ptr<const EagerProgram> find_program(ClassedCall& call, Device device);

// Programs made for eager calls so far, and those kept.
struct EagerProgramCounts {
  int64_t made = 0;
  int64_t kept = 0;
};
EagerProgramCounts eager_program_counts();

}  // namespace ridge::eager
