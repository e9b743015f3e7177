// CUDA kernels, from loop IR to a function that can be launched; kept and shared as those of the CPU
// (kernel_cache.h). RIDGE_DUMP writes <kernel>.cu, RIDGE_DEBUG=4 shows it, and RIDGE_OVERRIDE reads it
// in place of what was made.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ridge/codegen/cuda/generate.h"
#include "ridge/runtime/cuda/module.h"

namespace ridge::driver {

struct CudaBuilt {
  codegen::CudaKernel code;
  runtime::cuda::Kernel kernel;
  bool dependent_launch = false;  // programmatic
};

// What to build a kernel from: the loops, how many entries a launch has, and lines for the reader of
// its text.
struct CudaSource {
  const loop::Kernel* kernel;
  codegen::CudaBatch batch{};
  std::function<std::vector<std::string>()> notes{};  // asked only if it is built, on any thread
  // Its params as they are expected, and whether the plan vouches that every index fits into 32 bits.
  std::vector<int64_t> expected{};
  bool fits_32_bits = false;
  bool continues = false;  // it reads nothing but what the kernel right before it leaves
};

// Of the grid, for these params.
int64_t block_count(const codegen::CudaKernel& code, std::span<const int64_t> sizes);

// Builds what is missing, on all threads, several in one text (cuda_programs.h); one for each source, in
// order.
std::vector<std::shared_ptr<const CudaBuilt>> build_cuda(std::span<const CudaSource> sources,
                                                         int device);

// Since the process started. Sums of all threads, but for the two that a caller waited.
struct CudaBuildTimes {
  int64_t kernels = 0, programs = 0;
  double compile_ms = 0, longest_ms = 0, load_ms = 0;  // NVRTC, its longest program, the driver
  double text_ms = 0, wall_ms = 0;                     // waited for texts, and for all of it
  double product_ms = 0;  // of the library that computes products, beside all this
};
void add_product_ms(double ms);
CudaBuildTimes cuda_build_times();

}  // namespace ridge::driver
