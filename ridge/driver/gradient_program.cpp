#include "ridge/driver/gradient_program.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include "ridge/aot/differentiate.h"
#include "ridge/autograd/autograd_record.h"
#include "ridge/autograd/saved_tensor.h"
#include "ridge/base/text.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/graph/control.h"
#include "ridge/graph/replay.h"
#include "ridge/linker/link.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/view.h"
#include "ridge/recompute/gradient_halves.h"

namespace ridge::driver {

using autograd::Edge;
using autograd::Edges;
using autograd::Needed;
using autograd::SavedTensor;
using dispatch::Tensors;
using graph::Graph;
using graph::ValueId;

struct GradientProgram::Parts {
  std::string name;
  Location where;
  GraphOptions options;
  std::vector<size_t> wrt;
  std::vector<size_t> outputs;  // that have a gradient
  Graph joint;                  // as differentiated, without updates: for gradients of gradients
  size_t output_count = 0;
  aot::Joint passed;  // likewise, after the passes
  aot::SplitGraphs halves;
  std::optional<recompute::RecomputeReport> recomputed;
  int64_t backward_budget = 0;

  // Made when a gradient is first asked for.
  const CompiledGraph& backward() const {
    std::call_once(made_, [&] {
      GraphOptions wanted{.name = name + ".backward"};
      wanted.memory_budget = backward_budget;
      wanted.input_strides = recompute::backward_strides(halves, options.input_strides);
      backward_ = std::make_unique<CompiledGraph>(halves.backward, wanted);
    });
    return *backward_;
  }

 private:
  mutable std::once_flag made_;
  mutable std::unique_ptr<CompiledGraph> backward_;
};

namespace {

using Parts = GradientProgram::Parts;

std::vector<SavedTensor> saved_tensors(const std::vector<Tensor>& tensors) {
  std::vector<SavedTensor> saved;
  for (const Tensor& tensor : tensors) saved.push_back(SavedTensor::of(tensor));
  return saved;
}

// Those that the backward program reads; the history of a result must not hold the others.
std::vector<SavedTensor> saved_outputs(const Parts& parts, const std::vector<Tensor>& outputs) {
  std::vector<SavedTensor> saved;
  for (const Tensor& output : outputs) saved.push_back(SavedTensor::described(output));
  for (const size_t index : parts.halves.saved) saved[index] = SavedTensor::of(outputs[index]);
  return saved;
}

// One call of the program.
class ProgramNode final : public autograd::Node {
 public:
  ProgramNode(std::shared_ptr<const Parts> parts, Edges edges, const std::vector<Tensor>& inputs,
              const std::vector<Tensor>& outputs)
      : Node(parts->name, parts->where, parts->output_count, std::move(edges)),
        parts_(std::move(parts)),
        inputs_(saved_tensors(inputs)),
        outputs_(saved_outputs(*parts_, outputs)) {}

  Tensors run(const Tensors& given, const Needed& needed) override {
    const bool is_recorded = dispatch::thread_state().grad_enabled;
    Tensors results = is_recorded ? run_op_by_op(given) : run_program(given);
    for (size_t i = 0; i < results.size(); ++i) {
      if (!needed[i]) results[i] = {};
    }
    return results;
  }

  void release() override {
    Tensors values;  // fall after the lock
    const std::lock_guard lock(autograd::stripe(this));
    for (SavedTensor& one : inputs_) values.push_back(one.take_value());
    for (SavedTensor& one : outputs_) values.push_back(one.take_value());
    is_released_ = true;
  }

 private:
  // Gradients of the outputs that have one; zeros where none arrived.
  std::vector<Tensor> cotangents(const Tensors& given) const {
    std::vector<Tensor> result;
    const auto& inputs = parts_->halves.backward.inputs;
    for (size_t i = 0; i < parts_->outputs.size(); ++i) {
      const graph::Type& type = parts_->halves.backward[inputs[i]].type;
      const Tensor& one = given[parts_->outputs[i]];
      result.push_back(one.defined() ? one : zeros(type.shape, type.dtype, type.device));
    }
    return result;
  }

  Tensor unpack(const SavedTensor& one, const std::string& what, const Edge& history) const {
    RIDGE_CHECK(!is_released_, .code = ErrorCode::gradient, .op = parts_->name,
                .expected = "the values this call saved for its gradient",
                .given = "a graph that was differentiated before and let them go",
                .hint = "ask for retain_graph the first time", .where = where());
    one.check_unchanged(*this, what);
    return one.unpack(history);
  }

  Tensor input(size_t index, const Edge& history) const {
    const std::string& name = parts_->joint[parts_->joint.inputs[index]].name;
    return unpack(inputs_[index], name.empty() ? concat("input ", index) : name, history);
  }
  Tensor output(size_t index) const {
    const bool is_result = index < parts_->output_count;
    return unpack(outputs_[index], concat(is_result ? "result " : "saved value ", index), {});
  }

  Tensors run_program(const Tensors& given) {
    std::vector<Tensor> tensors = cotangents(given);
    for (Tensor& one : tensors) one = contiguous(one);
    {
      const std::lock_guard lock(autograd::stripe(this));
      for (const size_t index : parts_->halves.read_again) tensors.push_back(input(index, {}));
      for (const size_t index : parts_->halves.saved) {
        tensors.push_back(contiguous(output(index)));
      }
    }
    std::vector<const Tensor*> pointers;
    for (const Tensor& one : tensors) pointers.push_back(&one);
    std::vector<Tensor> results = parts_->backward().run(pointers);
    return Tensors(results.begin(), results.end());
  }

