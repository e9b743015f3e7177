#include "ridge/graph/control_steps.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "ridge/base/text.h"
#include "ridge/graph/symbols.h"

namespace ridge::graph {

namespace {

size_t number_of(ValueId id) { return static_cast<size_t>(id.index); }

// How many nodes of control flow lead to each value, one by one.
class Levels {
 public:
  explicit Levels(const Graph& graph) : graph_(graph), of_value_(graph.values.size()) {
    for (const Node& node : graph.nodes) {
      set(node, level_of(node) + (is_control(node) ? 1 : 0));
    }
    delay_recomputed();
  }

  size_t level_of(const Node& node) const {  // of what it reads
    size_t level = 0;
    for (const ValueId id : operands(node)) {
      level = std::max(level, of_value_[number_of(id)]);
    }
    return level;
  }
  size_t level_of_results(const Node& node) const { return of_value_[number_of(node.results[0])]; }
  size_t last() const { return *std::ranges::max_element(of_value_); }

 private:
  void set(const Node& node, size_t level) {
    for (const ValueId id : node.results) of_value_[number_of(id)] = level;
  }

  // Readers come later, so walking backwards their levels are settled.
  void delay_recomputed() {
    constexpr size_t kNobody = std::numeric_limits<size_t>::max();
    std::vector<size_t> first_reader(graph_.values.size(), kNobody);
    for (const ValueId id : graph_.outputs) first_reader[number_of(id)] = 0;
    for (const Update& u : graph_.updates) first_reader[number_of(u.value)] = 0;
    for (size_t i = graph_.nodes.size(); i-- > 0;) {
      const Node& node = graph_.nodes[i];
      const size_t reader = first_reader[number_of(node.results[0])];
      const bool is_delayed = node.phase == Phase::recomputed && !is_control(node) &&
                              reader != kNobody && reader > level_of_results(node);
      if (is_delayed) set(node, reader);
      const size_t here = level_of_results(node) - (is_control(node) ? 1 : 0);
      for (const ValueId id : operands(node)) {
        first_reader[number_of(id)] = std::min(first_reader[number_of(id)], here);
      }
    }
  }

  const Graph& graph_;
  std::vector<size_t> of_value_;
};

class StepBuilder {
 public:
  StepBuilder(const Graph& graph, const std::string& name)
      : graph_(graph), name_(name), levels_(graph) {}

  std::vector<ControlStep> run() {
    const size_t last = levels_.last();
    for (size_t level = 0; level <= last; ++level) {
      add_straight(level, level == last);
      for (const Node& node : graph_.nodes) {
        if (!is_control(node) || levels_.level_of_results(node) != level + 1) continue;
        ControlStep& step = steps_.emplace_back();
        step.node = &node;
        step.inputs = operands(node);
        step.outputs = node.results;
      }
    }
    return std::move(steps_);
  }

 private:
  bool is_here(const Node& node, size_t level) const {
    return !is_control(node) && levels_.level_of_results(node) == level;
  }

  // By value: does another step read it, or is it an output?
  std::vector<bool> read_elsewhere(size_t level, bool is_last) const {
    std::vector<bool> is_read(graph_.values.size());
    const auto mark = [&](ValueId id) { is_read[number_of(id)] = true; };
    for (const Node& node : graph_.nodes) {
      if (!is_here(node, level)) std::ranges::for_each(operands(node), mark);
    }
    for (const ValueId id : graph_.outputs) mark(id);
    if (!is_last) {
      for (const Update& u : graph_.updates) mark(u.value);
    }
    return is_read;
  }

  void add_straight(size_t level, bool is_last) {
    Part part(graph_, concat(name_, ".", steps_.size()));
    ControlStep step;
    const std::vector<bool> is_read = read_elsewhere(level, is_last);
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (!is_here(node, level)) continue;
      part.copy(node);
      step.nodes.push_back(static_cast<int32_t>(i));
      std::ranges::copy_if(node.results, std::back_inserter(step.outputs),
                           [&](ValueId id) { return is_read[number_of(id)]; });
    }
    if (is_last) {
      std::ranges::copy_if(graph_.outputs, std::back_inserter(step.outputs),
                           [&](ValueId id) { return graph_[id].node < 0; });
      for (const Update& u : graph_.updates) part.add_update(u);
    }
    for (const ValueId id : step.outputs) part.add_output(id);
    if (step.outputs.empty() && (!is_last || graph_.updates.empty())) return;
    step.inputs = part.inputs();
    step.straight = part.take();
    steps_.push_back(std::move(step));
  }

  const Graph& graph_;
  const std::string& name_;
  const Levels levels_;
  std::vector<ControlStep> steps_;
};

}  // namespace

std::vector<ControlStep> control_steps(const Graph& graph, const std::string& name) {
  return StepBuilder(graph, name).run();
}

std::vector<ValueIds> let_go_after(const Graph& graph, std::span<const ControlStep> steps) {
  constexpr size_t kNever = std::numeric_limits<size_t>::max();
  std::vector<size_t> last(graph.values.size(), kNever);
  for (size_t i = 0; i < steps.size(); ++i) {
    for (const ValueId id : steps[i].outputs) last[number_of(id)] = i;
    for (const ValueId id : steps[i].inputs) last[number_of(id)] = i;
  }
  for (const ValueId id : graph.outputs) last[number_of(id)] = kNever;
  std::vector<ValueIds> values(steps.size());
  for (size_t i = 0; i < last.size(); ++i) {
    if (last[i] != kNever) values[last[i]].push_back({static_cast<int32_t>(i)});
  }
  return values;
}

Graph compiled_body(const ControlParts& parts, size_t body) {
  Graph graph = *parts.bodies[body];
  if (parts.kind != ops::Control::scan) return graph;
  const size_t kept = parts.carry.size();
  for (size_t i = kept; i < graph.outputs.size(); ++i) {
    Type type = graph[graph.outputs[i]].type;
    type.is_weak = false;
    const ValueId slot = graph.add_input(std::move(type), concat("y", i - kept));
    graph.updates.push_back({slot, graph.outputs[i]});
  }
  graph.outputs.resize(kept);
  return graph;
}

}  // namespace ridge::graph
