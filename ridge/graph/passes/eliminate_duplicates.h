// Computes what is computed twice only once.
//
// Comes in: a graph; one that writes is left alone, since equal calls may see different memory there.
// Goes out: no two nodes call one op on the same arguments, no two constants are equal. Draws of
// random numbers are equal only if they read the same state.
//
//   %1 = exp(%0)                    %1 = exp(%0)
//   %2 = exp(%0)             ->     %2 = add(%1, %1)
//   %3 = add(%1, %2)
#pragma once

#include "ridge/graph/pass.h"

namespace ridge::graph {

Graph eliminate_duplicates(Graph graph, const PassContext& context);

}  // namespace ridge::graph
