#include "ridge/graph/passes/eliminate_dead_code.h"

#include <algorithm>

#include "ridge/graph/rewriter.h"

namespace ridge::graph {

Graph eliminate_dead_code(Graph graph, const PassContext&) {
  std::vector<bool> is_read(graph.values.size());
  const auto mark = [&](ValueId id) { is_read[static_cast<size_t>(id.index)] = true; };
  for (const ValueId id : graph.outputs) mark(id);
  for (const Update& u : graph.updates) mark(u.value);
  std::vector<bool> is_live(graph.nodes.size());
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    is_live[i] = node.token > 0 || std::ranges::any_of(node.results, [&](ValueId id) {
                   return is_read[static_cast<size_t>(id.index)];
                 });
    if (is_live[i]) std::ranges::for_each(operands(node), mark);
  }
  Rewriter rewriter(graph);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (is_live[i]) rewriter.move(graph.nodes[i]);
  }
  return rewriter.finish();
}

}  // namespace ridge::graph
