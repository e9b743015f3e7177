#include <algorithm>

#include "ridge/aot/differentiate.h"
#include "ridge/graph/control.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/graph/rewriter.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/creation.h"

namespace ridge::aot {

using graph::Body;
using graph::ControlParts;
using graph::Graph;
using graph::Node;
using graph::Recorder;
using graph::Type;
using graph::ValueId;
using graph::ValueIds;
using ops::Control;

namespace {

using Positions = std::vector<size_t>;
using Tensors = std::vector<Tensor>;

Body shared(Graph graph) { return std::make_shared<const Graph>(std::move(graph)); }

// The body, but for its outputs: the gradients of the inputs `wrt`. The gradients of the outputs
// `of` are further inputs, after its own.
Graph body_gradient(const Graph& body, const Positions& of, const Positions& wrt) {
  Graph graph = prepare(body, wrt);
  graph.name = body.name + ".backward";
  ValueIds outputs;
  ValueIds seeds;
  ValueIds inputs;
  for (const size_t output : of) {
    outputs.push_back(graph.outputs[output]);
    seeds.push_back(graph.add_input(graph[outputs.back()].type, "gradient"));
  }
  for (const size_t input : wrt) inputs.push_back(graph.inputs[input]);
  graph.outputs = differentiate(graph, outputs, inputs, seeds);
  return graph;
}

Tensors record(Recorder& recorder, const ControlParts& parts, Location where) {
  return recorder.add_node(ops::control_op(parts.kind), parts.arguments(), parts.result_types(),
                           where);
}

bool is_float(const Graph& body, ValueId id) { return is_floating(body[id].type.dtype); }

Tensors cond_gradient(Recorder& recorder, const Node& node, const Tensors& grads,
                      const std::vector<bool>& needed) {
  ControlParts parts = control_parts(node);
  Positions of;
  for (size_t i = 0; i < grads.size(); ++i) {
    if (!grads[i].defined()) continue;
    of.push_back(i);
    parts.inputs.push_back(recorder.id(grads[i]));
  }
  Positions wrt;  // the condition is operand 0
  for (size_t i = 1; i < needed.size(); ++i) {
    if (needed[i]) wrt.push_back(i - 1);
  }
  for (Body& body : parts.bodies) {
    body = shared(graph::eliminate_dead_code(body_gradient(*body, of, wrt), {}));
  }
  const Tensors results = record(recorder, parts, node.where);
  Tensors gradients(needed.size());
  for (size_t i = 0; i < wrt.size(); ++i) gradients[wrt[i] + 1] = results[i];
  return gradients;
}

// The output of the body that passes on that part of the carry as it came in, if there is one.
std::optional<size_t> kept_carry(const ControlParts& parts, size_t which) {
  const Graph& body = *parts.bodies[0];
  for (size_t i = parts.carry.size(); i < body.outputs.size(); ++i) {
    if (body.outputs[i] == body.inputs[which]) return i;
  }
  return std::nullopt;
}

// A scan that also returns the carry of each step, as it came in.
ControlParts with_carries(ControlParts parts) {
  Graph body = *parts.bodies[0];
  for (size_t i = 0; i < parts.carry.size(); ++i) {
    if (!kept_carry(parts, i)) body.outputs.push_back(body.inputs[i]);
  }
  parts.bodies[0] = shared(std::move(body));
  return parts;
}

// The gradient of a scan, in the making. Numbers are of inputs and outputs of the body: the carry
// first, then elements of xs or ys, then `inputs`.
class ScanGradient {
 public:
  ScanGradient(Recorder& recorder, const Node& node, const Tensors& grads,
               const std::vector<bool>& needed)
      : recorder_(recorder),
        node_(node),
        parts_(control_parts(node)),
        body_(*parts_.bodies[0]),
        grads_(grads),
        carried_(parts_.carry.size()) {
    for (size_t i = 0; i < carried_; ++i) {
      if (is_float(body_, body_.inputs[i])) carry_.push_back(i);
    }
    for (size_t i = carried_; i < needed.size(); ++i) {
      if (!needed[i]) continue;
      (i < carried_ + parts_.xs.size() ? xs_ : inputs_).push_back(i);
    }
    for (size_t i = carried_; i < grads.size(); ++i) {
      if (grads[i].defined()) ys_.push_back(i);
    }
  }

