// Gradients of a graph, appended to it: reverse mode, node by node.
//
//   graph f(%0: f32[3] "x") { %1 = mul(%0, %0) : f32[3]; %2 = sum(%1) : f32[]; return %2 }
//   differentiate(f, {%2}, {%0})
//   appends  %3 = full([], 1) ; %4 = expand(%3, [3]) ; %5 = mul(%4, %0) ; ... and returns their sum
//
// In: a functional graph (no writes, no aliases) in which every op on the way from `wrt` to `outputs`
// has a gradient rule; `prepare` makes one. Out: for each of `wrt` the value that holds its gradient,
// of its dtype and shape: zeros where no output depends on it. The nodes that were there are as
// before, and all new ones come after them, each with the line and layer of the node it is the
// gradient of. They are ordinary nodes, so the result can be differentiated again.
//
// Whatever a rule reads of the forward values is kept until the gradient runs.
#pragma once

#include "ridge/graph/graph.h"

namespace ridge::aot {

// `gradients`: of the outputs, one each; none at all means ones. Several outputs are summed.
// Error{gradient} at the node's line for an op that has no gradient.
graph::ValueIds differentiate(graph::Graph& graph, const graph::ValueIds& outputs,
                              const graph::ValueIds& wrt, const graph::ValueIds& gradients = {});

// The graph without writes, composite ops that depend on these inputs (given by position) taken
// apart where only their parts have gradients. Inputs and outputs keep their positions.
graph::Graph prepare(graph::Graph graph, const std::vector<size_t>& wrt);

// For each value: does it depend on one of `wrt` with a derivative? Only floating values do.
std::vector<bool> active_values(const graph::Graph& graph, const graph::ValueIds& wrt);

}  // namespace ridge::aot
