// Derivatives of a graph in the direction of its inputs: forward mode, node by node.
//
//   graph f(%0: f32[3] "x") { %1 = mul(%0, %0) : f32[3]; return %1 }
//   push_forward(f, {0}, {0})
//   graph f(%0: f32[3] "x", %1: f32[3] "tangent") {
//     %2 = mul(%0, %0) ; %3 = mul(%1, %0) ; %4 = mul(%1, %0) ; %5 = add(%3, %4) ; return %2, %5
//   }
//
// No op has a rule of its own for this. Its gradient rule is a linear map of the gradients of its
// results; the gradient of that map is the map the other way round, which is the derivative wanted,
// and holds nothing of the gradients it was found by. Control flow goes on as it was, over bodies that
// carry tangents along: so a while_loop needs no bound here.
#pragma once

#include "ridge/graph/graph.h"

namespace ridge::aot {

// `wrt` and `outputs` are positions among inputs and outputs, of floating values. Comes in: any graph.
// Goes out: a functional one that also takes a tangent for each of `wrt`, after its inputs, and returns
// one for each of `outputs`, after its outputs: zeros where it depends on no tangent. Updates stay.
// Error{gradient} at the node's line for an op without a gradient, or with one that is no linear map.
graph::Graph push_forward(graph::Graph graph, const std::vector<size_t>& wrt,
                          const std::vector<size_t>& outputs);

}  // namespace ridge::aot