  Tensors run(size_t operand_count) {
    ControlParts back{.kind = Control::scan};
    back.carry = first_carry();
    back.xs = kept_carries();
    back.xs.insert(back.xs.end(), parts_.xs.begin(), parts_.xs.end());
    for (const size_t y : ys_) back.xs.push_back(recorder_.id(grads_[y]));
    back.inputs = parts_.inputs;
    back.length = parts_.length;
    back.is_reverse = !parts_.is_reverse;
    back.bodies = {shared(graph::eliminate_dead_code(body_of_gradient(), {}))};
    const Tensors results = record(recorder_, back, node_.where);

    Tensors gradients(operand_count);
    size_t next = 0;
    for (const Positions* list : {&carry_, &inputs_, &xs_}) {
      for (const size_t i : *list) gradients[i] = results[next++];
    }
    return gradients;
  }

 private:
  Tensor zeros_like_input(size_t input) {
    const Type type = body_[body_.inputs[input]].type;
    return zeros(type.shape, type.dtype, type.device);
  }

  // Gradients of the last carry, and the sums of those of `inputs`.
  ValueIds first_carry() {
    ValueIds first;
    for (const size_t i : carry_) {
      first.push_back(recorder_.id(grads_[i].defined() ? grads_[i] : zeros_like_input(i)));
    }
    for (const size_t i : inputs_) first.push_back(recorder_.id(zeros_like_input(i)));
    return first;
  }

  // The carries the steps were given: what the scan returned of them, else found by another scan.
  ValueIds kept_carries() {
    ControlParts kept = with_carries(parts_);
    const bool is_known = kept.bodies[0]->outputs.size() == body_.outputs.size();
    const Tensors again = is_known ? Tensors() : record(recorder_, kept, node_.where);
    ValueIds ids;
    for (size_t i = 0; i < carried_; ++i) {
      const size_t output = *kept_carry(kept, i);
      ids.push_back(is_known ? node_.results[output] : recorder_.id(again[output]));
    }
    return ids;
  }

  Graph body_of_gradient() {
    Positions of = carry_;
    of.insert(of.end(), ys_.begin(), ys_.end());
    Positions wrt = carry_;
    wrt.insert(wrt.end(), inputs_.begin(), inputs_.end());
    wrt.insert(wrt.end(), xs_.begin(), xs_.end());
    Graph graph = body_gradient(body_, of, wrt);

    const auto given = graph.inputs.begin() + static_cast<int64_t>(body_.inputs.size());
    const auto grads_of_ys = given + static_cast<int64_t>(carry_.size());
    ValueIds inputs(given, grads_of_ys);  // gradients of the carry
    ValueIds sums;
    for (const size_t i : inputs_) sums.push_back(graph.inputs[i]);
    const ValueIds own(graph.inputs.begin(), given);
    const ValueIds ys(grads_of_ys, graph.inputs.end());
    for (size_t i = 0; i < inputs_.size(); ++i) {
      sums[i] = graph.add_input(graph[sums[i]].type, "sum");
      add_to(graph, sums[i], graph.outputs[carry_.size() + i]);
    }
    const auto elements = own.begin() + static_cast<int64_t>(carried_ + parts_.xs.size());
    inputs.insert(inputs.end(), sums.begin(), sums.end());
    inputs.insert(inputs.end(), own.begin(), elements);
    inputs.insert(inputs.end(), ys.begin(), ys.end());
    inputs.insert(inputs.end(), elements, own.end());
    graph.inputs = std::move(inputs);
    return graph;
  }

