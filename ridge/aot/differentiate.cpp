#include "ridge/aot/differentiate.h"

#include <algorithm>
#include <utility>

#include "ridge/autograd/gradient_rule.h"
#include "ridge/autograd/saved_tensor.h"
#include "ridge/base/text.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/graph/control.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/graph/recorder.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/creation.h"

namespace ridge::aot {

using dispatch::Tensors;
using graph::Graph;
using graph::Node;
using graph::Recorder;
using graph::ValueId;
using graph::ValueIds;

namespace {

bool has_derivative(const Node& node) {
  const ops::OpRecord* record = node.op->record();
  return record == nullptr || record->differentiable;
}

// Does the gradient of this op come from those of its parts?
bool is_taken_apart(const dispatch::Operator& op) {
  return graph::is_composite(op) && !op.record()->grad && op.record()->differentiable;
}

class Differentiation {
 public:
  Differentiation(Graph& graph, const ValueIds& wrt)
      : graph_(graph),
        recorder_(graph),
        grads_(graph.values.size()),
        is_active_(active_values(graph, wrt)) {}

  ValueIds run(const ValueIds& outputs, const ValueIds& wrt, const ValueIds& gradients) {
    // The casts of autocast are in the graph already; gradients follow them.
    const dispatch::ExcludeKeys as_recorded(dispatch::Key::autocast);
    const Recorder::Scope recording(recorder_);
    recorder_.set_phase(graph::Phase::backward);
    const size_t node_count = graph_.nodes.size();
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!is_active_[index(outputs[i])]) continue;
      set_origin_of(outputs[i]);
      const Tensor seed = gradients.empty() ? filled(outputs[i], 1) : fake(gradients[i]);
      accumulate(outputs[i],
                 fitted(outputs[i], seed, "the gradient of an output", ErrorCode::shape));
    }
    for (size_t i = node_count; i-- > 0;) step_back(i);
    ValueIds result;
    for (const ValueId id : wrt) {
      set_origin_of(id);
      const Tensor& grad = grads_[index(id)];
      result.push_back(recorder_.id(grad.defined() ? grad : filled(id, 0)));
    }
    // Rules write nothing, so that a view shares memory means nothing either.
    for (size_t i = grads_.size(); i < graph_.values.size(); ++i) graph_.values[i].alias.reset();
    return result;
  }

 private:
  static size_t index(ValueId id) { return static_cast<size_t>(id.index); }
  Tensor fake(ValueId id) { return recorder_.fake(id); }

  void set_origin_of(ValueId id) {
    const int32_t node = graph_[id].node;
    if (node < 0) return;
    const Node& maker = graph_.nodes[static_cast<size_t>(node)];
    recorder_.set_origin(maker.where, maker.scope);
  }

  Tensor filled(ValueId id, double value) {
    const graph::Type type = graph_[id].type;
    return full(type.shape, value, type.dtype, type.device);
  }

  Tensor fitted(ValueId id, Tensor grad, std::string_view op, ErrorCode code) {
    const graph::Type type = graph_[id].type;
    return autograd::fit_gradient(std::move(grad), type.shape, type.dtype, op, code);
  }

  void accumulate(ValueId id, Tensor grad) {
    Tensor& sum = grads_[index(id)];
    sum = sum.defined() ? add(sum, grad) : std::move(grad);
  }

  void step_back(size_t position) {
    const Node node = graph_.nodes[position];  // a copy: recording moves the list
    Tensors grads;
    bool has_grads = false;
    for (const ValueId id : node.results) {
      grads.push_back(grads_[index(id)]);
      has_grads |= grads.back().defined();
    }
    if (!has_grads || !has_derivative(node)) return;

    const auto operands = graph::numbered_operands(node);
    std::vector<bool> needed;
    for (const auto& id : operands) needed.push_back(id && is_active_[index(*id)]);
    if (std::ranges::find(needed, true) == needed.end()) return;

    recorder_.set_origin(node.where, node.scope);
    Tensors results = graph::is_control(node) ? control_gradient(recorder_, node, grads, needed)
                                              : apply_rule(node, grads, needed);
    RIDGE_INTERNAL_CHECK(results.size() == operands.size(),
                         concat("the gradient rule of ", node.op->name(), " returned ",
                                results.size(), " gradients for ", operands.size(), " operands"));
    for (size_t i = 0; i < results.size(); ++i) {
      if (!needed[i] || !results[i].defined()) continue;
      accumulate(*operands[i],
                 fitted(*operands[i], results[i], node.op->name(), ErrorCode::internal));
    }
  }

