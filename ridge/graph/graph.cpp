#include "ridge/graph/graph.h"

#include <algorithm>

#include "ridge/core/device_copy.h"
#include "ridge/graph/control.h"

namespace ridge::graph {

namespace {

ValueId add_value(Graph& graph, Value value) {
  graph.values.push_back(std::move(value));
  return {static_cast<int32_t>(graph.values.size() - 1)};
}

}  // namespace

ValueId Graph::add_input(Type type, std::string input_name) {
  Value value;
  value.type = std::move(type);
  value.name = std::move(input_name);
  const ValueId id = add_value(*this, std::move(value));
  inputs.push_back(id);
  return id;
}

ValueId Graph::add_constant(Tensor constant) {
  RIDGE_INTERNAL_CHECK(constant.device() == kCpu && constant.is_contiguous(),
                       "a constant that is not contiguous on the CPU: " + describe(constant));
  Value value;
  value.type = {constant.dtype(), constant.shape(), kCpu, constant.is_weak()};
  value.constant = std::move(constant);
  return add_value(*this, std::move(value));
}

int32_t Graph::add_node(const dispatch::Operator& op, std::vector<Argument> args,
                        std::vector<Type> results, Location where, std::string scope) {
  const auto position = static_cast<int32_t>(nodes.size());
  Node node;
  node.op = &op;
  node.args = std::move(args);
  node.where = where;
  node.scope = std::move(scope);
  for (size_t i = 0; i < results.size(); ++i) {
    Value value;
    value.type = std::move(results[i]);
    value.node = position;
    value.result = static_cast<int32_t>(i);
    node.results.push_back(add_value(*this, std::move(value)));
  }
  nodes.push_back(std::move(node));
  return position;
}

bool writes(const dispatch::Operator& op) {
  return std::ranges::any_of(op.schema().parameters,
                             [](const dispatch::Parameter& p) { return p.alias.is_write; });
}

void forget_memory(Graph& graph) {
  for (Value& value : graph.values) {
    value.alias.reset();
    value.strides.reset();
  }
}

bool is_functional(const Graph& graph) {
  return std::ranges::none_of(graph.nodes, [](const Node& node) { return writes(*node.op); });
}

void copy_marks(Node& to, const Node& from) {
  to.phase = from.phase;
  to.region = from.region;
  to.forms = from.forms;
  to.rounds = from.rounds;
}

ValueIds operands(const Node& node) {
  ValueIds ids;
  for (const Argument& arg : node.args) {
    if (const auto* id = std::get_if<ValueId>(&arg)) ids.push_back(*id);
    if (const auto* list = std::get_if<ValueIds>(&arg)) {
      ids.insert(ids.end(), list->begin(), list->end());
    }
  }
  return ids;
}

std::vector<std::optional<ValueId>> numbered_operands(const Node& node) {
  std::vector<std::optional<ValueId>> numbered;
  const auto& parameters = node.op->schema().parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].kind == dispatch::ArgKind::tensor) {
      const ValueId* id = std::get_if<ValueId>(&node.args[i]);
      numbered.push_back(id != nullptr ? std::optional(*id) : std::nullopt);
    } else if (const ValueIds* list = std::get_if<ValueIds>(&node.args[i])) {
      numbered.insert(numbered.end(), list->begin(), list->end());
    }
  }
  return numbered;
}

void replace_operands(Node& node, const std::function<ValueId(ValueId)>& replacement) {
  for (Argument& arg : node.args) {
    if (auto* id = std::get_if<ValueId>(&arg)) *id = replacement(*id);
    if (auto* list = std::get_if<ValueIds>(&arg)) {
      for (ValueId& id : *list) id = replacement(id);
    }
  }
}

std::vector<std::vector<int32_t>> users(const Graph& graph) {
  std::vector<std::vector<int32_t>> readers(graph.values.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto position = static_cast<int32_t>(i);
    for (const ValueId id : operands(graph.nodes[i])) {
      auto& list = readers[static_cast<size_t>(id.index)];
      if (list.empty() || list.back() != position) list.push_back(position);
    }
  }
  return readers;
}

BoundArguments::BoundArguments(const Node& node, const std::function<Tensor(ValueId)>& tensor) {
  values_.reserve(node.args.size());
  for (const Argument& arg : node.args) {
    std::visit(
        [&](const auto& held) {
          using Held = std::decay_t<decltype(held)>;
          if constexpr (std::is_same_v<Held, ValueId>) {
            values_.emplace_back(tensor(held));
          } else if constexpr (std::is_same_v<Held, ValueIds>) {
            dispatch::Tensors list;
            for (const ValueId id : held) list.push_back(tensor(id));
            values_.emplace_back(std::move(list));
          } else if constexpr (std::is_same_v<Held, Body>) {
            RIDGE_INTERNAL_CHECK(held == nullptr, "a node of control flow called as an op");
          } else {
            values_.emplace_back(held);
          }
        },
        arg);
  }
  args_ = dispatch::borrow(values_);
}

Graph on_device(Graph graph, Device device) {
  for (Value& value : graph.values) {
    if (value.constant.defined()) {
      if (value.constant.is_weak()) continue;  // plain numbers go with any device
      value.constant = to_device(value.constant, device);
    }
    value.type.device = device;
  }
  for (Node& node : graph.nodes) {
    for (Argument& argument : node.args) {
      if (Device* place = std::get_if<Device>(&argument)) *place = device;
      if (Body* body = std::get_if<Body>(&argument)) {
        *body = std::make_shared<const Graph>(on_device(**body, device));
      }
    }
    // What is computed from plain numbers alone is on the CPU as they are.
    const ValueIds from = operands(node);
    const auto is_here = [&](ValueId id) { return graph[id].type.device == kCpu; };
    if (from.empty() || is_control(node) || !std::ranges::all_of(from, is_here)) continue;
    for (const ValueId result : node.results) graph[result].type.device = kCpu;
  }
  return graph;
}

}  // namespace ridge::graph
