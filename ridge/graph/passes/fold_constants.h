// Computes what depends on constants only, while compiling.
//
// A node whose tensor operands are all constants becomes constants, if its results are small (at most
// 64 elements) and of the type the node gives, so that promotion further on is as before. What cannot
// be computed, such as an index out of range, stays for the program to report. A graph that writes is
// left alone.
//
//   %1 = constant 2 : i64[] weak         %1 = constant 1.4142135 : f32[]
//   %2 = sqrt(%1) : f32[]           ->
#pragma once

#include "ridge/graph/pass.h"

namespace ridge::graph {

Graph fold_constants(Graph graph, const PassContext& context);

}  // namespace ridge::graph
