// The text of a reproduction, and what it says: whoever wrote it, it is verified before it is used.
//
//   graph.ir      the captured graph           strides.txt   a line for each input, empty if row-major
//   budget.txt    bytes it was allowed to need, if there was a budget
//   inputs.ir     what it was run on, if it ran: a graph of constants, so that every bit is there
//
// Afterwards the graph keeps the rules of graph.h; there are no inputs, or one of the right dtype and
// sizes for each that the graph has; strides are of the right number, and of no memory but the input's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ridge/graph/graph.h"

namespace ridge::verify {

using InputStrides = std::vector<std::optional<Shape>>;

// What stands in the files, and the names that errors give them. An empty one is not there.
struct ReproductionText {
  struct File {
    std::string name;
    std::string text;
  };
  File graph, inputs, strides, budget;
};

struct RecordedRun {
  graph::Graph graph;
  InputStrides strides;        // as far as they are written down
  std::vector<Tensor> inputs;  // on the host, in their strides; none if it was never run
  int64_t memory_budget = 0;
};

// Error{parse} with file and line. Where there are inputs, their sizes take the place of symbols: what
// was only guarded for the sizes of the capture is verified for these.
RecordedRun parse_recorded_run(const ReproductionText& text);

// The same elements, `strides` apart in memory of their own. Error{value} where strides are symbolic or
// negative.
Tensor with_strides(const Tensor& value, const Shape& strides);

// Of tensors, or of a program that was never run, for any sizes.
std::string strides_text(std::span<const Tensor> inputs);
std::string strides_text(const InputStrides& strides);
// A graph of constants.
std::string inputs_text(std::span<const Tensor> inputs);

}  // namespace ridge::verify
