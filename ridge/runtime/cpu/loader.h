// Object bytes in, a function that can be called out.
//
//   auto kernel = LoadedKernel::load(generated.object, generated.symbol);
//   kernel->function()(buffers, sizes, &kernel_runtime(), &status);
//
// One linker session serves the process; loading is safe from any thread. A kernel owns its code:
// when the last reference goes, the memory goes, so nothing may run or point into it any more.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "ridge/core/kernel_abi.h"

namespace ridge::runtime {

class LoadedKernel {
 public:
  // Error{internal} if the object is no object, does not define `symbol`, or imports a name that
  // imports.h does not list.
  static std::shared_ptr<LoadedKernel> load(std::string_view object, const std::string& symbol);

  LoadedKernel(const LoadedKernel&) = delete;
  LoadedKernel& operator=(const LoadedKernel&) = delete;
  ~LoadedKernel();

  KernelFunction function() const { return function_; }

 private:
  struct Code;  // the linker's hold on the memory

  LoadedKernel();

  std::unique_ptr<Code> code_;
  KernelFunction function_ = nullptr;
};

// Kernels that are loaded now.
size_t loaded_kernel_count();

}  // namespace ridge::runtime
