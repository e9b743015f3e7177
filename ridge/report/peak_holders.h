// Who holds the memory of a program when it needs the most: for `explain`.
#pragma once

#include <string>
#include <vector>

#include "ridge/schedule/plan.h"

namespace ridge::report {

struct Holder {
  graph::ValueId value;
  std::string op;     // what made it
  std::string scope;  // for which layer
  graph::Type type;
  int64_t bytes = 0;
  int64_t calls = 0;  // kernels from the one that writes it to the last one that reads it
};

struct Peak {
  std::string kernel;           // at which most is held
  int64_t live_bytes = 0;       // then, without gaps between them
  std::vector<Holder> holders;  // largest first, then those held longest
};

// In: a plan of the graph. Temporaries and outputs, from their first kernel to their last.
Peak find_peak(const schedule::Plan& plan, const graph::Graph& graph);

}  // namespace ridge::report
