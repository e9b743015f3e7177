// From an emitted kernel to a call of the plan: what it computes, moves and may report.
#pragma once

#include "ridge/schedule/loops.h"
#include "ridge/schedule/memory.h"
#include "ridge/schedule/plan.h"

namespace ridge::schedule {

// All of it but the kernel: of a whole group, each element of a buffer is moved once.
KernelCall counted_call(const LoopInput& input, const std::vector<PlannedBuffer>& buffers);
// Which nodes it computes, and what they can make it report.
void set_nodes(KernelCall& call, const InlinedGraph& program, const Group& group);
void set_kernel(KernelCall& call, EmittedKernel emitted);
// One of several stages moves what its own loops touch.
void count_stage(KernelCall& call, const cost::Sheet& sheet);
// The product of a library that does the same, if there is one.
void add_library_product(KernelCall& call, const LoopInput& input);

// A kernel that copies one buffer to another, each by its own strides.
KernelCall copy_kernel(const Memory::Copy& copy, const std::vector<PlannedBuffer>& buffers,
                       Target target);

}  // namespace ridge::schedule
