// Removes nodes and constants that no output, update or write depends on.
//
//   %1 = exp(%0)                    %1 = neg(%0)
//   %2 = neg(%0)             ->     return %1
//   return %2
#pragma once

#include "ridge/graph/pass.h"

namespace ridge::graph {

Graph eliminate_dead_code(Graph graph, const PassContext& context);

}  // namespace ridge::graph
