// Graphs from files, which anybody may have written.
//
//   const Graph graph = read(text, "step/graph.ir");
//   what():  step/graph.ir:2, graph f, node 0 neg: expected %1 of type f32[8], given f32[9] (parse error)
#pragma once

#include <string_view>

#include "ridge/graph/graph.h"

namespace ridge::graph {

// As `parse`, and verified: what is returned keeps the rules of graph.h. Error{parse} with file and line.
Graph read(std::string_view text, std::string_view file);

}  // namespace ridge::graph
