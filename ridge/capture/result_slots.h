// Which tensors of a result are views of one memory, and of whose.
//
//   f(x) { y = x * 2; return {y, transpose(y, 0, 1), select(x, 0, 1)}; }
//   outputs {y}; slots: output 0, output 0 as [3, 2] strides [1, 3], input 0 as [3] from 3 on
//
// Memory of an argument is the caller's: nothing is computed for a view of it. Memory that the function
// made is an output as soon as two different results see it, and both are views of that. A single
// result, however small a part of what was computed, is a tensor of its own: the rest of the memory
// would be kept, and computed, for nobody.
#pragma once

#include <functional>

#include "ridge/capture/trace.h"

namespace ridge::capture {

// Adds outputs to the graph, and says for each tensor where it comes from. Without
// `restores_aliases` each value is an output of its own.
std::vector<Slot> place_results(graph::Graph& graph, std::span<const LeftTensor> left,
                                const std::function<Tensor(graph::ValueId)>& fake,
                                bool restores_aliases);

}  // namespace ridge::capture
