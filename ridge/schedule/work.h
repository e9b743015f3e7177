// Counting what a kernel does: bytes to and from memory, and floating-point work.
#pragma once

#include "ridge/schedule/axes.h"
#include "ridge/schedule/plan.h"

namespace ridge::schedule {

// Each element of a buffer that is touched counts once for reading and once for writing.
Size bytes_moved(const std::vector<AccessPattern>& patterns, const Shape& extents,
                 const std::vector<PlannedBuffer>& buffers);

// Functions of reals at all points, a product and sum counting as two.
Size flops_of(const InlinedGraph& program, const Group& group);

}  // namespace ridge::schedule
