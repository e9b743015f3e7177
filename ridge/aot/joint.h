// A graph with its gradients, and its two halves.
//
//   forward:   inputs                    -> outputs, saved
//   backward:  output gradients, saved   -> gradients of the inputs asked for
//
// Everything that the backward half reads of the forward half is saved.
#pragma once

#include "ridge/graph/graph.h"

namespace ridge::aot {

struct Halves {
  graph::Graph forward;   // outputs: those of the graph, then what is saved
  graph::Graph backward;  // inputs: a gradient for each of `outputs`, then what is saved
  size_t saved_count = 0;
};

// `outputs` and `wrt` are positions among the outputs and inputs of the graph. In: a graph as
// `prepare` makes it; its updates are those of the forward half.
Halves differentiate_in_halves(graph::Graph graph, const std::vector<size_t>& outputs,
                               const std::vector<size_t>& wrt);

}  // namespace ridge::aot
