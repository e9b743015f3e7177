// A loop kernel as an LLVM module: the entry of kernel_abi.h, and one function of tasks for each
// nest of thread loops.
//
//   for i0 in n @thread {         void k(...)  { runtime->parallel(n, grain, k.tasks, &context); }
//     for i1 in m @thread {   ->  void k.tasks(context, begin, end) {
//       ...                         for (task = begin; task < end; ++task) ...
//     }
//   }
#pragma once

#include <memory>

#include "ridge/codegen/llvm/code.h"

namespace ridge::codegen {

std::unique_ptr<llvm::Module> emit_module(llvm::LLVMContext& context, const loop::Kernel& kernel,
                                          const CpuTarget& target);

// The name of the entry: the kernel's, with what a symbol may not hold replaced.
std::string symbol_of(const loop::Kernel& kernel);

}  // namespace ridge::codegen
