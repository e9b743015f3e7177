// A loss that leaves out a parameter: mostly a mistake, which zeros would hide.
#pragma once

#include "ridge/graph/graph.h"

namespace ridge::aot {

// Error{gradient} that names the first of the inputs that the value does not depend on. An input counts
// as used by what reads it, whether its gradient is zero or not.
void check_used(const graph::Graph& graph, graph::ValueId value, const graph::ValueIds& inputs,
                Location where);

}  // namespace ridge::aot
