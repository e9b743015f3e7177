#include "ridge/driver/control_program.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/graph/control.h"
#include "ridge/graph/control_steps.h"
#include "ridge/graph/replay.h"
#include "ridge/ops/view.h"

namespace ridge::driver {

using graph::Graph;
using graph::Node;
using graph::ValueId;
using graph::ValueIds;

namespace {

size_t at(ValueId id) { return static_cast<size_t>(id.index); }

std::vector<const Tensor*> pointers_to(std::span<const Tensor> tensors) {
  std::vector<const Tensor*> pointers;
  for (const Tensor& tensor : tensors) pointers.push_back(&tensor);
  return pointers;
}

}  // namespace

ControlProgram::ControlProgram(const Graph& graph, const GraphOptions& options,
                               const recompute::BodyBudgets& budgets)
    : graph_(graph), options_(options) {
  std::vector<graph::ControlStep> parts = graph::control_steps(graph, options.name);
  let_go_ = graph::let_go_after(graph, parts);
  for (graph::ControlStep& part : parts) {
    Step& step = steps_.emplace_back();
    step.inputs = std::move(part.inputs);
    step.outputs = std::move(part.outputs);
    step.node = part.node;
    if (part.straight) {
      compile_straight(step, std::move(*part.straight));
    } else {
      compile_bodies(step, budgets);
    }
  }
}

void ControlProgram::compile_straight(Step& step, Graph straight) const {
  GraphOptions options{.name = options_.name, .input_strides = {}};
  for (const ValueId id : step.inputs) {
    const auto input = std::ranges::find(graph_.inputs, id) - graph_.inputs.begin();
    const bool has_strides = std::cmp_less(input, options_.input_strides.size());
    options.input_strides.push_back(has_strides ? options_.input_strides[static_cast<size_t>(input)]
                                                : std::nullopt);
  }
  step.straight = std::make_unique<CompiledGraph>(straight, options);
}

void ControlProgram::compile_bodies(Step& step, const recompute::BodyBudgets& budgets) const {
  for (const ValueId id : step.outputs) step.result_types.push_back(graph_[id].type);
  const graph::ControlParts parts = control_parts(*step.node);
  for (size_t i = 0; i < parts.bodies.size(); ++i) {
    GraphOptions options{.name = concat(options_.name, ".", parts.bodies[i]->name)};
    const auto budget = budgets.find(parts.bodies[i].get());
    if (budget != budgets.end()) options.memory_budget = budget->second;
    step.bodies.push_back(std::make_unique<CompiledGraph>(graph::compiled_body(parts, i), options));
  }
}

void ControlProgram::run_node(const Step& step, std::vector<Tensor>& values) const {
  std::vector<Tensor> operands;
  for (const ValueId id : step.inputs) operands.push_back(contiguous(values[at(id)]));
  const auto run_body = [&](size_t body, std::span<const Tensor> inputs,
                            std::span<const Tensor> slots) {
    std::vector<const Tensor*> given = pointers_to(inputs);
    for (const Tensor& slot : slots) given.push_back(&slot);
    return step.bodies[body]->run(given);
  };
  std::vector<Tensor> results =
      graph::run_control(*step.node, step.result_types, operands, run_body);
  for (size_t i = 0; i < results.size(); ++i) {
    // A body that reads no tensor of a GPU does not know that it belongs there.
    const Device device = step.result_types[i].device;
    const bool is_there = results[i].device() == device;
    values[at(step.outputs[i])] = is_there ? results[i] : to_device(results[i], device);
  }
}

// Outputs that a step made are passed on as they are; inputs and constants are copied, and returned.
std::vector<Tensor> ControlProgram::run_straight(const Step& step,
                                                 std::vector<Tensor>& values) const {
  std::vector<const Tensor*> given;
  for (const ValueId id : step.inputs) given.push_back(&values[at(id)]);
  std::vector<Tensor> outputs = step.straight->run(given), copied;
  for (size_t i = 0; i < step.outputs.size(); ++i) {
    if (graph_[step.outputs[i]].node < 0) {
      copied.push_back(std::move(outputs[i]));
    } else {
      values[at(step.outputs[i])] = std::move(outputs[i]);
    }
  }
  return copied;
}

std::vector<Tensor> ControlProgram::run(std::span<const Tensor* const> inputs) const {
  std::vector<Tensor> values(graph_.values.size());
  for (size_t i = 0; i < inputs.size(); ++i) values[at(graph_.inputs[i])] = *inputs[i];
  for (size_t i = 0; i < graph_.values.size(); ++i) {
    if (graph_.values[i].constant.defined()) values[i] = graph_.values[i].constant;
  }
  std::vector<Tensor> copied;
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].node != nullptr) {
      run_node(steps_[i], values);
    } else {
      copied = run_straight(steps_[i], values);
    }
    for (const ValueId id : let_go_[i]) values[at(id)] = Tensor();
  }
  std::vector<Tensor> results;
  size_t next = 0;
  for (const ValueId id : graph_.outputs) {
    results.push_back(graph_[id].node < 0 ? copied[next++] : values[at(id)]);
  }
  std::vector<Tensor> given;
  for (const Tensor* input : inputs) given.push_back(*input);
  graph::separate(results, given);
  return results;
}

std::vector<const CompiledGraph*> ControlProgram::programs() const {
  std::vector<const CompiledGraph*> all;
  const auto add = [&](const CompiledGraph& one) {
    const auto parts = one.parts();
    all.insert(all.end(), parts.begin(), parts.end());
  };
  for (const Step& step : steps_) {
    if (step.straight != nullptr) add(*step.straight);
    for (const auto& body : step.bodies) add(*body);
  }
  return all;
}

}  // namespace ridge::driver
