// A graph with its gradients, and its two halves.
//
//   forward:   inputs                    -> outputs, saved
//   backward:  output gradients, saved   -> gradients of the inputs asked for
//
// `differentiate_in_halves` saves everything that the backward half reads of the forward half. The
// other way is in steps: `join_gradients` gives both halves as one graph, which passes simplify and
// aot/partition.h decides about, and `split` takes it apart where its nodes are marked.
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

// Both halves as one graph. Its inputs are those of the graph, then a gradient for each of `outputs`;
// its outputs those of the graph, then the gradients of `wrt`.
struct Joint {
  graph::Graph graph;
  size_t input_count = 0;   // of the forward half
  size_t output_count = 0;  // likewise
};
Joint join_gradients(graph::Graph graph, const std::vector<size_t>& outputs,
                     const std::vector<size_t>& wrt);

// What a joint graph is made of.
struct SplitHalves {
  graph::Graph forward;   // outputs: those of the joint graph's forward half, then what is saved
  graph::Graph backward;  // inputs: gradients of outputs, inputs that are read again, what is saved
  std::vector<size_t> read_again;  // positions among the inputs of the forward half
  std::vector<size_t> saved;       // positions among its outputs, which may be results too
  size_t output_count = 0;         // outputs that are results
};
// Updates are the forward half's: an input that it updates is saved as it was before.
SplitHalves split(const Joint& joint);

}  // namespace ridge::aot
