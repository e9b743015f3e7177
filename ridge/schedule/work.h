// Counting what a kernel does: bytes to and from memory, and floating-point work.
#pragma once

#include "ridge/schedule/axes.h"
#include "ridge/schedule/inlined_graph.h"
#include "ridge/schedule/plan.h"

namespace ridge::schedule {

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
