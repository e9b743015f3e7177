// What it costs to keep each forward value for the gradient, and to compute it again: the prices that
// `aot::partition` cuts by, taken from a plan that keeps everything.
//
// Computing a map again costs its arithmetic, since the kernel that needs it computes it; where that
// is a product or a scatter, which read memory, and for all that is no map, it costs a kernel. Keeping
// costs a read, and a write unless a forward kernel hands the value to another one anyway. What decides
// something is never computed again where that could decide otherwise (decisive_values.h).
#pragma once

#include <vector>

#include "ridge/aot/partition.h"
#include "ridge/schedule/plan.h"

namespace ridge::recompute {

// By value of the graph; only those of forward values mean anything.
std::vector<aot::ValueCost> recompute_costs(const graph::Graph& graph, const schedule::Plan& plan);

// Picoseconds to read a byte that the program has left in memory.
double picoseconds_per_read_byte(const schedule::Plan& plan);

}  // namespace ridge::recompute
