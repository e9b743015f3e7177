// Valid graphs made from another by leaving something out.
#pragma once

#include <optional>

#include "ridge/graph/graph.h"

namespace ridge::fuzz {

// The graph with only these outputs, and nodes, constants and inputs that nobody needs removed.
graph::Graph with_outputs(const graph::Graph& graph, const graph::ValueIds& outputs);

// The graph with each use of a value replaced by another one of the same type that comes before.
graph::Graph with_replaced(const graph::Graph& graph, graph::ValueId value, graph::ValueId by);
// The same with a new input in its place.
graph::Graph with_input_for(const graph::Graph& graph, graph::ValueId value);

// The graph with sizes `from` of inputs and of arguments changed to `to`, and all types found anew.
// Nothing if the calls do not fit such sizes.
std::optional<graph::Graph> with_size(const graph::Graph& graph, int64_t from, int64_t to);

}  // namespace ridge::fuzz
