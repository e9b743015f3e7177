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
#include "ridge/graph/recorder.h"

namespace ridge::aot {

// `gradients`: of the outputs, one each; none at all means ones. Several outputs are summed.
// Error{gradient} at the node's line for an op that has no gradient.
graph::ValueIds differentiate(graph::Graph& graph, const graph::ValueIds& outputs,
                              const graph::ValueIds& wrt, const graph::ValueIds& gradients = {});

// By value: does it depend on one of these, with a derivative?
std::vector<bool> active_values(const graph::Graph& graph, const graph::ValueIds& wrt);

// The graph without writes, composite ops that depend on these inputs (given by position) taken
// apart where only their parts have gradients. Inputs and outputs keep their positions.
graph::Graph prepare(graph::Graph graph, const std::vector<size_t>& wrt);

// For each value: does it depend on one of `wrt` with a derivative? Only floating values do.
std::vector<bool> active_values(const graph::Graph& graph, const graph::ValueIds& wrt);

// Gradients of control flow: control flow over the gradients of the bodies.
//
//   y = cond(p, f, g, x)           dx = cond(p, vjp of f, vjp of g, x, dy)
//   h, ys = scan(f, h0, xs)        a scan in the other direction, that carries dh and the sums of the
//                                  gradients of `inputs`, over the carries that f was given, xs and dys
//   s = while_loop(c, f, s0, n)    the gradient of a scan of n steps, each cond(c(s), f(s), s)
//
// A branch is computed again in its gradient, a step of a scan too: only the carries are kept.

// The graph with what gradients need made part of it: scans return the carry of each step too, loops
// that have a bound become scans. For nodes that read a value that is active. Values are renumbered.
graph::Graph keep_for_gradients(const graph::Graph& graph, const std::vector<bool>& is_active);

// Records the gradients of the tensor operands of a node of control flow, undefined where not needed.
// `grads`: of its results, undefined for zeros. Error{gradient} for a while_loop.
std::vector<Tensor> control_gradient(graph::Recorder& recorder, const graph::Node& node,
                                     const std::vector<Tensor>& grads,
                                     const std::vector<bool>& needed);

}  // namespace ridge::aot
