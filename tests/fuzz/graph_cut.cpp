#include "tests/fuzz/graph_cut.h"

#include <vector>

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/graph/control.h"
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

using TensorOf = std::function<Tensor(ValueId)>;

using Types = std::vector<graph::Type>;
Graph resized(const Graph& graph, int64_t from, int64_t to, const Types& inputs);

dispatch::Tensors call(const Node& node, const TensorOf& tensor) {
  const graph::BoundArguments bound(node, tensor);
  return dispatch::call_values(*node.op, bound.args(), node.where);
}

// What the bodies of a node are given, by what its operands are.
Types body_inputs(const Graph& graph, const graph::ControlParts& parts) {
  Types types;
  for (const ValueId id : parts.carry) types.push_back(graph[id].type);
  for (const ValueId id : parts.xs) types.push_back(graph::element_of(graph[id].type));
  for (const ValueId id : parts.inputs) types.push_back(graph[id].type);
  return types;
}

dispatch::Tensors add_control(graph::Recorder& recorder, Node node, const TensorOf& tensor,
                              int64_t from, int64_t to) {
  graph::replace_operands(node, [&](ValueId id) { return recorder.id(tensor(id)); });
  const Types inputs = body_inputs(recorder.graph(), graph::control_parts(node));
  for (graph::Argument& arg : node.args) {
    auto* body = std::get_if<graph::Body>(&arg);
    if (body != nullptr) *body = std::make_shared<const Graph>(resized(**body, from, to, inputs));
  }
  Types types = graph::control_parts(node).result_types();
  const dispatch::Tensors results =
      recorder.add_node(*node.op, std::move(node.args), std::move(types), node.where);
  graph::verify_bodies(recorder.graph(), recorder.graph().nodes.back());
  return results;
}

// With every input and node it had. An error if the calls do not fit such sizes.
Graph resized(const Graph& graph, int64_t from, int64_t to, const Types& inputs) {
  Graph result;
  result.name = graph.name;
  graph::Recorder recorder(result);
  std::vector<Tensor> fakes(graph.values.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ValueId id = graph.inputs[i];
    fakes[at(id)] = recorder.input(inputs[i], resized_name(graph[id].name, from, to));
  }
  const graph::Recorder::Scope scope(recorder);
  const TensorOf tensor = [&](ValueId id) {
    Tensor& fake = fakes[at(id)];
    if (!fake.defined()) fake = recorder.constant(graph[id].constant);
    return fake;
  };
  for (const Node& node : graph.nodes) {
    Node copy = node;
    for (graph::Argument& arg : copy.args) {
      if (auto* shape = std::get_if<Shape>(&arg)) substitute(*shape, from, to);
    }
    const dispatch::Tensors results = graph::is_control(node)
                                          ? add_control(recorder, copy, tensor, from, to)
                                          : call(copy, tensor);
    for (size_t i = 0; i < results.size(); ++i) fakes[at(node.results[i])] = results[i];
  }
  for (const ValueId id : graph.outputs) result.outputs.push_back(recorder.id(tensor(id)));
  for (const auto& update : graph.updates) {
    result.updates.push_back(
        {recorder.id(tensor(update.input)), recorder.id(tensor(update.value))});
  }
  return result;
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
  Types inputs;
  for (const ValueId id : graph.inputs) {
    inputs.push_back(graph[id].type);
    substitute(inputs.back().shape, from, to);
  }
  try {
    return compacted(resized(graph, from, to, inputs));
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace ridge::fuzz
