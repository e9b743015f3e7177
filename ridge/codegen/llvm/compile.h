// An LLVM module in, object bytes or assembly out, through a short list of passes.
//
// The module comes out optimized (that is what `keep_ir` shows). Target machines are kept for each
// thread, because making one costs as much as compiling a small kernel.
#pragma once

#include <string>

#include "ridge/codegen/llvm/code.h"

namespace ridge::codegen {

enum class Output { object, assembly };

// Sets the module's target and runs the passes over it.
void optimize(llvm::Module& module, const CpuTarget& target);
// Consumes the module's contents.
std::string compile(llvm::Module& module, const CpuTarget& target, Output output);

}  // namespace ridge::codegen
