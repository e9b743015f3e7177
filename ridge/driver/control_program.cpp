#include "ridge/driver/control_program.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/graph/control.h"
#include "ridge/graph/part.h"
#include "ridge/graph/replay.h"
#include "ridge/ops/view.h"

namespace ridge::driver {

using graph::Graph;
using graph::Node;
using graph::Type;
using graph::ValueId;
using graph::ValueIds;

namespace {

size_t at(ValueId id) { return static_cast<size_t>(id.index); }

size_t level_of(const Node& node, const std::vector<size_t>& levels) {
  size_t level = 0;
  for (const ValueId id : graph::operands(node)) level = std::max(level, levels[at(id)]);
  return level;
}

std::vector<size_t> levels_of(const Graph& graph) {
  std::vector<size_t> levels(graph.values.size());
  for (const Node& node : graph.nodes) {
    const size_t level = level_of(node, levels) + (is_control(node) ? 1 : 0);
    for (const ValueId id : node.results) levels[at(id)] = level;
  }
  return levels;
}

// A body of a scan writes its ys to memory it is given: they are inputs that it updates.
Graph with_slots(Graph body, size_t kept) {
  for (size_t i = kept; i < body.outputs.size(); ++i) {
    Type type = body[body.outputs[i]].type;
    type.is_weak = false;
    const ValueId slot = body.add_input(std::move(type), concat("y", i - kept));
    body.updates.push_back({slot, body.outputs[i]});
  }
  body.outputs.resize(kept);
  return body;
}

std::vector<const Tensor*> pointers_to(std::span<const Tensor> tensors) {
  std::vector<const Tensor*> pointers;
  for (const Tensor& tensor : tensors) pointers.push_back(&tensor);
  return pointers;
}

}  // namespace

ControlProgram::ControlProgram(const Graph& graph, const GraphOptions& options)
    : graph_(graph), options_(options), levels_(levels_of(graph)) {
  for (const ValueId id : graph.outputs) is_copied_.push_back(!is_passed_on(id));
  const size_t last = *std::ranges::max_element(levels_);
  for (size_t level = 0; level <= last; ++level) {
    add_straight(level, level == last);
    for (const Node& node : graph.nodes) {
      if (is_control(node) && level_of(node, levels_) == level) add_control(node);
    }
  }
}

// Outputs that a step made are handed on as they are; inputs and constants are copied.
bool ControlProgram::is_passed_on(ValueId id) const { return graph_[id].node >= 0; }

void ControlProgram::add_straight(size_t level, bool is_last) {
  graph::Part part(graph_, concat(options_.name, ".", steps_.size()));
  ValueIds made;
  for (const Node& node : graph_.nodes) {
    if (is_control(node) || levels_[at(node.results[0])] != level) continue;
    part.copy(node);
    made.insert(made.end(), node.results.begin(), node.results.end());
  }
  std::vector<bool> is_read(graph_.values.size());  // by another step, or as an output
  const auto mark = [&](ValueId id) { is_read[at(id)] = true; };
  for (const Node& node : graph_.nodes) {
    if (is_control(node) || levels_[at(node.results[0])] != level) {
      std::ranges::for_each(graph::operands(node), mark);
    }
  }
  for (const ValueId id : graph_.outputs) mark(id);
  if (!is_last) {
    for (const graph::Update& u : graph_.updates) mark(u.value);
  }
  Step step;
  std::ranges::copy_if(made, std::back_inserter(step.outputs),
                       [&](ValueId id) { return is_read[at(id)]; });
  if (is_last) {
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
      if (is_copied_[i]) step.outputs.push_back(graph_.outputs[i]);
    }
    for (const graph::Update& u : graph_.updates) part.add_update(u);
  }
  for (const ValueId id : step.outputs) part.add_output(id);
  if (step.outputs.empty() && (!is_last || graph_.updates.empty())) return;
  step.inputs = part.inputs();
  GraphOptions options{.name = options_.name, .input_strides = {}};
  for (const ValueId id : step.inputs) {
    const auto input = std::ranges::find(graph_.inputs, id) - graph_.inputs.begin();
    const bool has_strides = std::cmp_less(input, options_.input_strides.size());
    options.input_strides.push_back(has_strides ? options_.input_strides[static_cast<size_t>(input)]
                                                : std::nullopt);
  }
  step.straight = std::make_unique<CompiledGraph>(part.take(), options);
  steps_.push_back(std::move(step));
}

void ControlProgram::add_control(const Node& node) {
  Step step;
  step.node = &node;
  step.inputs = graph::operands(node);
  step.outputs = node.results;
  for (const ValueId id : node.results) step.result_types.push_back(graph_[id].type);
  const graph::ControlParts parts = control_parts(node);
  for (const graph::Body& body : parts.bodies) {
    const bool is_scan = parts.kind == ops::Control::scan;
    Graph graph = is_scan ? with_slots(*body, parts.carry.size()) : *body;
    const GraphOptions options{.name = concat(options_.name, ".", body->name)};
    step.bodies.push_back(std::make_unique<CompiledGraph>(graph, options));
  }
  steps_.push_back(std::move(step));
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

std::vector<Tensor> ControlProgram::run(std::span<const Tensor* const> inputs) const {
  std::vector<Tensor> values(graph_.values.size());
  for (size_t i = 0; i < inputs.size(); ++i) values[at(graph_.inputs[i])] = *inputs[i];
  for (size_t i = 0; i < graph_.values.size(); ++i) {
    if (graph_.values[i].constant.defined()) values[i] = graph_.values[i].constant;
  }
  std::vector<Tensor> copied;
  for (const Step& step : steps_) {
    if (step.node != nullptr) {
      run_node(step, values);
      continue;
    }
    std::vector<const Tensor*> given;
    for (const ValueId id : step.inputs) given.push_back(&values[at(id)]);
    std::vector<Tensor> outputs = step.straight->run(given);
    copied.clear();
    for (size_t i = 0; i < step.outputs.size(); ++i) {
      if (graph_[step.outputs[i]].node < 0) {
        copied.push_back(std::move(outputs[i]));
      } else {
        values[at(step.outputs[i])] = std::move(outputs[i]);
      }
    }
  }
  std::vector<Tensor> results;
  size_t next = 0;
  for (size_t i = 0; i < graph_.outputs.size(); ++i) {
    results.push_back(is_copied_[i] ? copied[next++] : values[at(graph_.outputs[i])]);
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
