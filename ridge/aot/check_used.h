// A loss that leaves out a parameter: mostly a mistake, which zeros would hide.
#pragma once

#include "ridge/graph/graph.h"

namespace ridge::aot {

// Error{gradient} that names the first of the inputs that the value does not depend on. An input counts
// as used by what reads it, whether its gradient is zero or not. `given`: for each input the tensor of the
// call. In a program that is being captured an argument of it goes by the name that it has there.
void check_used(const graph::Graph& graph, graph::ValueId value, const graph::ValueIds& inputs,
                const std::vector<Tensor>& given, Location where);

}  // namespace ridge::aot
