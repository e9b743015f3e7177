// Removes calls that change nothing, and merges chains of views.
//
// Only rewrites that keep every result bit for bit, whatever the values: x * 1 is x, and x + 0 is not,
// because -0 + 0 is 0. The rules stand as a table in simplify_algebra.cpp. A graph that writes is
// left alone.
//
//   %1 = permute(%0, [1, 0])
//   %2 = permute(%1, [1, 0])        ->     %1 = mul(%0, %0)
//   %3 = mul(%2, %0)
#pragma once

#include "ridge/graph/pass.h"

namespace ridge::graph {

Graph simplify_algebra(Graph graph, const PassContext& context);

}  // namespace ridge::graph
