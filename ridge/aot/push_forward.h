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
#include "ridge/graph/recorder.h"

namespace ridge::aot {

// `wrt` and `outputs` are positions among inputs and outputs, of floating values. Comes in: any graph.
// Goes out: a functional one that also takes a tangent for each of `wrt`, after its inputs, and returns
// one for each of `outputs`, after its outputs: zeros where it depends on no tangent. Updates stay.
// Error{gradient} at the node's line for an op without a gradient, or with one that is no linear map.
graph::Graph push_forward(graph::Graph graph, const std::vector<size_t>& wrt,
                          const std::vector<size_t>& outputs);

// Tangents of control flow: the same control flow over bodies that carry tangents along.
//
//   y = cond(p, f, g, x)           y, dy = cond(p, jvp of f, jvp of g, x, dx)
//   h, ys = scan(f, h0, xs)        h, dh, ys, dys = scan(jvp of f, {h0, dh0}, {xs, dxs})
//   s = while_loop(c, f, s0)       s, ds = while_loop(c, jvp of f, {s0, ds0})

// Records the node, over values of the recorder's graph, with tangents: of its tensor operands in
// order, undefined for zeros. Returns its results, then the tangent of each, undefined where it has
// none.
std::vector<Tensor> control_tangents(graph::Recorder& recorder, const graph::Node& node,
                                     const std::vector<Tensor>& tangents);

}  // namespace ridge::aot
