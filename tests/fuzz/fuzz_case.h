// A case of the fuzzer: a graph, and the data its inputs are filled with.
//
// The data follow from a seed and the names of the inputs, so the text of a graph and a number are
// all that a failure needs to be run again:
//
//   # data seed: 42 with gradients
//   graph case(%0: f32[3, 5] "grid_0_transposed", %1: i64[7] "index5_1") { ... }
//
// A name is a kind, a number, and for inputs that are not row-major a layout.
//   grid       eighths in [-2, 2], whole numbers in [-4, 4]: sums and products of few are exact
//   fine       any number in [-2, 2]
//   positive   eighths in (0, 3]
//   special    fine ones, with zeros of both signs, infinities and NaN among them
//   index5     whole numbers in [0, 5)
//   eighths-8to4    eighths in [-1, 1/2]
//   transposed, spaced    the first dimension next in memory; gaps between elements
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ridge/graph/graph.h"

namespace ridge::fuzz {

struct Case {
  graph::Graph graph;
  uint64_t data_seed = 0;
  bool has_gradients = false;  // what runs is the graph with its gradients (random_graph.h)
};

// The tensor for an input of this type and name.
Tensor make_input(const graph::Type& type, const std::string& name, uint64_t data_seed);
// Fresh tensors for all inputs.
std::vector<Tensor> make_inputs(const Case& given);

std::string to_text(const Case& given);
Case parse_case(std::string_view text);

// Sizes as numbers; the graphs of the fuzzer have no symbols.
int64_t known(const Size& size);
int64_t elements_of(const Shape& shape);

}  // namespace ridge::fuzz
