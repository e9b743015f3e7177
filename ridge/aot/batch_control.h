// Control flow over a batch.
//
//   cond by one condition for all examples, scan     the same, over batched bodies
//   while_loop with one condition for all            likewise
//   where examples go different ways                 a scan over the examples, each on its own
#pragma once

#include "ridge/aot/batch.h"
#include "ridge/graph/recorder.h"

namespace ridge::aot {

// Does it draw random numbers, itself or in a body?
bool draws(const graph::Node& node);

struct MappedResults {
  std::vector<Tensor> tensors;
  std::vector<bool> is_mapped;
};

// Records a node of control flow of `old` over the batch. `given` stand for its operands in the graph of
// the recorder; those that are mapped have the dimension of the batch in front.
MappedResults batched_control(graph::Recorder& recorder, const graph::Graph& old,
                              const graph::Node& node, const std::vector<bool>& is_mapped,
                              const std::vector<Tensor>& given, const BatchOptions& options);

// Records any node as a scan over the examples; all results are mapped. Error{state} for one that draws
// random numbers in a way that options forbid.
std::vector<Tensor> scan_examples(graph::Recorder& recorder, const graph::Graph& old,
                                  const graph::Node& node, const std::vector<bool>& is_mapped,
                                  const std::vector<Tensor>& given, const BatchOptions& options);

}  // namespace ridge::aot
