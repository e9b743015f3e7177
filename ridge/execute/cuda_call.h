// One call of a plan on a GPU, prepared: launching it again is all that is left to do.
//
//   std::unique_ptr<CudaCall> call = make_kernel_call(plan, number, kernel, sizes);
//   call->launch({memory, statuses}, stream);
//
// Launching may be captured into a graph, so it waits for nothing and allocates nothing.
#pragma once

#include <memory>
#include <span>

#include "ridge/execute/device_kernels.h"
#include "ridge/runtime/cuda/cuda_graph.h"

namespace ridge::execute {

struct CallMemory {
  std::span<void* const> buffers;  // by buffer of the plan
  int32_t* statuses = nullptr;     // by call; null where none can fail
  void* workspace = nullptr;  // of as many bytes as any call wants, used by one after the other
};

class CudaCall {
 public:
  virtual ~CudaCall() = default;

  // Queues the work. The context of the device is current.
  virtual void launch(const CallMemory& memory, Stream stream) const = 0;

  // Can it be given other memory inside a graph? If not, the graph is captured again.
  virtual bool can_update_memory() const { return true; }
  // Does so, where its first launch in the graph is the n-th. False where that cannot be done after all.
  virtual bool update_memory(runtime::cuda::CudaGraph& graph, size_t launch,
                             const CallMemory& memory) const = 0;

  // Whether it may set the status word that has its number.
  virtual bool can_fail() const { return false; }
  virtual size_t workspace_bytes() const { return 0; }
};

// A kernel with these params, or a kernel for all entries of a batch.
std::unique_ptr<CudaCall> make_kernel_call(const ExecutablePlan& plan, size_t number,
                                           std::shared_ptr<const BuiltCudaKernel> kernel,
                                           std::span<const int64_t> sizes);
// A product of these params that a library computes; null where it cannot.
std::unique_ptr<CudaCall> make_product_call(const ExecutableCall& call, int device,
                                            std::span<const int64_t> sizes);

// Of all of them, one after the other.
int64_t workspace_of(std::span<const std::unique_ptr<CudaCall>> calls);

}  // namespace ridge::execute
