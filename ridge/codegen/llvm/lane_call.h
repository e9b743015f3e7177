// Calls of scalar functions for each lane: what lanes have no instruction for.
//
// The lanes go through memory in a loop, in a function of their own, so that a kernel that calls it
// from several places stays small.
#pragma once

#include "ridge/codegen/llvm/code.h"

namespace ridge::codegen {

// `name` is an import or a function of the module, from `args` (all of one type) to their type.
Value* call_by_lane(Code& code, llvm::StringRef name, llvm::ArrayRef<Value*> args);

}  // namespace ridge::codegen
