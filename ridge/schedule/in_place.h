// Inputs of which a program writes a part: only that part is touched.
//
//   update %0 = slice_scatter(%0, %1, 0, [2, 3])     becomes a kernel over %1, which it stores into
//                                                    row 2 of the memory of %0
//
// Comes in: the definitions of a graph's nodes. Goes out: those of a chain of partial writes that starts
// at an input and ends as its update are changed: each is a map over what is written, stored at
// `NodeDefinition::written`, in the memory of the value before it in the chain (`NodeDefinition::over`). A write
// through views of views is one part of the input, not a part of a part that is read and written whole.
//
// That is right only if nobody reads a value of the chain after the next one is written; the memory
// planner knows the order and refuses the input where it is not so (Memory::refused).
#pragma once

#include <vector>

#include "ridge/schedule/node_definition.h"

namespace ridge::schedule {

// `refused`: inputs whose memory is not written before the end.
void write_in_place(const Graph& graph, std::vector<NodeDefinition>& node_definitions,
                    const std::vector<ValueId>& refused);

}  // namespace ridge::schedule
