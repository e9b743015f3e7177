// Timing the kernels of a plan one by one, outside of a program.
//
//   KernelBench bench(program.plan(), compiled.graph(), inputs);
//   double seconds = bench.time(3, 1e-3);     // the fourth kernel, for about a millisecond
//
// All kernels run once in their order first, so that data is as in a run. Launches then follow one
// another on the same memory: what fits a cache stays in it.
#pragma once

#include <memory>
#include <vector>

#include "ridge/core/tensor.h"
#include "ridge/graph/graph.h"
#include "ridge/linker/kernel_cache.h"
#include "ridge/schedule/plan.h"

namespace ridge::linker {

class KernelBench {
 public:
  // `plan` is of a graph whose sizes are all known. Inputs that it updates are written.
  KernelBench(const schedule::Plan& plan, const graph::Graph& graph, std::vector<Tensor> inputs);

  size_t kernel_count() const { return kernels_.size(); }
  // Seconds of one launch: the mean over launches that take about `seconds` together.
  double time(size_t kernel, double seconds) const;

 private:
  struct Launch {
    std::shared_ptr<const execute::CpuKernel> kernel;
    std::vector<void*> buffers;
  };
  static double seconds_of(const Launch& launch, int64_t count);

  std::vector<Tensor> memory_;
  std::vector<Launch> kernels_;
};

}  // namespace ridge::linker