  static void add_to(Graph& graph, ValueId sum, ValueId& gradient) {
    Recorder inner(graph);
    const Recorder::Scope recording(inner);
    gradient = inner.id(add(inner.fake(sum), inner.fake(gradient)));
  }

  Recorder& recorder_;
  const Node& node_;
  const ControlParts parts_;
  const Graph& body_;
  const Tensors& grads_;
  const size_t carried_;
  Positions carry_;   // that have gradients: all that float, as each may reach any other
  Positions ys_;      // whose gradients are given
  Positions xs_;      // whose gradients are needed
  Positions inputs_;  // likewise
};

// Returns the first inputs: what a loop that has ended does.
Graph unchanged(const Graph& body) {
  Graph graph;
  graph.name = "done";
  for (const ValueId id : body.inputs) graph.add_input(body[id].type);
  graph.outputs.assign(graph.inputs.begin(),
                       graph.inputs.begin() + static_cast<int64_t>(body.outputs.size()));
  return graph;
}

// The scan that a loop of so many steps at most is.
ControlParts bounded_scan(const ControlParts& loop, Location where) {
  Graph step = *loop.bodies[0];  // the condition,
  step.name = "step";
  ControlParts choice{.kind = Control::cond, .pred = step.outputs[0], .inputs = step.inputs};
  choice.bodies = {loop.bodies[1], shared(unchanged(*loop.bodies[1]))};
  const int32_t position = step.add_node(ops::control_op(Control::cond), choice.arguments(),
                                         choice.result_types(), where);
  step.outputs = step.nodes[static_cast<size_t>(position)].results;
  ControlParts scan{.kind = Control::scan, .carry = loop.carry, .inputs = loop.inputs};
  scan.length = loop.max_steps;
  scan.bodies = {shared(std::move(step))};
  return scan;
}

}  // namespace

Graph keep_for_gradients(const Graph& old, const std::vector<bool>& is_active) {
  graph::Rewriter rewriter(old);
  for (const Node& node : old.nodes) {
    const bool is_chosen = is_control(node) && std::ranges::any_of(operands(node), [&](ValueId id) {
                             return is_active[static_cast<size_t>(id.index)];
                           });
    const Node now = rewriter.translated(node);
    ControlParts parts;
    if (is_chosen) parts = control_parts(now);
    if (parts.kind == Control::while_loop && parts.max_steps >= 0) {
      parts = bounded_scan(parts, node.where);
    }
    if (parts.kind != Control::scan) {
      rewriter.add(now, node.results);
      continue;
    }
    parts = with_carries(std::move(parts));
    Graph& graph = rewriter.graph();
    const int32_t position = graph.add_node(ops::control_op(parts.kind), parts.arguments(),
                                            parts.result_types(), node.where, node.scope);
    Node& added = graph.nodes[static_cast<size_t>(position)];
    copy_marks(added, node);
    const ValueIds results = added.results;
    for (size_t i = 0; i < node.results.size(); ++i) rewriter.map(node.results[i], results[i]);
  }
  return rewriter.finish();
}

Tensors control_gradient(Recorder& recorder, const Node& node, const Tensors& grads,
                         const std::vector<bool>& needed) {
  switch (ops::control_of(*node.op)) {
    case Control::none: break;
    case Control::cond: return cond_gradient(recorder, node, grads, needed);
    case Control::scan: return ScanGradient(recorder, node, grads, needed).run(needed.size());
    case Control::while_loop:
      throw_error(
          {.code = ErrorCode::gradient,
           .op = node.op->name(),
           .expected = "a bound on its steps: a gradient keeps what each of them began with",
           .given = "a loop without one",
           .hint = "while_loop(condition, body, state, {.max_steps = n}), or scan",
           .where = node.where});
  }
  return {};
}

}  // namespace ridge::aot
