// Which inputs a captured graph writes.
#pragma once

#include <map>

#include "ridge/graph/graph.h"

namespace ridge::capture {

// The inputs whose memory some node writes, each with the first such node.
std::map<graph::ValueId, const graph::Node*> written_inputs(const graph::Graph& graph);

}  // namespace ridge::capture
