// The folder of a reproduction, written and read.
//
//   graph.ir      the captured graph           strides.txt   a line for each input, empty if row-major
//   budget.txt    bytes it was allowed to need, if there was a budget
//   inputs.ir     what it was run on, if it ran: a graph of constants, so that every bit is there
//   knobs.txt     RIDGE_... as they were       version.txt, error.txt
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ridge/base/knobs.h"
#include "ridge/driver/pipeline.h"

namespace ridge::driver {

struct Reproduction {
  graph::Graph graph;
  GraphOptions options;
  std::vector<Tensor> inputs;  // on the host, in their strides; none if it was never run
  std::string knobs;
};

// Throws where it cannot be written. Inputs of more than 64 MiB in all are left out.
void write_reproduction(const std::filesystem::path& folder, const graph::Graph& graph,
                        const GraphOptions& options, std::span<const Tensor> inputs,
                        const std::string& what);

// Of a folder, or of its graph.ir. Error{io} where there is none; another version of Ridge is a
// warning.
Reproduction read_reproduction(const std::filesystem::path& path);

// The knobs of a reproduction for as long as it lives. One that is set now wins over the recorded
// one, and nothing is dumped unless asked for now.
class RecordedKnobs {
 public:
  explicit RecordedKnobs(const std::string& text);

 private:
  std::vector<std::unique_ptr<ScopedKnob>> scopes_;
};

}  // namespace ridge::driver
