#include "tests/fuzz/graph_cut.h"

#include <vector>

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/graph/recorder.h"
#include "tests/fuzz/fuzz_case.h"

namespace ridge::fuzz {
namespace {

using graph::Graph;
using graph::Node;
using graph::ValueId;

size_t at(ValueId id) { return static_cast<size_t>(id.index); }

// Values that outputs, updates or writes depend on.
std::vector<bool> needed_values(const Graph& graph) {
  std::vector<bool> is_needed(graph.values.size());
  for (const ValueId id : graph.outputs) is_needed[at(id)] = true;
  for (const auto& update : graph.updates) {
    is_needed[at(update.input)] = is_needed[at(update.value)] = true;
  }
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    bool is_wanted = node.token > 0;
    for (const ValueId id : node.results) is_wanted |= is_needed[at(id)];
    if (!is_wanted) continue;
    for (const ValueId id : node.results) is_needed[at(id)] = true;
    for (const ValueId id : graph::operands(node)) is_needed[at(id)] = true;
  }
  return is_needed;
}

// Copies what is needed; positions change.
Graph compacted(const Graph& graph) {
  const std::vector<bool> is_needed = needed_values(graph);
  std::vector<ValueId> place(graph.values.size());
  Graph result;
  result.name = graph.name;
  for (size_t i = 0; i < graph.values.size(); ++i) {
    if (!is_needed[i]) continue;
    place[i] = {static_cast<int32_t>(result.values.size())};
    result.values.push_back(graph.values[i]);
  }
  const auto moved = [&](ValueId id) { return place[at(id)]; };
  for (graph::Value& value : result.values) {
    if (value.alias) value.alias = moved(*value.alias);
    if (value.alias && value.alias->index < 0) value.alias.reset();
  }
  for (const Node& node : graph.nodes) {
    if (!is_needed[at(node.results[0])]) continue;
    Node copy = node;
    graph::replace_operands(copy, moved);
    for (ValueId& id : copy.results) {
      id = moved(id);
      result[id].node = static_cast<int32_t>(result.nodes.size());
    }
    result.nodes.push_back(std::move(copy));
  }
  for (const ValueId id : graph.inputs) {
    if (is_needed[at(id)]) result.inputs.push_back(moved(id));
  }
  for (const ValueId id : graph.outputs) result.outputs.push_back(moved(id));
  for (const auto& update : graph.updates) {
    result.updates.push_back({moved(update.input), moved(update.value)});
  }
  return result;
}

template <class Sizes>
void substitute(Sizes& sizes, int64_t from, int64_t to) {
  for (auto& size : sizes) {
    if (size == from) size = to;
  }
}

std::string resized_name(const std::string& name, int64_t from, int64_t to) {
  const std::string prefix = concat("index", from, "_");
  return name.substr(0, prefix.size()) == prefix
             ? concat("index", to, "_", name.substr(prefix.size()))
             : name;
}

}  // namespace

Graph with_outputs(const Graph& graph, const graph::ValueIds& outputs) {
  Graph result = graph;
  result.outputs = outputs;
  return compacted(result);
}

Graph with_replaced(const Graph& graph, ValueId value, ValueId by) {
  Graph result = graph;
  const auto replacement = [&](ValueId id) { return id == value ? by : id; };
  for (Node& node : result.nodes) graph::replace_operands(node, replacement);
  for (ValueId& id : result.outputs) id = replacement(id);
  for (auto& update : result.updates) update.value = replacement(update.value);
  for (graph::Value& other : result.values) {
    if (other.alias) other.alias = replacement(*other.alias);
  }
  // A node that writes is never dead by itself.
  const int32_t maker = graph[value].node;
  if (maker >= 0 && graph.nodes[static_cast<size_t>(maker)].token > 0) {
    result.nodes.erase(result.nodes.begin() + maker);
    for (size_t i = 0; i < result.nodes.size(); ++i) {
      for (const ValueId id : result.nodes[i].results) result[id].node = static_cast<int32_t>(i);
    }
  }
  return compacted(result);
}

Graph with_input_for(const Graph& graph, ValueId value) {
  Graph result = graph;
  const ValueId input = result.add_input(graph[value].type, concat("grid_", value.index, "_cut"));
  return with_replaced(result, value, input);
}

std::optional<Graph> with_size(const Graph& graph, int64_t from, int64_t to) {
  Graph result;
  result.name = graph.name;
  graph::Recorder recorder(result);
  std::vector<Tensor> stand_ins(graph.values.size());
  for (const ValueId id : graph.inputs) {
    graph::Type type = graph[id].type;
    substitute(type.shape, from, to);
    stand_ins[at(id)] = recorder.input(type, resized_name(graph[id].name, from, to));
  }
  try {
    const graph::Recorder::Scope scope(recorder);
    const auto tensor = [&](ValueId id) {
      Tensor& stand_in = stand_ins[at(id)];
      if (!stand_in.defined()) stand_in = recorder.constant(graph[id].constant);
      return stand_in;
    };
    for (const Node& node : graph.nodes) {
      Node copy = node;
      for (graph::Argument& arg : copy.args) {
        if (auto* shape = std::get_if<Shape>(&arg)) substitute(*shape, from, to);
      }
      const graph::BoundArguments bound(copy, tensor);
      const dispatch::Tensors results = dispatch::call_values(*node.op, bound.args(), node.where);
      for (size_t i = 0; i < results.size(); ++i) stand_ins[at(node.results[i])] = results[i];
    }
    for (const ValueId id : graph.outputs) result.outputs.push_back(recorder.id(tensor(id)));
    for (const auto& update : graph.updates) {
      result.updates.push_back(
          {recorder.id(tensor(update.input)), recorder.id(tensor(update.value))});
    }
  } catch (const Error&) {
    return std::nullopt;
  }
  return compacted(result);
}

}  // namespace ridge::fuzz
