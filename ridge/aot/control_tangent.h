// Tangents of control flow: the same control flow over bodies that carry tangents along.
//
//   y = cond(p, f, g, x)           y, dy = cond(p, jvp of f, jvp of g, x, dx)
//   h, ys = scan(f, h0, xs)        h, dh, ys, dys = scan(jvp of f, {h0, dh0}, {xs, dxs})
//   s = while_loop(c, f, s0)       s, ds = while_loop(c, jvp of f, {s0, ds0})
#pragma once

#include "ridge/graph/graph.h"
#include "ridge/graph/recorder.h"

namespace ridge::aot {

// Records the node, over values of the recorder's graph, with tangents: of its tensor operands in
// order, undefined for zeros. Returns its results, then the tangent of each, undefined where it has
// none.
std::vector<Tensor> control_tangents(graph::Recorder& recorder, const graph::Node& node,
                                     const std::vector<Tensor>& tangents);

}  // namespace ridge::aot
