// The kernels of one eager call on the CPU, mostly one: built through the same path as a compiled program, from a
// graph of one node whose sizes and strides are symbols (eager_graph.h).
//
// A class of calls shares them; a call for which a guard of it does not hold gets others.
//
//   add(f32[8, 3], f32[8, 3])  and  add(f32[100], f32[100])     one kernel over n elements
//   add(f32[8, 3], f32[3])                                      another, over n0 x n1
#pragma once

#include <memory>
#include <vector>

#include "ridge/eager/eager_graph.h"
#include "ridge/linker/kernel_cache.h"

namespace ridge::eager {

// One kernel, with everything but the addresses.
struct EagerLaunch {
  KernelFunction function = nullptr;
  std::shared_ptr<const execute::CpuKernel> kernel{};
  std::vector<int64_t> sizes{};
  std::vector<int> buffers{};  // as `EagerCall` numbers them
};

// An eager call made ready for exactly its shapes.
struct EagerCall {
  std::vector<EagerLaunch> launches{};  // in order; none: nothing to compute, the result is empty
  // Operand number for each buffer of a kernel, or kResult. Numbers given as attributes are read from memory, too:
  // kNumber, kNumber - 1, ... Memory that only its kernels see is kScratch, kScratch + 1, ...
  static constexpr int kResult = -1, kNumber = -2, kScratch = 1 << 20;
  struct Scratch {
    DType dtype;
    int64_t elements;
  };
  std::vector<Scratch> scratch{};
  std::vector<double> numbers{};
  Shape shape{};
  DType dtype{};
  int64_t bytes = 0;
};

// For a call whose op has a body or definition; `resolved` as the op's rules gave it.
EagerCall prepare_call(const ops::OpRecord& record, const ops::Call& call,
                       const ops::Resolved& resolved);
// For writing `from`, broadcast, into `to`: the operands are 0 = to and 1 = from.
EagerCall prepare_assign(const dispatch::Operator& op, const Tensor& to, const Tensor& from);

// Kernels made for eager calls so far.
int64_t eager_kernel_count();

}  // namespace ridge::eager
