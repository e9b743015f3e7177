#include <algorithm>
#include <functional>
#include <utility>

#include "ridge/graph/passes/passes.h"
#include "ridge/graph/rewriter.h"

namespace ridge::graph {

namespace {

// Are the values in the order in which a rewriter would add them, each of them, and without memory
// that means nothing? Then a graph of the same nodes would be the same graph.
class Order {
 public:
  explicit Order(const Graph& graph) : graph_(graph), is_seen_(graph.values.size()) {}

  bool is_usual() {
    std::ranges::for_each(graph_.inputs, [&](ValueId id) { add(id); });
    for (const Node& node : graph_.nodes) {
      for (const Argument& arg : node.args) {
        if (const auto* id = std::get_if<ValueId>(&arg)) read(*id);
        if (const auto* ids = std::get_if<ValueIds>(&arg)) std::ranges::for_each(*ids, reads());
      }
      for (const ValueId id : node.results) add(id);
    }
    std::ranges::for_each(graph_.outputs, reads());
    for (const Update& update : graph_.updates) {
      read(update.input);
      read(update.value);
    }
    return is_usual_ && std::cmp_equal(next_, graph_.values.size()) && !has_memory();
  }

 private:
  std::function<void(ValueId)> reads() {
    return [this](ValueId id) { read(id); };
  }
  void read(ValueId id) {
    const bool is_first = graph_[id].constant.defined() && !is_seen_[static_cast<size_t>(id.index)];
    if (is_first) add(id);
  }
  void add(ValueId id) {
    is_seen_[static_cast<size_t>(id.index)] = true;
    is_usual_ &= id.index == next_++;
  }
  bool has_memory() const {
    return is_functional(graph_) && std::ranges::any_of(graph_.values, [](const Value& value) {
             return value.alias.has_value() || value.strides.has_value();
           });
  }

  const Graph& graph_;
  std::vector<bool> is_seen_;
  int32_t next_ = 0;
  bool is_usual_ = true;
};

}  // namespace

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
    if (!is_live[i]) continue;
    for (const Argument& arg : node.args) {
      if (const auto* id = std::get_if<ValueId>(&arg)) mark(*id);
      if (const auto* ids = std::get_if<ValueIds>(&arg)) std::ranges::for_each(*ids, mark);
    }
  }
  if (std::ranges::find(is_live, false) == is_live.end() && Order(graph).is_usual()) return graph;
  Rewriter rewriter(graph);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (is_live[i]) rewriter.move(graph.nodes[i]);
  }
  return rewriter.finish();
}

}  // namespace ridge::graph
