// CUDA kernels, from loop IR to a function that can be launched; kept and shared as those of the CPU
// (kernel_cache.h). RIDGE_DUMP writes <kernel>.cu, RIDGE_DEBUG=4 shows it, and RIDGE_OVERRIDE reads it
// in place of what was made.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/codegen/cuda/generate.h"
#include "ridge/execute/device_kernels.h"
#include "ridge/schedule/plan.h"

namespace ridge::linker {

// What to build a kernel from: the loops, how many entries a launch has, and lines for the reader of
// its text.
struct CudaSource {
  const loop::Kernel* kernel;
  CudaBatch batch{};
  loop::DeviceLimits limits{};                        // of the device, as the plan took them
  std::function<std::vector<std::string>()> notes{};  // asked only if it is built, on any thread
  // Its params as they are expected, and whether the plan vouches that every index fits into 32 bits.
  std::vector<int64_t> expected{};
  bool fits_32_bits = false;
  bool reads_previous_only = false;  // it reads nothing but what the kernel right before it leaves
};

// What the entries of a call share, and how many they are; nothing for a call that is no batch.
CudaBatch batch_shape(const schedule::KernelCall& call);

// How a generated kernel is launched; its code is yet to come.
execute::BuiltCudaKernel launch_of(const codegen::CudaKernel& generated);

// Builds kernels: text is generated for those that no program has had yet, on all threads, then compiled, several
// in one text (nvrtc_texts.cpp), and loaded.
class CudaBuild {
 public:
  CudaBuild(std::span<const CudaSource> sources, int device);
  ~CudaBuild();
  CudaBuild(CudaBuild&&) noexcept;
  // One for each source, in order. Once.
  execute::CudaKernels compile() &&;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Since the process started. Sums of all threads, but for the two that a caller waited.
struct CudaBuildTimes {
  int64_t kernels = 0, programs = 0;
  double compile_ms = 0, longest_ms = 0, load_ms = 0;  // NVRTC, its longest program, the driver
  double text_ms = 0, wall_ms = 0;                     // waited for texts, and for all of it
  double product_ms = 0;  // of the library that computes products, beside all this
};
void add_product_ms(double ms);
CudaBuildTimes cuda_build_times();

// Which kernels NVRTC compiles in one text.
//
//   programs_of({20000, 3000, 2800, 400}, 16)   ->   {0}, {1, 2, 3}
//
// In: how long the texts of kernels are, and on how many threads they are compiled. Out: their numbers,
// in the order in which to begin them; each is in one program. The front end of NVRTC serves one thread
// at a time, and 20 ms of it are the same for every text (NVRTC 13.0 on a Xeon of 2021):
// 41 kernels of a training step, each by itself, wait for it a whole second on any number of cores. So
// kernels share texts, the fewer the longer they are, and those begun last are short.

std::vector<std::vector<size_t>> programs_of(std::span<const size_t> text_bytes, int threads);

// One text with all of the kernels, each in a namespace of its own with the functions it brings along,
// so that its code is what it would be by itself. The names of the kernels must differ.
std::string joined_text(std::span<const std::string_view> texts);

}  // namespace ridge::linker
