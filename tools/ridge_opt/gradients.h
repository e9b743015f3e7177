// A graph with its gradients, as a function that computes both would be captured.
#pragma once

#include "ridge/graph/graph.h"

namespace ridge::opt {

// Further inputs: a gradient for each floating output. Further outputs: the gradients of the floating
// inputs. Error{gradient} for an op that has none.
graph::Graph with_gradients(graph::Graph graph);

}  // namespace ridge::opt
