#include "ridge/aot/transforms.h"

#include <algorithm>

#include "ridge/aot/differentiate.h"
#include "ridge/aot/joint.h"
#include "ridge/aot/partition.h"
#include "ridge/base/text.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/graph/recorder.h"
#include "ridge/graph/replay.h"
#include "ridge/ops/creation.h"

namespace ridge::aot {

using capture::Slot;
using graph::Graph;
using graph::Recorder;
using graph::ValueId;
using graph::ValueIds;

namespace {

// By value: is it on a way to this one?
std::vector<bool> values_behind(const graph::Graph& graph, ValueId value) {
  std::vector<bool> is_behind(graph.values.size());
  const auto flag = [&](ValueId id) { return is_behind[static_cast<size_t>(id.index)]; };
  is_behind[static_cast<size_t>(value.index)] = true;
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    if (std::none_of(node->results.begin(), node->results.end(), flag)) continue;
    for (const ValueId operand : graph::operands(*node)) {
      is_behind[static_cast<size_t>(operand.index)] = true;
    }
  }
  return is_behind;
}

// In the capture that it belongs to; empty for a tensor with elements, and for what was computed.
std::string name_in_program(const Tensor& tensor) {
  for (graph::Recorder* r = graph::Recorder::active(); r != nullptr; r = r->enclosing()) {
    if (r->owns(tensor)) return r->graph()[r->id(tensor)].name;
  }
  return {};
}

// A loss that leaves out a parameter is mostly a mistake, which zeros would hide. Error{gradient} that
// names the first of the inputs that the value does not depend on. An input counts
// as used by what reads it, whether its gradient is zero or not. `given`: for each input the tensor of the
// call. In a program that is being captured an argument of it goes by the name that it has there.
void check_used(const graph::Graph& graph, ValueId value, const ValueIds& inputs,
                const std::vector<Tensor>& given, Location where) {
  const std::vector<bool> is_behind = values_behind(graph, value);
  std::string first;
  int64_t count = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const graph::Value& input = graph[inputs[i]];
    if (is_behind[static_cast<size_t>(inputs[i].index)] || count++ > 0) continue;
    const std::string name = name_in_program(given[i]);
    first = concat(name.empty() ? input.name : name, ", ", to_text(input.type));
  }
  RIDGE_CHECK(count == 0, .code = ErrorCode::gradient, .op = graph.name,
              .expected = "a loss that depends on every parameter",
              .given = count == 1 ? concat("one that does not depend on ", first)
                                  : concat("one that does not depend on ", count,
                                           " of them, the first being ", first),
              .hint =
                  "leave it out of the first argument, or ask for zeros: "
                  "GradientOptions{.allow_unused = true}",
              .where = where);
}

bool has_gradient(const Tensor& tensor) { return tensor.defined() && is_floating(tensor.dtype()); }

ValueId value_of(const Graph& graph, const Slot& slot) {
  const auto& list = slot.from == Slot::From::input ? graph.inputs : graph.outputs;
  return list[static_cast<size_t>(slot.index)];
}

void check_loss(const BoundCapture& bound) {
  const Slot& slot = bound.captured.results[0];
  const Graph& graph = bound.captured.graph;
  const bool is_defined = slot.from != Slot::From::undefined;
  const graph::Type type = is_defined ? graph[value_of(graph, slot)].type : graph::Type();
  RIDGE_CHECK(is_defined && type.shape.empty() && is_floating(type.dtype),
              .code = ErrorCode::gradient, .op = graph.name,
              .expected = "a function that returns a floating 0-d tensor",
              .given = is_defined ? to_text(type) : "an undefined tensor",
              .hint = "reduce it, for instance by mean; or use vjp, which takes a cotangent",
              .where = bound.where);
}

// By tensor of the first argument, undefined where there is none.
std::vector<Tensor> spread(const std::vector<std::optional<size_t>>& wrt,
                           std::span<const Tensor> gradients) {
  std::vector<Tensor> spread_out(wrt.size());
  size_t next = 0;
  for (size_t i = 0; i < wrt.size(); ++i) {
    if (wrt[i]) spread_out[i] = gradients[next++];
  }
  return spread_out;
}

std::vector<size_t> present(const std::vector<std::optional<size_t>>& wrt) {
  std::vector<size_t> inputs;
  for (const auto& input : wrt) {
    if (input) inputs.push_back(*input);
  }
  return inputs;
}

}  // namespace

size_t output_of(Graph& graph, const Slot& slot) {
  if (slot.from == Slot::From::output) return static_cast<size_t>(slot.index);
  graph.outputs.push_back(graph.inputs[static_cast<size_t>(slot.index)]);
  return graph.outputs.size() - 1;
}

std::vector<Tensor> run_as_is(const Graph& graph, std::span<const Tensor> inputs) {
  const dispatch::ExcludeKeys no_casts(dispatch::Key::autocast);
  const dispatch::ValuesOnly values_only;
  return graph::replay(graph, inputs);
}

void BoundCapture::check() const {
  const bool is_traced = Recorder::active() != nullptr;
  bool is_differentiable = false;
  size_t next = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i] != nullptr && !tensors[i]->defined()) continue;
    const Tensor& input = inputs[next++];
    if (i < first_count) is_differentiable |= !is_buffer[i] && has_gradient(input);
    RIDGE_CHECK(is_traced || input.storage().fake_owner() == nullptr, .code = ErrorCode::state,
                .expected = "tensors with elements as arguments",
                .given = describe(input) + ", a tensor of a capture that has ended",
                .hint = "return it from the captured function instead of keeping it",
                .where = where);
  }
  RIDGE_CHECK(is_differentiable, .code = ErrorCode::dtype,
              .expected = "a first argument with a floating tensor, to differentiate by, no buffer",
              .given = first_count == 1 && !inputs.empty() ? describe(inputs[0])
                                                           : std::string("one without"),
              .where = where);
}

