#include "ridge/graph/control.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/graph/infer.h"

namespace ridge::graph {

using ops::Control;

namespace {

Type strong(Type type) {
  type.is_weak = false;
  return type;
}

Type stacked(Type type, const Size& length) {
  Shape shape{length};
  shape.insert(shape.end(), type.shape.begin(), type.shape.end());
  type.shape = std::move(shape);
  return strong(std::move(type));
}

std::vector<Type> output_types(const Graph& body) {
  std::vector<Type> types;
  for (const ValueId id : body.outputs) types.push_back(strong(body[id].type));
  return types;
}

// Sizes of which nothing is known may be symbols that are proven equal elsewhere.
bool may_be_equal(const Size& a, const Size& b) {
  return is_equal(a, b) || a.hint_or(-1) < 0 || b.hint_or(-1) < 0;
}

bool fits(const Type& a, const Type& b) {
  return a.dtype == b.dtype && std::ranges::equal(a.shape, b.shape, may_be_equal);
}

[[noreturn]] void refuse(std::string expected, std::string given) {
  throw_error({.expected = std::move(expected), .given = std::move(given)});
}

void check_inputs(const Graph& body, const std::vector<Type>& given) {
  if (body.inputs.size() != given.size()) {
    refuse(concat(given.size(), " inputs of body ", body.name), concat(body.inputs.size()));
  }
  for (size_t i = 0; i < given.size(); ++i) {
    const Type& wanted = body[body.inputs[i]].type;
    if (!fits(wanted, given[i])) {
      refuse(concat("input ", i, " of body ", body.name, " of type ", to_text(given[i])),
             to_text(wanted));
    }
  }
}

enum class More { refused, allowed };

void check_outputs(const Graph& body, const std::vector<Type>& wanted, More more = More::refused) {
  const size_t given_count = body.outputs.size();
  const bool is_enough =
      more == More::allowed ? given_count >= wanted.size() : given_count == wanted.size();
  if (!is_enough) {
    refuse(concat(more == More::allowed ? "at least " : "", wanted.size(), " outputs of body ",
                  body.name),
           concat(given_count));
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    const Type& given = body[body.outputs[i]].type;
    if (!fits(wanted[i], given)) {
      refuse(concat("output ", i, " of body ", body.name, " of type ", to_text(wanted[i])),
             to_text(given));
    }
  }
}

}  // namespace

bool is_control(const Node& node) { return ops::control_of(*node.op) != Control::none; }

bool has_control(const Graph& graph) { return std::ranges::any_of(graph.nodes, is_control); }

ControlParts control_parts(const Node& node) {
  ControlParts parts;
  parts.kind = ops::control_of(*node.op);
  const auto& args = node.args;
  const auto ids = [&](size_t at) {
    const auto* list = std::get_if<ValueIds>(&args[at]);
    return list != nullptr ? *list : ValueIds();
  };
  size_t next = 0;
  switch (parts.kind) {
    case Control::none: RIDGE_INTERNAL_CHECK(false, "not control flow: " + node.op->name());
    case Control::cond:
      parts.pred = std::get<ValueId>(args[0]);
      parts.inputs = ids(1);
      next = 2;
      break;
    case Control::scan:
      parts.carry = ids(0);
      parts.xs = ids(1);
      parts.inputs = ids(2);
      parts.length = std::get<Shape>(args[3]).at(0);
      parts.is_reverse = std::get<bool>(args[4]);
      next = 5;
      break;
    case Control::while_loop:
      parts.carry = ids(0);
      parts.inputs = ids(1);
      parts.max_steps = std::get<int64_t>(args[2]);
      next = 3;
      break;
  }
  for (; next < args.size(); ++next) parts.bodies.push_back(std::get<Body>(args[next]));
  const size_t wanted = parts.kind == Control::scan ? 1 : 2;
  if (parts.bodies.size() != wanted) {
    refuse(concat(wanted, " bodies of ", node.op->name()), concat(parts.bodies.size()));
  }
  return parts;
}

std::vector<Argument> ControlParts::arguments() const {
  std::vector<Argument> args;
  switch (kind) {
    case Control::none: break;
    case Control::cond: args = {pred, inputs}; break;
    case Control::scan: args = {carry, xs, inputs, Shape{length}, is_reverse}; break;
    case Control::while_loop: args = {carry, inputs, max_steps}; break;
  }
  args.insert(args.end(), bodies.begin(), bodies.end());
  return args;
}

std::vector<Type> ControlParts::result_types() const {
  std::vector<Type> types = output_types(*bodies.back());
  if (kind != Control::scan) return types;
  for (size_t i = carry.size(); i < types.size(); ++i) types[i] = stacked(types[i], length);
  return types;
}

Type element_of(Type type) {
  type.shape.erase(type.shape.begin());
  return type;
}

std::vector<Type> verify_bodies(const Graph& graph, const Node& node) {
  const ControlParts parts = control_parts(node);
  std::vector<Type> given;
  std::vector<Type> carry;
  for (const ValueId id : parts.carry) carry.push_back(graph[id].type);
  given = carry;
  for (const ValueId id : parts.xs) {
    const Shape& shape = graph[id].type.shape;
    if (shape.empty() || !may_be_equal(shape[0], parts.length)) {
      refuse(concat("rows of a scan, as many as its length ", parts.length),
             to_text(graph[id].type));
    }
    given.push_back(element_of(graph[id].type));
  }
  for (const ValueId id : parts.inputs) given.push_back(graph[id].type);
  for (const Body& body : parts.bodies) {
    check_inputs(*body, given);
    if (!is_functional(*body) || !body->updates.empty()) {
      refuse(concat("body ", body->name, " without writes"), "one that writes");
    }
    verify(*body);
  }
  switch (parts.kind) {
    case Control::none: break;
    case Control::cond: check_outputs(*parts.bodies[1], output_types(*parts.bodies[0])); break;
    case Control::scan: check_outputs(*parts.bodies[0], carry, More::allowed); break;
    case Control::while_loop:
      check_outputs(*parts.bodies[0], {Type{.dtype = boolean, .shape = {}}});
      check_outputs(*parts.bodies[1], carry);
      break;
  }
  return parts.result_types();
}

}  // namespace ridge::graph
