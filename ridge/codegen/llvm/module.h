// A loop kernel as an LLVM module: the entry of kernel_abi.h, and one function of tasks for each
// nest of thread loops.
//
//   for i0 in n @cpu_thread {     void k(...)  { runtime->parallel(n, grain, k.tasks, &context); }
//     for i1 in m @cpu_thread {   ->  void k.tasks(context, begin, end) {
//       ...                         for (task = begin; task < end; ++task) ...
//     }
//   }
#pragma once

#include <memory>
#include <string>

#include "ridge/codegen/llvm/code.h"

namespace ridge::codegen {

std::unique_ptr<llvm::Module> emit_module(llvm::LLVMContext& context, const loop::Kernel& kernel,
                                          const CpuTarget& target);

// The name of the entry: the kernel's, with what a symbol may not hold replaced.
std::string symbol_of(const loop::Kernel& kernel);

// An LLVM module in, object bytes or assembly out, through a short list of passes.
//
// The module comes out optimized (that is what `keep_ir` shows). Target machines are kept for each
// thread, because making one costs as much as compiling a small kernel.

enum class Output { object, assembly };

// Sets the module's target and runs the passes over it.
void optimize(llvm::Module& module, const CpuTarget& target);
// Consumes the module's contents.
std::string compile(llvm::Module& module, const CpuTarget& target, Output output);

}  // namespace ridge::codegen
