// Generated CUDA text compiled with the host's compiler and run there, thread by thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ridge/codegen/cuda/generate.h"

namespace ridge::codegen {

// Blocks and threads run in order, or all the other way round; with a seed some warps rest now and then, and what
// streams copy ahead arrives late.
struct HostOrder {
  bool is_backwards = false;
  uint64_t seed = 0;
};

// A library of kernels; their symbols must differ.
class HostLibrary {
 public:
  // Error{internal} with what the compiler said.
  explicit HostLibrary(const std::vector<CudaKernel>& kernels);
  ~HostLibrary();
  HostLibrary(const HostLibrary&) = delete;
  HostLibrary& operator=(const HostLibrary&) = delete;

  // Gives the status word. Error{internal} if threads wait for others that do not come.
  int run(const CudaKernel& kernel, std::span<void* const> buffers, std::span<const int64_t> sizes,
          HostOrder order = {}) const;
  // With pointers to the arguments as they are.
  void launch(const CudaKernel& kernel, std::span<const void* const> arguments, int64_t blocks,
              HostOrder order = {}) const;

 private:
  void* handle_ = nullptr;
};

bool has_host_compiler();

}  // namespace ridge::codegen
