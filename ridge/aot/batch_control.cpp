#include <algorithm>

#include "ridge/aot/batched_node.h"
#include "ridge/graph/control.h"
#include "ridge/ops/record.h"
#include "ridge/ops/view.h"

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

using Flags = std::vector<bool>;

Body as_body(Graph graph) { return std::make_shared<const Graph>(std::move(graph)); }

Flags part_of(const Flags& flags, size_t first, size_t count) {
  const auto begin = flags.begin() + static_cast<int64_t>(first);
  return Flags(begin, begin + static_cast<int64_t>(count));
}

// Control flow over batched bodies, in the making. Flags are by input or output of the bodies.
class BatchedControl {
 public:
  BatchedControl(Recorder& recorder, const Node& node, const Flags& is_mapped,
                 const std::vector<Tensor>& given, const BatchOptions& options)
      : recorder_(recorder),
        options_(options),
        parts_(control_parts(node)),
        inputs_(is_mapped),
        given_(given),
        where_(node.where) {
    if (parts_.kind != Control::cond) return;
    pred_ = given_.front();
    is_split_ = inputs_.front();
    given_.erase(given_.begin());
    inputs_.erase(inputs_.begin());
  }

  // Nothing where examples go different ways.
  std::optional<MappedResults> run() {
    switch (parts_.kind) {
      case Control::none: break;
      case Control::cond: return run_cond();
      case Control::scan: return run_scan();
      case Control::while_loop: return run_while();
    }
    return std::nullopt;
  }

 private:
  std::optional<MappedResults> run_cond() {
    if (is_split_) return std::nullopt;
    const Flags all(parts_.bodies[0]->outputs.size(), true);
    ControlParts now{.kind = Control::cond, .pred = recorder_.id(pred_), .inputs = ids(given_)};
    for (const Body& body : parts_.bodies) {
      now.bodies.push_back(as_body(batch(*body, inputs_, options_, all).graph));
    }
    return MappedResults{record_parts(now), all};
  }

  // The step over the batch. A carry that one step maps is mapped from the start.
  BatchedGraph batched_step(const Graph& step) {
    const size_t carried = parts_.carry.size();
    for (bool is_stable = false;;) {
      BatchedGraph batched = batch(step, inputs_, options_, part_of(inputs_, 0, carried));
      is_stable = true;
      for (size_t i = 0; i < carried; ++i) {
        if (!batched.mapped_outputs[i] || inputs_[i]) continue;
        inputs_[i] = true;
        given_[i] = repeated(given_[i], options_.count);
        is_stable = false;
      }
      if (is_stable) return batched;
    }
  }

  std::optional<MappedResults> run_scan() {
    const size_t carried = parts_.carry.size();
    BatchedGraph step = batched_step(*parts_.bodies[0]);
    ControlParts now{.kind = Control::scan, .length = parts_.length};
    now.is_reverse = parts_.is_reverse;
    for (size_t i = 0; i < given_.size(); ++i) {
      const bool is_element = i >= carried && i < carried + parts_.xs.size();
      // Steps are taken along the first dimension, so the batch goes behind it.
      const Tensor operand = is_element && inputs_[i] ? transpose(given_[i], 0, 1) : given_[i];
      (i < carried ? now.carry : is_element ? now.xs : now.inputs).push_back(recorder_.id(operand));
    }
    now.bodies = {as_body(std::move(step.graph))};
    MappedResults done{record_parts(now), step.mapped_outputs};
    for (size_t i = carried; i < done.tensors.size(); ++i) {
      if (done.is_mapped[i]) done.tensors[i] = transpose(done.tensors[i], 0, 1);
    }
    return done;
  }

