// From an emitted kernel to a call of the plan: what it computes, moves and may report.
#pragma once

#include "ridge/schedule/loops.h"
#include "ridge/schedule/plan.h"

namespace ridge::schedule {

// `is_whole`: the kernel is all of its group, not one of several stages.
KernelCall call_of(const LoopInput& input, const std::vector<PlannedBuffer>& buffers,
                   EmittedKernel emitted, bool is_whole);
// The product of a library that does the same, if there is one.
void add_library_product(KernelCall& call, const LoopInput& input);

}  // namespace ridge::schedule