std::vector<std::optional<size_t>> BoundCapture::wrt() const {
  std::vector<std::optional<size_t>> positions;
  size_t next = 0;
  for (size_t i = 0; i < first_count; ++i) {
    const bool is_input = tensors[i] == nullptr || tensors[i]->defined();
    const bool is_wanted = is_input && !is_buffer[i] && has_gradient(inputs[next]);
    positions.push_back(is_wanted ? std::optional(next) : std::nullopt);
    if (is_input) ++next;
  }
  return positions;
}

Gradients run_with_gradients(const BoundCapture& bound) {
  check_loss(bound);
  Graph graph = bound.captured.graph;
  const size_t output_count = graph.outputs.size();
  const size_t loss = output_of(graph, bound.captured.results[0]);
  const auto wrt = bound.wrt();
  graph = prepare(std::move(graph), present(wrt));

  ValueIds wrt_ids;
  std::vector<Tensor> given;
  for (const size_t input : present(wrt)) {
    wrt_ids.push_back(graph.inputs[input]);
    given.push_back(bound.inputs[input]);
  }
  if (!bound.allows_unused) check_used(graph, graph.outputs[loss], wrt_ids, given, bound.where);
  const ValueIds gradients = differentiate(graph, {graph.outputs[loss]}, wrt_ids);
  graph.outputs.resize(output_count);
  graph.outputs.insert(graph.outputs.end(), gradients.begin(), gradients.end());

  // A program decides later what it keeps; here the graph runs as it is.
  if (Recorder::active() == nullptr && has_checkpoints(graph)) {
    const std::vector<ValueCost> costs(graph.values.size());
    graph = recompute(graph, keep_everything(graph, costs));
  }
  Gradients done;
  done.outputs = run_as_is(graph, bound.inputs);
  if (Recorder::active() == nullptr) graph::separate(done.outputs, bound.inputs);
  done.gradients = spread(wrt, std::span(done.outputs).subspan(output_count));
  done.outputs.resize(output_count);
  return done;
}

Pullback Pullback::run(const BoundCapture& bound, std::vector<Tensor>& outputs) {
  Graph graph = bound.captured.graph;
  const size_t output_count = graph.outputs.size();
  Pullback pullback;
  std::vector<size_t> differentiated;
  for (size_t i = 0; i < bound.captured.results.size(); ++i) {
    const Slot& slot = bound.captured.results[i];
    if (slot.from == Slot::From::undefined) continue;
    if (!is_floating(graph[value_of(graph, slot)].type.dtype)) continue;
    pullback.results_.push_back(i);
    differentiated.push_back(output_of(graph, slot));
  }
  const auto wrt = bound.wrt();
  graph = prepare(std::move(graph), present(wrt));
  ForwardBackward graphs = differentiate_split(std::move(graph), differentiated, present(wrt));

  outputs = run_as_is(graphs.forward, bound.inputs);
  pullback.saved_.assign(outputs.end() - static_cast<std::ptrdiff_t>(graphs.saved_count),
                         outputs.end());
  for (const Tensor& saved : pullback.saved_) pullback.versions_.push_back(saved.version());
  outputs.resize(output_count);
  if (Recorder::active() == nullptr) graph::separate(outputs, bound.inputs);
  pullback.backward_ = std::move(graphs.backward);
  pullback.wrt_ = wrt;
  pullback.where_ = bound.where;
  return pullback;
}

void Pullback::check_cotangent(const Tensor& given, const graph::Type& type) const {
  if (!given.defined()) return;
  const bool has_dtype = given.dtype() == type.dtype;
  RIDGE_CHECK(
      has_dtype && given.shape() == type.shape,
      .code = has_dtype ? ErrorCode::shape : ErrorCode::dtype, .op = "vjp",
      .expected = concat("a cotangent of the shape and dtype of the result, ", to_text(type)),
      .given = describe(given), .where = where_);
}

// In a capture the recorder keeps the order of writes and reads.
void Pullback::check_unchanged() const {
  if (Recorder::active() != nullptr) return;
  for (size_t i = 0; i < saved_.size(); ++i) {
    RIDGE_CHECK(saved_[i].version() == versions_[i], .code = ErrorCode::gradient, .op = "vjp",
                .expected = concat(describe(saved_[i]), " at version ", versions_[i],
                                   ", as when it was saved for the pullback"),
                .given = concat("version ", saved_[i].version(), ": it was written to since"),
                .hint = "write to a copy instead, or call the pullback first", .where = where_);
  }
}

std::vector<Tensor> Pullback::operator()(std::span<const Tensor> cotangents) const {
  check_unchanged();
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < results_.size(); ++i) {
    const Tensor& given = cotangents[results_[i]];
    const graph::Type& type = backward_[backward_.inputs[i]].type;
    check_cotangent(given, type);
    inputs.push_back(given.defined() ? given : zeros(type.shape, type.dtype, type.device));
  }
  inputs.insert(inputs.end(), saved_.begin(), saved_.end());
  std::vector<Tensor> gradients = run_as_is(backward_, inputs);
  if (Recorder::active() == nullptr) graph::separate(gradients, inputs);
  return spread(wrt_, gradients);
}

}  // namespace ridge::aot
