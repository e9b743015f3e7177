// CUDA C++ for a GPU: a loop kernel in, text for NVRTC out.
//
//   kernel twice(x: f32[n] in, out: f32[n] out; n) {       extern "C" __global__ void
//     for i0 in n // 256 @gpu_block {                      __launch_bounds__(64)
//       for i1 in 64 @gpu_thread {                   ->    twice(const float* __restrict__ x,
//         for i2 in 4 @vector { ... } } } }                      float* __restrict__ out, int n)
//
// In: a kernel in the GPU mapping that `loop::verify` accepts, with a constant number of threads in
// a block. Out: text that needs no header, one statement a line, in the kernel's own names, with
// the device functions it uses in front. The same kernel and target always give the same text.
//
// Calling it: the global buffers in order, each at the start of 16 bytes; then the params, `int`
// or `long long` by size_bits; then `int* status` if sets_status, with the values of KernelStatus,
// of which the first one set stays. Of a batch the arguments are its table (batched.h), the buffers that
// entries share, and the status. Blocks are one-dimensional, and so is the grid; a grid of no
// blocks is not to be launched. Results are those of loop.h if it is compiled with
// --fmad=false and without fast math, but max and min of -0 and 0 give the one or the other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ridge/base/decision.h"
#include "ridge/core/kernel_abi.h"
#include "ridge/core/tensor_view.h"
#include "ridge/loop/device_limits.h"
#include "ridge/loop/loop.h"

namespace ridge::codegen {

struct CudaTarget {
  int arch = 90;  // compute capability times ten; 80 and later
  loop::DeviceLimits limits = loop::limits_of_arch(arch);  // of the device
  // The caller vouches that params, and every index and its parts, are less than 2^31. Constants
  // are looked at anyway.
  bool fits_32_bits = false;
  // The caller vouches that no two buffers overlap, though some are in_out.
  bool are_distinct = false;
  // Elements are used once: loads and stores of global memory are evict-first.
  bool streaming_loads = false;
  // Programmatic dependent launch: the kernel may start before the previous one of the stream ends, and waits for it
  // (Launch::dependent_launch); 90 and later.
  bool dependent_launch = false;
  CudaBatch batch{};
  // Off: products of 16-bit elements by each thread's own arithmetic, which any compiler can run.
  bool uses_tensor_cores = true;
  std::vector<std::string> notes{};  // printed below those of the kernel: predicted time and bound
};

struct CudaKernel {
  std::string source;
  std::string symbol;
  loop::Expr blocks;  // of the grid, over the params; of a batch, those of one entry
  int threads = 1;    // of a block
  int cluster = 1;  // blocks of a cluster, stated in the text; 16 needs the non-portable attribute
  int64_t static_shared_bytes = 0;
  int64_t dynamic_shared_bytes = 0;  // beyond 48 KiB all of it is dynamic
  bool sets_status = false;
  int size_bits = 64;  // of the params as arguments: 32 or 64
  CudaBatch batch{};
  // Of a kernel over mapped tiles, compiled for sm_90a. Its arguments, each a pointer, a size or a tensor map of a view;
  // of all others none are listed here, and they are those said above. `blocks` are tiles of work, which blocks take in
  // turn: at most as many are launched as run at a time.
  std::vector<KernelArgument> arguments{};
  std::vector<TensorView> views{};
  int persistent_blocks_per_sm = 0;  // 0: a block for each
};

// Blocks to launch: of a persistent kernel the SMs times persistent_blocks_per_sm, or its tiles if those are fewer.
int64_t launched_blocks(const CudaKernel& kernel, int64_t blocks, int64_t sms);

// No, with the reason, for a kernel whose mapping or types this generator does not know.
Decision can_generate(const loop::Kernel& kernel, const CudaTarget& target);

// Error{internal} unless can_generate.
CudaKernel generate(const loop::Kernel& kernel, const CudaTarget& target);

// Which kernels use evict-first loads: CudaTarget::streaming_loads.

// Does the kernel do little but load, each element about once, more than the L2 holds? The next kernel finds nothing
// of it in the L2, so these loads should not evict what others left: sums of rows of 134 MB take 37.8 us on an H200,
// 40.9 without hints. Beyond four times the L2, hints cost more than they save (412 MB: 110 us, 103 without).
bool prefers_streaming_loads(const loop::Kernel& kernel, int64_t cache_bytes);

}  // namespace ridge::codegen
