// The kernel of one eager call on the CPU: built through the same path as a compiled program, from a
// graph of one node whose sizes and strides are symbols (eager_graph.h).
//
// A class of calls shares a kernel; a call for which a guard of it does not hold gets another one.
//
//   add(f32[8, 3], f32[8, 3])  and  add(f32[100], f32[100])     one kernel over n elements
//   add(f32[8, 3], f32[3])                                      another, over n0 x n1
#pragma once

#include <memory>
#include <vector>

#include "ridge/driver/eager_graph.h"
#include "ridge/driver/kernel_cache.h"

namespace ridge::driver {

// An eager call made ready for exactly its shapes: everything but the addresses.
struct EagerCall {
  KernelFunction function = nullptr;  // null: nothing to compute, the result is empty
  std::shared_ptr<const BuiltKernel> kernel{};
  std::vector<int64_t> sizes{};
  // Operand number for each buffer of the kernel, kResult, or kScratch for f32 memory of its shape.
  // Numbers given as attributes are read from memory, too: kNumber, kNumber - 1, ...
  static constexpr int kResult = -1, kScratch = -2, kNumber = -3;
  std::vector<int> buffers{};
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

}  // namespace ridge::driver
