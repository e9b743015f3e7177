#include "ridge/capture/control.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/capture/shared_memory.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/graph/control.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/view.h"

namespace ridge::capture::control {

using graph::ControlParts;
using graph::Graph;
using graph::Recorder;
using graph::Type;
using graph::ValueId;
using graph::ValueIds;

namespace {

// Of a tensor of the result; nothing where it is undefined.
std::optional<Type> result_type(const Captured& body, size_t result) {
  const Slot& slot = body.results[result];
  if (slot.from == Slot::From::undefined) return std::nullopt;
  return body.graph[body.graph.outputs[static_cast<size_t>(slot.index)]].type;
}

std::optional<Type> type_of_given(const Tensor& tensor) {
  if (!tensor.defined()) return std::nullopt;
  return Type{tensor.dtype(), tensor.shape(), tensor.device()};
}

std::string form_text(const std::optional<Type>& type) {
  return type ? to_text(*type) : "no tensor";
}

bool is_alike(const std::optional<Type>& a, const std::optional<Type>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->dtype == b->dtype && a->device == b->device && is_same(a->shape, b->shape);
}

ErrorCode difference(const std::optional<Type>& a, const std::optional<Type>& b) {
  return a && b && a->dtype != b->dtype ? ErrorCode::dtype : ErrorCode::shape;
}

void check_branches(const Captured& then, const Captured& otherwise, Location where) {
  RIDGE_CHECK(then.results.size() == otherwise.results.size(), .code = ErrorCode::shape,
              .op = "cond", .expected = "branches with results of one form",
              .given = concat(then.results.size(), " tensors if the condition holds, ",
                              otherwise.results.size(), " if not"),
              .where = where);
  for (size_t i = 0; i < then.results.size(); ++i) {
    const auto a = result_type(then, i);
    const auto b = result_type(otherwise, i);
    RIDGE_CHECK(is_alike(a, b), .code = difference(a, b), .op = "cond",
                .expected = concat("the same result ", i, " from both branches"),
                .given = concat(form_text(a), " if the condition holds, ", form_text(b), " if not"),
                .hint = "cast or expand one of them: a program must know what it gets",
                .where = where);
  }
}

void check_carried(const std::optional<Type>& before, const std::optional<Type>& after,
                   size_t which, const char* op, Location where) {
  RIDGE_CHECK(
      is_alike(before, after), .code = difference(before, after), .op = op,
      .expected = concat("tensor ", which, " carried on as it was given, ", form_text(before)),
      .given = form_text(after) + " from a step",
      .hint = "cast or reshape it in the step, or begin with one like it", .where = where);
}

void check_carried_count(size_t before, size_t after, const char* op, Location where) {
  RIDGE_CHECK(before == after, .code = ErrorCode::shape, .op = op,
              .expected = "a step that carries on what it was given",
              .given = concat(before, " tensors before, ", after, " after"), .where = where);
}

// Ids in the enclosing graph, undefined tensors left out as they are from the inputs of a body.
ValueIds ids_of(const Tensors& tensors, Location where) {
  ValueIds ids;
  for (const Tensor& tensor : tensors) {
    if (tensor.defined()) ids.push_back(Recorder::active()->id(tensor, where));
  }
  return ids;
}

// What the bodies read of the enclosing capture, as ids there. Each body gets an input for each, after
// its own, in this order.
ValueIds unify_inputs(std::span<Captured* const> bodies, Location where) {
  Recorder& outer = *Recorder::active();
  ValueIds all;
  std::vector<std::vector<ValueId>> inputs(bodies.size());  // by body: its input for each of `all`
  for (size_t b = 0; b < bodies.size(); ++b) {
    const Captured& body = *bodies[b];
    const size_t own = body.graph.inputs.size() - body.enclosing.size();
    for (size_t i = 0; i < body.enclosing.size(); ++i) {
      const ValueId id = outer.id(body.enclosing[i], where);
      inputs[b].resize(all.size());
      size_t at = 0;
      while (at < all.size() && (all[at] != id || inputs[b][at].index >= 0)) ++at;
      if (at == all.size()) {
        all.push_back(id);
        inputs[b].emplace_back();
      }
      inputs[b][at] = body.graph.inputs[own + i];
    }
  }
  for (size_t b = 0; b < bodies.size(); ++b) {
    Graph& body = bodies[b]->graph;
    ValueIds ordered(body.inputs.begin(),
                     body.inputs.end() - static_cast<int64_t>(bodies[b]->enclosing.size()));
    inputs[b].resize(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      const bool is_read = inputs[b][i].index >= 0;
      ordered.push_back(is_read ? inputs[b][i] : body.add_input(outer.graph()[all[i]].type));
    }
    body.inputs = std::move(ordered);
  }
  return all;
}

Tensors record(ControlParts parts, std::span<Captured* const> bodies, Location where) {
  for (Captured* body : bodies) {
    parts.bodies.push_back(std::make_shared<const Graph>(std::move(body->graph)));
  }
  return Recorder::active()->add_node(ops::control_op(parts.kind), parts.arguments(),
                                      parts.result_types(), where);
}

// The first results of a body are the carry.
void check_body_carry(const Captured& body, const Tensors& carry, const char* op, Location where) {
  check_carried_count(carry.size(), std::min(carry.size(), body.results.size()), op, where);
  for (size_t i = 0; i < carry.size(); ++i) {
    check_carried(type_of_given(carry[i]), result_type(body, i), i, op, where);
  }
}

}  // namespace

bool is_captured() { return dispatch::is_captured(); }

void close(Captured& captured, Location where) {
  Graph& graph = captured.graph;
  for (const auto& [input, node] : written_inputs(graph)) {
    throw_error({.code = ErrorCode::state,
                 .op = graph.name,
                 .expected = "a function that writes to no tensor from outside of it",
                 .given = concat(node->op->name(), " of one"),
                 .hint = "write to a clone of it, and return that",
                 .where = node->where.line() > 0 ? node->where : where});
  }
  ValueIds outputs;
  for (Slot& slot : captured.results) {
    if (slot.from == Slot::From::undefined) continue;
    const auto& list = slot.from == Slot::From::input ? graph.inputs : graph.outputs;
    outputs.push_back(list[static_cast<size_t>(slot.index)]);
    slot = {.from = Slot::From::output, .index = static_cast<int32_t>(outputs.size() - 1)};
  }
  graph.outputs = std::move(outputs);
  graph = graph::functionalize(std::move(graph), {});
}

void check_condition(const Tensor& pred, const char* op, Location where) {
  const bool is_bool = pred.defined() && is_boolean(pred.dtype());
  RIDGE_CHECK(is_bool && pred.shape().empty(),
              .code = is_bool ? ErrorCode::shape : ErrorCode::dtype, .op = op,
              .expected = "a condition that is a 0-d bool",
              .given = pred.defined() ? describe(pred) : std::string("an undefined tensor"),
              .hint = "compare, and reduce with all or any", .where = where);
}

Size length_of(const Tensors& xs, Location where) {
  const Tensor* first = nullptr;
  for (const Tensor& x : xs) {
    if (!x.defined()) continue;
    RIDGE_CHECK(!x.shape().empty(), .code = ErrorCode::shape, .op = "scan",
                .expected = "xs with a first dimension to go along", .given = describe(x),
                .where = where);
    if (first == nullptr) first = &x;
    RIDGE_CHECK(x.shape()[0] == first->shape()[0], .code = ErrorCode::shape, .op = "scan",
                .expected = "xs of one length", .given = describe(*first) + " and " + describe(x),
                .where = where);
  }
  RIDGE_CHECK(first != nullptr, .code = ErrorCode::value, .op = "scan",
              .expected = "xs with a tensor in it", .given = "none", .where = where);
  return first->shape()[0];
}

Tensor form_of_element(const Tensor& x) {
  auto impl = make_ref<TensorImpl>();
  impl->storage = Ref<Storage>(&x.storage());
  impl->shape = Shape(x.shape().begin() + 1, x.shape().end());
  impl->strides = contiguous_strides(impl->shape);
  impl->dtype = x.dtype();
  impl->device = x.device();
  impl->is_contiguous = true;
  return Tensor(std::move(impl));
}

Tensor element(const Tensor& x, int64_t index) { return select(x, 0, index); }

Tensor zero_element(const Tensor& x) {
  return zeros(Shape(x.shape().begin() + 1, x.shape().end()), x.dtype(), x.device());
}

Tensor no_rows_of(const Tensor& y) {
  Shape shape{0};
  shape.insert(shape.end(), y.shape().begin(), y.shape().end());
  return zeros(shape, y.dtype(), y.device());
}

void check_carry(const Tensors& before, const Tensors& after, const char* op, Location where) {
  check_carried_count(before.size(), after.size(), op, where);
  for (size_t i = 0; i < before.size(); ++i) {
    check_carried(type_of_given(before[i]), type_of_given(after[i]), i, op, where);
  }
}

Tensors record_cond(const Tensor& pred, Captured then, Captured otherwise, const Tensors& args,
                    Location where) {
  check_branches(then, otherwise, where);
  Captured* bodies[] = {&then, &otherwise};
  ControlParts parts{.kind = ops::Control::cond};
  parts.pred = Recorder::active()->id(pred, where);
  parts.inputs = ids_of(args, where);
  const ValueIds more = unify_inputs(bodies, where);
  parts.inputs.insert(parts.inputs.end(), more.begin(), more.end());
  return record(std::move(parts), bodies, where);
}

Tensors record_scan(Captured body, const Tensors& carry, const Tensors& xs, const Size& length,
                    bool is_reverse, Location where) {
  check_body_carry(body, carry, "scan", where);
  Captured* bodies[] = {&body};
  ControlParts parts{.kind = ops::Control::scan};
  parts.carry = ids_of(carry, where);
  parts.xs = ids_of(xs, where);
  parts.inputs = unify_inputs(bodies, where);
  parts.length = length;
  parts.is_reverse = is_reverse;
  return record(std::move(parts), bodies, where);
}

Tensors record_while(Captured condition, Captured body, const Tensors& state, int64_t max_steps,
                     Location where) {
  check_body_carry(body, state, "while_loop", where);
  const std::optional<Type> goes_on = result_type(condition, 0);
  const bool is_bool = goes_on && is_boolean(goes_on->dtype);
  RIDGE_CHECK(is_bool && goes_on->shape.empty(),
              .code = is_bool ? ErrorCode::shape : ErrorCode::dtype, .op = "while_loop",
              .expected = "a condition that is a 0-d bool", .given = form_text(goes_on),
              .hint = "compare, and reduce with all or any", .where = where);
  Captured* bodies[] = {&condition, &body};
  ControlParts parts{.kind = ops::Control::while_loop};
  parts.carry = ids_of(state, where);
  parts.inputs = unify_inputs(bodies, where);
  parts.max_steps = max_steps;
  return record(std::move(parts), bodies, where);
}

}  // namespace ridge::capture::control
