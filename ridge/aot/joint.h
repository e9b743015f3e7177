// A graph with its gradients, and the forward and backward graphs it is split into.
//
//   forward:   inputs                    -> outputs, saved
//   backward:  output gradients, saved   -> gradients of the inputs asked for
//
// `differentiate_split` saves everything that the backward graph reads of the forward graph. The
// other way is in steps: `join_gradients` gives the joint graph, which passes simplify; aot/partition.h decides what
// its backward nodes read, and `split` takes it apart by the phases of its nodes.
#pragma once

#include "ridge/graph/graph.h"

namespace ridge::aot {

struct ForwardBackward {
  graph::Graph forward;   // outputs: those of the graph, then what is saved
  graph::Graph backward;  // inputs: a gradient for each of `outputs`, then what is saved
  size_t saved_count = 0;
};

// `outputs` and `wrt` are positions among the outputs and inputs of the graph. In: a graph as
// `prepare` makes it; its updates are those of the forward graph.
ForwardBackward differentiate_split(graph::Graph graph, const std::vector<size_t>& outputs,
                                    const std::vector<size_t>& wrt);

// The joint graph: forward and backward as one. Its inputs are those of the graph, then a gradient for each of `outputs`;
// its outputs those of the graph, then the gradients of `wrt`.
struct Joint {
  graph::Graph graph;
  size_t input_count = 0;   // of the forward graph
  size_t output_count = 0;  // likewise
};
Joint join_gradients(graph::Graph graph, const std::vector<size_t>& outputs,
                     const std::vector<size_t>& wrt);

// What a joint graph is made of.
struct SplitGraphs {
  graph::Graph forward;   // outputs: those of the joint graph's forward graph, then what is saved
  graph::Graph backward;  // inputs: gradients of outputs, inputs that are read again, what is saved
  std::vector<size_t> read_again;  // positions among the inputs of the forward graph
  std::vector<size_t> saved;       // positions among its outputs, which may be results too
  size_t output_count = 0;         // outputs that are results
};
// Updates are the forward graph's: an input that it updates is saved as it was before.
SplitGraphs split(const Joint& joint);

}  // namespace ridge::aot
