// Which inputs a captured graph writes.
#pragma once

#include <map>

#include "ridge/graph/graph.h"

namespace ridge::capture {

// The inputs whose memory some node writes, each with the first such node.
std::map<graph::ValueId, const graph::Node*> written_inputs(const graph::Graph& graph);

// The value whose memory a value is in: an input, a constant or what some node made.
graph::ValueId memory_of(const graph::Graph& graph, graph::ValueId id);

}  // namespace ridge::capture
