#include <algorithm>

#include "ridge/dispatch/call.h"
#include "ridge/graph/control.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/graph/recorder.h"
#include "ridge/graph/rewriter.h"
#include "ridge/ops/record.h"

namespace ridge::graph {

namespace {

// Calls the op of a node again, into the new graph.
void record_again(const Node& node, Rewriter& rewriter, Recorder& recorder) {
  recorder.set_origin(node.where, node.scope);
  recorder.set_phase(node.phase);
  recorder.set_region(node.region);
  const Recorder::Scope scope(recorder);
  const BoundArguments bound(node, [&](ValueId id) { return recorder.fake(rewriter[id]); });
  const dispatch::Tensors results = dispatch::call_values(*node.op, bound.args(), node.where);
  for (size_t i = 0; i < results.size(); ++i) {
    rewriter.map(node.results[i], recorder.id(results[i], node.where));
  }
}

// Does it name memory, which is another value's once views are expanded?
bool names_memory(const Graph& graph, const Node& node) {
  return writes(*node.op) ||
         std::ranges::any_of(node.results, [&](ValueId id) { return graph[id].alias.has_value(); });
}

}  // namespace

bool is_composite(const dispatch::Operator& op) {
  const ops::OpRecord* record = op.record();
  return record != nullptr && record->op == &op && static_cast<bool>(record->decompose);
}

Graph expand_nodes(Graph graph, const std::function<bool(const Node&)>& is_expanded,
                   const std::function<bool(const dispatch::Operator&)>& expands) {
  install_recorder();
  Rewriter rewriter(graph);
  Recorder recorder(rewriter.graph());
  const bool has_writes = !is_functional(graph);
  for (Node& node : graph.nodes) {
    const bool is_chosen = is_expanded(node);
    recorder.set_expands(is_chosen ? expands : nullptr);
    if (is_chosen || (has_writes && !is_control(node) && names_memory(graph, node))) {
      record_again(node, rewriter, recorder);  // aliases have to follow from the new views
    } else {
      rewriter.move(node);
    }
  }
  return rewriter.finish();
}

Graph decompose(Graph graph, const PassContext& context) {
  const auto is_expanded = [](const Node& node) { return is_composite(*node.op); };
  if (std::ranges::none_of(graph.nodes, is_expanded)) return graph;
  const bool was_functional = is_functional(graph);
  Graph parts = expand_nodes(std::move(graph), is_expanded, is_composite);
  // What a function with a gradient of its own is made of may write to memory of its own.
  if (was_functional && !is_functional(parts)) return functionalize(std::move(parts), context);
  return parts;
}

}  // namespace ridge::graph
