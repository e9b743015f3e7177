#include "gradients.h"

#include "ridge/aot/differentiate.h"
#include "ridge/aot/joint.h"

namespace ridge::opt {

graph::Graph with_gradients(graph::Graph graph) {
  const auto floating = [&](const graph::ValueIds& values) {
    std::vector<size_t> positions;
    for (size_t i = 0; i < values.size(); ++i) {
      if (is_floating(graph[values[i]].type.dtype)) positions.push_back(i);
    }
    return positions;
  };
  const std::vector<size_t> wrt = floating(graph.inputs), outputs = floating(graph.outputs);
  return aot::join_gradients(aot::prepare(std::move(graph), wrt), outputs, wrt).graph;
}

}  // namespace ridge::opt