  Tensors run_op_by_op(const Tensors& given) {
    std::vector<Tensor> tensors;
    {
      const std::lock_guard lock(autograd::stripe(this));
      for (size_t i = 0; i < inputs_.size(); ++i) {
        const auto place = std::ranges::find(parts_->wrt, i) - parts_->wrt.begin();
        const bool has_edge = std::cmp_less(place, parts_->wrt.size());
        tensors.push_back(input(i, has_edge ? edges()[static_cast<size_t>(place)] : Edge()));
      }
    }
    std::ranges::copy(cotangents(given), std::back_inserter(tensors));
    const std::vector<Tensor> all = graph::replay(parts_->joint, tensors);
    return Tensors(all.begin() + static_cast<std::ptrdiff_t>(parts_->output_count), all.end());
  }

  std::shared_ptr<const Parts> parts_;
  // Behind this node's stripe, because one thread may release what another one runs.
  std::vector<SavedTensor> inputs_;
  std::vector<SavedTensor> outputs_;  // of the forward program
  bool is_released_ = false;
};

void check_updates(const Graph& graph, const std::vector<bool>& is_active, const Parts& parts) {
  for (const graph::Update& u : graph.updates) {
    const bool is_lost = is_active[static_cast<size_t>(u.value.index)] ||
                         is_active[static_cast<size_t>(u.input.index)];
    const int32_t maker = graph[u.value].node;
    const Location where = maker < 0 ? Location() : graph.nodes[static_cast<size_t>(maker)].where;
    RIDGE_CHECK(
        !is_lost, .code = ErrorCode::gradient, .op = parts.name,
        .expected = "a function that writes no value with a gradient into an argument",
        .given = concat("a write to ", graph[u.input].name.empty() ? std::string("an argument")
                                                                   : graph[u.input].name),
        .hint = "return the value, or use value_and_grad inside of the function", .where = where);
  }
}

void decide_halves(Parts& parts) {
  const aot::Joint& joint = parts.passed;
  const Device device = joint.graph[joint.graph.inputs[parts.wrt[0]]].type.device;
  // Parts of control flow decide for themselves, unless something is asked of the whole.
  const bool is_asked = parts.options.memory_budget > 0 || aot::has_checkpoints(joint.graph);
  const bool is_decided = linker::can_build(device) && !graph::is_disabled("recompute") &&
                          (is_asked || !graph::has_control(joint.graph));
  if (!is_decided) {
    parts.halves = aot::split(joint);
    return;
  }
  const schedule::Options options = scheduling_of(parts.options, device);
  recompute::GradientHalves made =
      recompute::choose_halves(joint, options, parts.options.memory_budget);
  parts.halves = std::move(made.chosen.halves);
  parts.backward_budget = made.chosen.backward_budget;
  parts.recomputed = {std::move(made.decisions), made.chosen.point, made.everything_saved.point};
}

}  // namespace

GradientProgram::GradientProgram(const Graph& captured, std::vector<size_t> wrt,
                                 const GraphOptions& options, Location where) {
  auto parts = std::make_shared<Parts>();
  parts->name = options.name;
  parts->where = where;
  parts->options = options;
  parts->wrt = std::move(wrt);
  Graph graph = aot::prepare(captured, parts->wrt);
  // Derivatives that the function takes itself are of its forward half here.
  for (graph::Node& node : graph.nodes) node.phase = graph::Phase::forward;
  graph::ValueIds wrt_ids;
  for (const size_t input : parts->wrt) wrt_ids.push_back(graph.inputs[input]);
  const std::vector<bool> is_active = aot::active_values(graph, wrt_ids);
  check_updates(graph, is_active, *parts);
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    if (is_active[static_cast<size_t>(graph.outputs[i].index)]) parts->outputs.push_back(i);
  }
  parts->output_count = graph.outputs.size();
  parts->joint = aot::join_gradients(graph, parts->outputs, parts->wrt).graph;
  parts->joint.updates.clear();
  parts->passed = recompute::joint_of(std::move(graph), parts->outputs, parts->wrt);
  decide_halves(*parts);
  parts_ = std::move(parts);
}

const Graph& GradientProgram::forward() const { return parts_->halves.forward; }

const std::optional<recompute::RecomputeReport>& GradientProgram::recomputed() const {
  return parts_->recomputed;
}

const Graph& GradientProgram::joint() const { return parts_->passed.graph; }

std::vector<Tensor> GradientProgram::run(const CompiledGraph& forward,
                                         std::span<const Tensor* const> inputs) const {
  std::vector<Tensor> given, outputs;
  for (const Tensor* input : inputs) given.push_back(*input);
  Edges edges;
  for (const size_t input : parts_->wrt) edges.push_back(autograd::edge_of(given[input]));
  {
    const dispatch::GradMode values_only(false);
    outputs = forward.run(inputs);
  }
  const auto node = make_ref<ProgramNode>(parts_, std::move(edges), given, outputs);
  outputs.resize(parts_->output_count);
  for (const size_t output : parts_->outputs) {
    autograd::attach(outputs[output], Edge(node, static_cast<uint32_t>(output)));
  }
  return outputs;
}

std::vector<size_t> requiring_grad(std::span<const Tensor* const> inputs) {
  std::vector<size_t> positions;
  if (!dispatch::thread_state().grad_enabled) return positions;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i]->requires_grad()) positions.push_back(i);
  }
  return positions;
}

}  // namespace ridge::driver
