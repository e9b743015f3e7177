// A graph over a batch: what it does for one example, done for many at once.
//
//   graph f(%0: f32[3] "x", %1: f32[3, 2] "w") { %2 = matmul(%0, %1) : f32[2]; return %2 }
//   batch(f, {true, false}, 8)
//   graph f(%0: f32[8, 3] "x", %1: f32[3, 2] "w") { ... return %5 }       // f32[8, 2]
//
// Values that depend on a mapped input get a first dimension of the length of the batch; all others are
// computed once, as they were. Composite ops are taken apart, but for those with a gradient of their own
// (batched_node.h); of the others the batched call is found by their definition (batched_node.h).
// Control flow goes on over batched bodies as long as all examples go the same way (batched_node.h).
// What is left, an op without a batched call or a branch for each example, is a scan over the examples.
#pragma once

#include <vector>

#include "ridge/graph/graph.h"

namespace ridge {

// What examples draw from a generator that they share.
enum class Randomness : uint8_t {
  error,      // Error{state} at the op's line
  same,       // all of them the same numbers
  different,  // each its own: those of one draw for the whole batch, so not those of a loop
};

namespace aot {

struct BatchOptions {
  Size count = 0;
  Randomness randomness = Randomness::error;
};

struct BatchedGraph {
  graph::Graph graph;                // functional
  std::vector<bool> mapped_outputs;  // those that have the dimension of the batch
  std::vector<bool> mapped_updates;  // likewise: the values of `graph.updates`
};

// `is_mapped`: by input. Outputs that `forced` names are repeated where they depend on no mapped input;
// so are updates of mapped inputs.
BatchedGraph batch(graph::Graph graph, const std::vector<bool>& is_mapped,
                   const BatchOptions& options, const std::vector<bool>& forced = {});

// A value for each example, all the same.
Tensor repeated(const Tensor& value, const Size& count);

}  // namespace aot
}  // namespace ridge
