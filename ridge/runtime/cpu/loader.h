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
#include <span>
#include <string>
#include <string_view>

#include "ridge/core/kernel_abi.h"

namespace ridge::runtime {

class LoadedKernel {
 public:
  // Error{internal} if the object is no object, does not define `symbol`, or imports a name that
  // loader.h does not list.
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

// The names generated code may call; nothing else is found, so an object cannot reach further.
//
//   sin, cos, exp, log, tanh, erf, pow, fmod      libm on f64
//   sinf, cosf, powf, fmodf                       libm on f32, for arguments out of the usual
//   floor, ceil, trunc, rint, fma, and with f     where the target has no instruction for them
//   sincos, sincosf, memcpy, memset, memmove      LLVM makes calls of these by itself

struct Import {
  std::string_view name;
  void* address;
};

std::span<const Import> imports();

}  // namespace ridge::runtime
