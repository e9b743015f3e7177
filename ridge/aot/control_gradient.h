// Gradients of control flow: control flow over the gradients of the bodies.
//
//   y = cond(p, f, g, x)           dx = cond(p, vjp of f, vjp of g, x, dy)
//   h, ys = scan(f, h0, xs)        a scan in the other direction, that carries dh and the sums of the
//                                  gradients of `inputs`, over the carries that f was given, xs and dys
//   s = while_loop(c, f, s0, n)    the gradient of a scan of n steps, each cond(c(s), f(s), s)
//
// A branch is computed again in its gradient, a step of a scan too: only the carries are kept.
#pragma once

#include "ridge/graph/graph.h"
#include "ridge/graph/recorder.h"

namespace ridge::aot {

// The graph with what gradients need made part of it: scans return the carry of each step too, loops
// that have a bound become scans. For nodes that read a value that is active. Values are renumbered.
graph::Graph keep_for_gradients(const graph::Graph& graph, const std::vector<bool>& is_active);

// Records the gradients of the tensor operands of a node of control flow, undefined where not needed.
// `grads`: of its results, undefined for zeros. Error{gradient} for a while_loop.
std::vector<Tensor> control_gradient(graph::Recorder& recorder, const graph::Node& node,
                                     const std::vector<Tensor>& grads,
                                     const std::vector<bool>& needed);

}  // namespace ridge::aot
