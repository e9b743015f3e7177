// A case as a graph of one node, compiled and run on a device.
#pragma once

#include "cases.h"
#include "ridge/graph/graph.h"

namespace ridge::testing {

struct RecordedCase {
  graph::Graph graph;
  std::vector<Tensor> inputs;  // on the device
};
RecordedCase record(const OpCase& c, Device device);

// Results are on the CPU.
dispatch::Tensors run_compiled(const OpCase& c, Device device);

}  // namespace ridge::testing
