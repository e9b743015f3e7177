// One instruction of the interpreter on all active lanes: functions, conversions and rounding.
#pragma once

#include "ridge/core/kernel_abi.h"
#include "ridge/loop/bytecode.h"
#include "ridge/loop/memory.h"

namespace ridge::loop {

// Not for load, select and once. What an expression would report as an error sets `status`, if that
// is ok still, and goes on with 0.
void calculate(const Instruction& instruction, Word* words, Lanes lanes, KernelStatus& status);

}  // namespace ridge::loop
