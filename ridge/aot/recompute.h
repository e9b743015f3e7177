// The graph in which what gradients do not keep is computed again, as a partition says.
//
//   y = exp(x) ; z = y * y ; dz ... backward: dy = dz * y
//   y not kept:  y = exp(x) ; z = y * y ; y' = exp(x) recomputed ; dy = dz * y' backward
//
// A copy stands before the first gradient node that needs it, marked `recomputed`. Nodes of values that
// are kept are marked `kept`, every node that depends on a gradient `backward`, unless it is of an
// optimizer; no mark changes what is computed.
#pragma once

#include "ridge/aot/partition.h"
#include "ridge/graph/graph.h"

namespace ridge::aot {

graph::Graph recompute(const graph::Graph& graph, const Partition& partition);

}  // namespace ridge::aot
