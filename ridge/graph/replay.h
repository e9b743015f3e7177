// Runs a graph by calling the op of each node, in order.
//
// Comes in: one tensor for each input, of its dtype and shape; symbols of the graph take the sizes
// found there. Goes out: the outputs. On real tensors this is eager execution, gradients included;
// while a Recorder is active the calls are recorded, which is how one graph is inlined in another.
//
// What the graph updates is written into the given inputs last, when every value and output is
// computed: an output that shares memory with such an input is a copy made before.
//
//   graph step(%0: f32[2] "x") { %1 = add(%0, %0) : f32[2]; return %0; update %0 = %1 }
//   replay(step, {x})    returns the old x, and x is doubled
#pragma once

#include <span>
#include <vector>

#include "ridge/graph/graph.h"

namespace ridge::graph {

std::vector<Tensor> replay(const Graph& graph, std::span<const Tensor> inputs);

// Outputs as tensors of their own: one that shares memory with an input, or with an output before
// it, becomes a copy. Replaying gives views where a compiled program gives fresh tensors.
void separate(std::span<Tensor> outputs, std::span<const Tensor> inputs);

}  // namespace ridge::graph
