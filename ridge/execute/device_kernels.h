// Built kernels as an executor takes them: code that is loaded, and how it is launched.
//
// Comes in: kernels of a CPU as functions, kernels of a GPU with the geometry of their grid; who made
// them, and from what, is not known here. Goes out: an executor of a plan.
//
// A kernel of a GPU is called with its buffers in order, each at the start of 16 bytes; then the params,
// `int` or `long long` by size_bits; then `int* status` if sets_status. Of a batch the arguments are
// its table (BatchTable), the buffers that entries share, and the status. A kernel over tiles lists its
// arguments, of which some are tensor maps of its views; the status follows them.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "ridge/core/tensor_view.h"
#include "ridge/execute/executor.h"
#include "ridge/runtime/cpu/loader.h"
#include "ridge/runtime/cuda/module.h"

namespace ridge::execute {

// Machine code of a CPU.
struct CpuKernel {
  std::shared_ptr<runtime::LoadedKernel> code;
  KernelFunction function = nullptr;
  double build_ms = 0;
};
using CpuKernels = std::vector<std::shared_ptr<const CpuKernel>>;

// A kernel of a GPU, and how it is launched.
struct BuiltCudaKernel {
  runtime::cuda::Kernel kernel{};
  expr::Expr blocks = 0;  // of the grid, over the params; of a batch, those of one entry
  int threads = 1;        // of a block
  int cluster = 1;        // blocks of a cluster
  int64_t dynamic_shared_bytes = 0;
  bool sets_status = false;
  int size_bits = 64;  // of the params as arguments: 32 or 64
  CudaBatch batch{};
  // Of a kernel over tiles. Its `blocks` are tiles, of which each block takes several.
  std::vector<KernelArgument> arguments{};
  std::vector<TensorView> views{};
  int64_t most_blocks = 0;  // that run at a time; 0: a block for each
  // Programmatic dependent launch: it may start before the kernel before it has ended, and waits for it.
  bool uses_pdl = false;
};
using CudaKernels = std::vector<std::shared_ptr<const BuiltCudaKernel>>;

// Of the grid of a kernel, for these params.
int64_t block_count(const expr::Expr& blocks, std::span<const int64_t> sizes);

// Plans must outlive executors. Kernels are by call.
std::unique_ptr<Executor> make_cpu_executor(const ExecutablePlan& plan, CpuKernels kernels);
// A kernel may be null where the call is a product of a library. Where the library declines it for the
// sizes of a run, `build` gives the kernels of such calls, in order.
using BuildCudaKernels = std::function<CudaKernels(std::span<const size_t> calls)>;
std::unique_ptr<Executor> make_cuda_executor(const ExecutablePlan& plan, int device,
                                             CudaKernels kernels, BuildCudaKernels build);
// Has the library choose how it computes the product of a call for these sizes, and remember it.
void choose_product(const ExecutableCall& call, int device, std::span<const int64_t> sizes);

}  // namespace ridge::execute
