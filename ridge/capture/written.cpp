#include "ridge/capture/written.h"

#include <algorithm>

namespace ridge::capture {

using graph::ValueId;

ValueId memory_of(const graph::Graph& graph, ValueId id) {
  while (graph[id].alias) id = *graph[id].alias;
  return id;
}

std::map<ValueId, const graph::Node*> written_inputs(const graph::Graph& graph) {
  std::map<ValueId, const graph::Node*> written;
  for (const graph::Node& node : graph.nodes) {
    const auto& parameters = node.op->schema().parameters;
    for (size_t i = 0; i < node.args.size(); ++i) {
      const ValueId* operand = std::get_if<ValueId>(&node.args[i]);
      if (operand == nullptr || !parameters[i].alias.is_write) continue;
      const ValueId memory = memory_of(graph, *operand);
      if (std::ranges::find(graph.inputs, memory) != graph.inputs.end()) {
        written.try_emplace(memory, &node);
      }
    }
  }
  return written;
}

}  // namespace ridge::capture
