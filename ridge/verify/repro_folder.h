// The folder of a reproduction, written and read.
//
//   graph.ir, strides.txt, budget.txt, inputs.ir    what ran (repro_text.h)
//   knobs.txt     RIDGE_... as they were            version.txt, error.txt
//
// It holds the inputs of the user, so only the user can read it. Who reads one trusts nothing in it: what
// ran is verified, and of the knobs those are obeyed that decide what is computed.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ridge/base/knobs.h"
#include "ridge/graph/graph.h"
#include "ridge/graph/graph_options.h"

namespace ridge::verify {

struct Reproduction {
  graph::Graph graph;
  graph::GraphOptions options;
  std::vector<Tensor> inputs;  // on the host, in their strides; none if it was never run
  std::string knobs;
  std::string folder;  // that it was read from
};

// Throws where it cannot be written. Inputs of more than 64 MiB in all are left out.
void write_reproduction(const std::filesystem::path& folder, const graph::Graph& graph,
                        const graph::GraphOptions& options, std::span<const Tensor> inputs,
                        const std::string& what);

// Of a folder, or of its graph.ir. Error{io} where there is none, Error{parse} with file and line where
// it does not hold together; another version of Ridge is a warning.
Reproduction read_reproduction(const std::filesystem::path& path);

// Whether a reproduction may also load code, read and write files and show messages, as its knobs say.
enum class Trust : uint8_t { decisions, everything };

// The knobs of a reproduction for as long as it lives. One that is set now wins over the recorded
// one, nothing is dumped unless asked for now, and a warning names those that are left out.
class RecordedKnobs {
 public:
  RecordedKnobs(const std::string& text, Trust trust);

 private:
  std::vector<std::unique_ptr<ScopedKnob>> scopes_;
};

}  // namespace ridge::verify
