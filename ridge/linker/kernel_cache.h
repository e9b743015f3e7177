// Built kernels of the CPU, kept for the life of the process and shared by all programs.
//
// Two kernels with the same canonical text (names and notes aside) are one entry, so the twelve equal
// layers of a model are compiled once. RIDGE_DEBUG, RIDGE_DUMP and RIDGE_OVERRIDE act here:
//
//   RIDGE_DUMP=<dir>       <dir>/NNN_<kernel>.loop and .ll
//   RIDGE_OVERRIDE=<dir>   <dir>/<kernel>.ll or <kernel>.loop, edited, runs in place of what was made
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ridge/execute/device_kernels.h"
#include "ridge/loop/loop.h"

namespace ridge::linker {

// Is there a code generator in this build?
inline constexpr bool kCanBuild = RIDGE_HAS_LLVM != 0;

// With RIDGE_VERIFY=1 the rules of the IR, with 3 also that its text reads back as the same kernel.
void check_kernel(const loop::Kernel& kernel);

// Builds kernels: code is generated for those that no program has had yet, on all threads, and then loaded.
class CpuBuild {
 public:
  explicit CpuBuild(std::span<const loop::Kernel* const> kernels);
  ~CpuBuild();
  CpuBuild(CpuBuild&&) noexcept;
  // One for each kernel, in order. Once.
  execute::CpuKernels load() &&;

 private:
  struct State;
  std::unique_ptr<State> state_;
};
execute::CpuKernels build_cpu(std::span<const loop::Kernel* const> kernels);

// Since the process started: kernels built and the time it took.
struct BuildCounts {
  int64_t kernels = 0;
  double total_ms = 0;
};
BuildCounts build_counts();

}  // namespace ridge::linker
