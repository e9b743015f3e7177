#include "ridge/graph/rewriter.h"

#include <utility>

#include "ridge/base/text.h"

namespace ridge::graph {

Rewriter::Rewriter(const Graph& old) : old_(old), values_(old.values.size()) {
  graph_.name = old.name;
  graph_.values.reserve(old.values.size());
  graph_.nodes.reserve(old.nodes.size());
  for (const ValueId id : old.inputs) {
    map(id, graph_.add_input(old[id].type, old[id].name));
    graph_.values.back().strides = old[id].strides;
  }
}

bool Rewriter::is_mapped(ValueId old) const {
  return values_[static_cast<size_t>(old.index)].index >= 0;
}

ValueId Rewriter::operator[](ValueId old) {
  ValueId& now = values_[static_cast<size_t>(old.index)];
  if (now.index < 0 && old_[old].constant.defined()) now = graph_.add_constant(old_[old].constant);
  RIDGE_INTERNAL_CHECK(now.index >= 0, concat("%", old.index, " is read, but was left out"));
  return now;
}

void Rewriter::map(ValueId old, ValueId now) { values_[static_cast<size_t>(old.index)] = now; }

Node Rewriter::translated(const Node& node) {
  Node now = node;
  now.results.clear();
  replace_operands(now, [this](ValueId id) { return (*this)[id]; });
  return now;
}

Node Rewriter::taken(Node& node) {
  Node now{.op = node.op,
           .args = std::move(node.args),
           .where = node.where,
           .scope = std::move(node.scope),
           .token = node.token,
           .phase = node.phase,
           .region = node.region,
           .forms = node.forms,
           .rounds = node.rounds};
  replace_operands(now, [this](ValueId id) { return (*this)[id]; });
  return now;
}

int32_t Rewriter::add(Node node, const ValueIds& old_results) {
  const auto position = static_cast<int32_t>(graph_.nodes.size());
  node.results.clear();
  for (const ValueId id : old_results) {
    const Value& old = old_[id];
    const ValueId now{static_cast<int32_t>(graph_.values.size())};
    Value& value = graph_.values.emplace_back(old.type, old.name, position);
    value.result = static_cast<int32_t>(node.results.size());
    if (old.alias) value.alias = values_[static_cast<size_t>(old.alias->index)];
    node.results.push_back(now);
    map(id, now);
  }
  graph_.nodes.push_back(std::move(node));
  return position;
}

Graph Rewriter::finish() {
  for (const ValueId id : old_.outputs) graph_.outputs.push_back((*this)[id]);
  for (const Update& u : old_.updates)
    graph_.updates.push_back({(*this)[u.input], (*this)[u.value]});
  if (is_functional(graph_)) forget_memory(graph_);
  return std::move(graph_);
}

}  // namespace ridge::graph