  Tensors apply_rule(const Node& node, const Tensors& grads, const std::vector<bool>& needed) {
    const ops::OpRecord* record = node.op->record();
    RIDGE_CHECK(record != nullptr, .code = ErrorCode::gradient, .op = node.op->name(),
                .expected = "an op that has a gradient", .given = "one without a record",
                .where = node.where);
    RIDGE_INTERNAL_CHECK(record->op == node.op,
                         concat("a functional graph, not one that holds ", node.op->name()));
    const graph::BoundArguments bound(node, [&](ValueId id) { return fake(id); });
    Tensors outputs;
    for (const ValueId id : node.results) outputs.push_back(fake(id));
    const ops::Saved saved(node.op->schema(), bound.args(), outputs, needed);
    try {
      return autograd::rule_for(*record, saved).apply(grads, saved);
    } catch (Error& error) {
      error.name_op(node.op->name());
      error.locate(concat("the gradient of ", node.op->name()), node.where);
      throw;
    }
  }

  Graph& graph_;
  Recorder recorder_;
  std::vector<Tensor> grads_;    // by value, of those that were there at the start
  std::vector<bool> is_active_;  // does the value depend on `wrt`, with a derivative?
};

}  // namespace

std::vector<bool> active_values(const Graph& graph, const ValueIds& wrt) {
  std::vector<bool> is_active(graph.values.size());
  const auto at = [](ValueId id) { return static_cast<size_t>(id.index); };
  const auto mark = [&](ValueId id) {
    if (is_floating(graph[id].type.dtype)) is_active[at(id)] = true;
  };
  for (const ValueId id : wrt) mark(id);
  for (const Node& node : graph.nodes) {
    if (!has_derivative(node)) continue;
    const ValueIds read = graph::operands(node);
    if (std::ranges::none_of(read, [&](ValueId id) { return is_active[at(id)]; })) continue;
    for (const ValueId id : node.results) mark(id);
  }
  return is_active;
}

ValueIds differentiate(Graph& graph, const ValueIds& outputs, const ValueIds& wrt,
                       const ValueIds& gradients) {
  RIDGE_INTERNAL_CHECK(gradients.empty() || gradients.size() == outputs.size(),
                       "a gradient for each output, or none");
  return Differentiation(graph, wrt).run(outputs, wrt, gradients);
}

Graph prepare(Graph graph, const std::vector<size_t>& wrt) {
  const graph::PassContext context;
  graph = graph::functionalize(std::move(graph), context);
  ValueIds ids;
  for (const size_t input : wrt) ids.push_back(graph.inputs[input]);
  std::vector<bool> is_active = active_values(graph, ids);
  if (has_control(graph)) {
    graph = keep_for_gradients(graph, is_active);
    ids.clear();
    for (const size_t input : wrt) ids.push_back(graph.inputs[input]);
    is_active = active_values(graph, ids);
  }
  const auto is_expanded = [&](const Node& node) {
    const ValueIds read = graph::operands(node);
    return is_taken_apart(*node.op) && std::ranges::any_of(read, [&](ValueId id) {
             return is_active[static_cast<size_t>(id.index)];
           });
  };
  if (std::ranges::none_of(graph.nodes, is_expanded)) return graph;
  const dispatch::ExcludeKeys as_recorded(dispatch::Key::autocast);
  return graph::expand_nodes(std::move(graph), is_expanded, is_taken_apart);
}

}  // namespace ridge::aot
