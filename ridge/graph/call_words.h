// All that a call means but for the values that it reads: the op, the types of its operands, and what else
// it was given. Layers are alike, so most nodes of a program repeat another one in all of that.
#pragma once

#include <cstdint>
#include <vector>

#include "ridge/graph/graph.h"

namespace ridge::graph {

// Within one process: ops and bodies are told apart by address.
using CallWords = std::vector<uint64_t>;

CallWords call_words(const Graph& graph, const Node& node);

struct CallWordsHash {
  size_t operator()(const CallWords& words) const;
};

}  // namespace ridge::graph
