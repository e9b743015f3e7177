// What it costs to keep each forward value for the gradient, and to compute it again: the prices that
// `aot::partition` cuts by, taken from a plan that keeps everything.
//
// Computing a map again costs its arithmetic, since the kernel that needs it computes it; where that
// is a product or a scatter, which read memory, and for all that is no map, it costs a kernel. Keeping
// costs a read, and a write unless a forward kernel hands the value to another one anyway. What decides
// something is never computed again where that could decide otherwise (`decisive_values`).
#pragma once

#include <vector>

#include "ridge/aot/partition.h"
#include "ridge/schedule/inlined_graph.h"
#include "ridge/schedule/plan.h"

namespace ridge::recompute {

// By value of the graph; only those of forward values mean anything.
std::vector<aot::ValueCost> recompute_costs(const graph::Graph& graph, const schedule::Plan& plan);

// Picoseconds to read a byte that the program has left in memory.
double picoseconds_per_read_byte(const schedule::Plan& plan);

// Forward values that a gradient must not compute again, because a copy might decide otherwise.
//
// Sums and products over an axis have the bits of their mapping: in another kernel they may be added up
// in another order. Everything else has the same bits wherever it is computed (Note [Bits] in
// graph/graph.h). So where such a sum leads to a step (a comparison, a rounding to an integer, a
// position) that both halves take, the step or the sum is kept, whichever has fewer bytes:
//
//   s = sum(x, 1); m = x > s; y = where(m, a, b)     the gradient reads m: s is kept, m computed again
//   e = max(x * s)                                   the gradient compares x * s with e: s is kept
//
// A step that the gradient alone takes, by one sum, is free: the sign of `abs(sum(x))` near 0 is right
// either way, and keeping what leads to every relu would undo `checkpoint`.
//
// `is_backward`: by node of the program's graph.
std::vector<graph::ValueId> decisive_values(const schedule::InlinedGraph& program,
                                            const std::vector<bool>& is_backward);

}  // namespace ridge::recompute
