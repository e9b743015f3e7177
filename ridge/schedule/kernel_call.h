// From an emitted kernel to a call of the plan: what it computes, moves and may report.
#pragma once

#include "ridge/schedule/inlined_graph.h"
#include "ridge/schedule/loops.h"
#include "ridge/schedule/memory_plan.h"
#include "ridge/schedule/plan.h"

namespace ridge::schedule {

// All of it but the kernel: of a whole group, each element of a buffer is moved once.
KernelCall counted_call(const LoopInput& input, const std::vector<PlannedBuffer>& buffers);
// Which nodes it computes, and what they can make it report.
void set_nodes(KernelCall& call, const InlinedGraph& program, const Group& group);
void set_kernel(KernelCall& call, EmittedKernel emitted);
// One of several kernels of a group moves what its own loops touch.
void count_split_kernel(KernelCall& call, const cost::Sheet& sheet);
// The product of a library that does the same, if there is one.
void add_library_product(KernelCall& call, const LoopInput& input);

// A kernel that copies one buffer to another, each by its own strides.
KernelCall copy_kernel(const MemoryPlan::Copy& copy, const std::vector<PlannedBuffer>& buffers,
                       Target target);

// Counting what a kernel does: bytes to and from memory, and floating-point work.

// Each element of a buffer that is touched counts once for reading and once for writing.
Size bytes_moved(const std::vector<AccessPattern>& patterns, const Shape& extents,
                 const std::vector<PlannedBuffer>& buffers);

// Functions of reals at all points, a product and sum counting as two.
Size flops_of(const InlinedGraph& program, const Group& group);

// How many bytes a program touches between two launches of one of its kernels: what fits a cache
// with them is still there.
//
// Inputs, constants and what outlives the program, and of the rest as many as live at one time,
// since temporaries take each other's place. Known before there are groups, so that whoever asks
// for the price of a kernel (fusion, the choice of a mapping, the table of kernels) asks with the
// same number.
double resident_bytes(const InlinedGraph& program);

}  // namespace ridge::schedule