  std::optional<MappedResults> run_while() {
    BatchedGraph step = batched_step(*parts_.bodies[1]);
    BatchedGraph condition = batch(*parts_.bodies[0], inputs_, options_);
    if (condition.mapped_outputs[0]) return std::nullopt;
    ControlParts now{.kind = Control::while_loop, .max_steps = parts_.max_steps};
    const auto state_end = given_.begin() + static_cast<int64_t>(parts_.carry.size());
    now.carry = ids({given_.begin(), state_end});
    now.inputs = ids({state_end, given_.end()});
    now.bodies = {as_body(std::move(condition.graph)), as_body(std::move(step.graph))};
    return MappedResults{record_parts(now), step.mapped_outputs};
  }

  ValueIds ids(const std::vector<Tensor>& tensors) {
    ValueIds list;
    for (const Tensor& tensor : tensors) list.push_back(recorder_.id(tensor));
    return list;
  }

  std::vector<Tensor> record_parts(const ControlParts& parts) {
    return recorder_.add_node(ops::control_op(parts.kind), parts.arguments(), parts.result_types(),
                              where_);
  }

  Recorder& recorder_;
  const BatchOptions& options_;
  const ControlParts parts_;
  Flags inputs_;
  std::vector<Tensor> given_;  // by input of the bodies
  Tensor pred_;                // of a cond
  bool is_split_ = false;      // has it a condition for each example?
  const Location where_;
};

}  // namespace

bool draws(const Node& node) {
  if (!graph::is_control(node)) {
    const ops::OpRecord* record = node.op->record();
    return record != nullptr && has(record->traits, ops::Trait::Random);
  }
  return std::ranges::any_of(control_parts(node).bodies, [](const Body& body) {
    return std::ranges::any_of(body->nodes, draws);
  });
}

MappedResults batched_control(Recorder& recorder, const Graph& old, const Node& node,
                              const Flags& is_mapped, const std::vector<Tensor>& given,
                              const BatchOptions& options) {
  auto done = BatchedControl(recorder, node, is_mapped, given, options).run();
  if (done) return std::move(*done);
  return {scan_examples(recorder, old, node, is_mapped, given, options),
          Flags(node.results.size(), true)};
}

std::vector<Tensor> scan_examples(Recorder& recorder, const Graph& old, const Node& node,
                                  const Flags& is_mapped, const std::vector<Tensor>& given,
                                  const BatchOptions& options) {
  // In a body all examples would draw the same; an op itself is here because each has its own state.
  const bool is_shared = graph::is_control(node) && draws(node);
  RIDGE_CHECK(options.randomness == Randomness::same || !is_shared, .code = ErrorCode::state,
              .op = node.op->name(),
              .expected = "examples that draw no random numbers of their own",
              .given = "random numbers in what runs for one example after the other",
              .hint = "draw them before, or vmap(f, {.randomness = Randomness::same})",
              .where = node.where);
  Graph body;
  body.name = "example";
  ControlParts parts{.kind = Control::scan, .length = options.count};
  ValueIds elements;
  ValueIds shared_inputs;
  Node own = node;
  size_t next = 0;
  replace_operands(own, [&](ValueId id) {
    const size_t i = next++;
    if (old[id].constant.defined()) return body.add_constant(old[id].constant);
    (is_mapped[i] ? parts.xs : parts.inputs).push_back(recorder.id(given[i]));
    (is_mapped[i] ? elements : shared_inputs).push_back(body.add_input(old[id].type));
    return (is_mapped[i] ? elements : shared_inputs).back();
  });
  std::vector<Type> types;
  for (const ValueId id : node.results) types.push_back(old[id].type);
  const int32_t added =
      body.add_node(*node.op, std::move(own.args), std::move(types), node.where, node.scope);
  body.outputs = body.nodes[static_cast<size_t>(added)].results;
  body.inputs = elements;
  body.inputs.insert(body.inputs.end(), shared_inputs.begin(), shared_inputs.end());
  parts.bodies = {as_body(std::move(body))};
  return recorder.add_node(ops::control_op(parts.kind), parts.arguments(), parts.result_types(),
                           node.where);
}

}  // namespace ridge::aot
