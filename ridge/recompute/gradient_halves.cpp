#include "ridge/recompute/gradient_halves.h"

#include <algorithm>
#include <set>

#include "ridge/graph/control.h"
#include "ridge/graph/pass.h"
#include "ridge/recompute/control_recompute.h"
#include "ridge/recompute/recompute_costs.h"
#include "ridge/schedule/plan_price.h"

namespace ridge::recompute {
namespace {

using aot::Joint;
using graph::Graph;
using graph::ValueId;
using schedule::Plan;

// Beside inputs and results, which somebody else holds.
int64_t saved_bytes(const aot::SplitGraphs& halves) {
  const Graph& forward = halves.forward;
  int64_t bytes = 0;
  for (size_t i = halves.output_count; i < forward.outputs.size(); ++i) {
    const graph::Type& type = forward[forward.outputs[i]].type;
    bytes += (numel(type.shape).hint_or(1) * type.dtype.bits + 7) / 8;
  }
  return bytes;
}

// Of a half; a plan only where there is no control flow.
ControlFigures figures_of(const Graph& half, const schedule::Options& options, int64_t budget,
                          Plan& plan) {
  if (graph::has_control(half)) return control_figures(half, options, budget);
  plan = schedule::schedule(half, options);
  return {.predicted_us = 1e6 * schedule::predicted_seconds(plan), .peak_bytes = peak_bytes(plan)};
}

PlannedHalves plan_halves(const Joint& joint, const schedule::Options& options,
                          int64_t budget = 0) {
  PlannedHalves planned{.halves = aot::split(joint), .forward = {}, .backward = {}, .point = {}};
  MemoryPoint& point = planned.point;
  point.kept_bytes = saved_bytes(planned.halves);
  point.kept = planned.halves.saved.size();
  schedule::Options of_backward = options;
  of_backward.input_strides = backward_strides(planned.halves, options.input_strides);
  planned.backward_budget = budget == 0 ? 0 : std::max<int64_t>(1, budget - point.kept_bytes);
  const ControlFigures forward =
      figures_of(planned.halves.forward, options, budget, planned.forward);
  const ControlFigures backward =
      figures_of(planned.halves.backward, of_backward, planned.backward_budget, planned.backward);
  point.predicted_us = forward.predicted_us + backward.predicted_us;
  point.peak_bytes = std::max(forward.peak_bytes, backward.peak_bytes + point.kept_bytes);
  return planned;
}

// Joint graphs as two programs each.
class HalvesPlanner final : public CutPlanner {
 public:
  HalvesPlanner(const Joint& joint, const schedule::Options& options, int64_t budget)
      : joint_(joint), options_(options), budget_(budget) {}

  MemoryPoint plan(Graph graph) override {
    last_ =
        plan_halves({std::move(graph), joint_.input_count, joint_.output_count}, options_, budget_);
    return last_.point;
  }
  MemoryPoint without_budget(const Graph& graph, const MemoryPoint& planned) override {
    if (budget_ == 0 || !graph::has_control(graph)) return planned;
    return plan_halves({graph, joint_.input_count, joint_.output_count}, options_).point;
  }
  void take() override { best_ = std::move(last_); }
  PlannedHalves& best() { return best_; }

 private:
  const Joint& joint_;
  const schedule::Options& options_;
  const int64_t budget_;
  PlannedHalves last_, best_;
};

bool is_array(const Plan& plan, int buffer) {
  return numel(plan.buffers[static_cast<size_t>(buffer)].shape).hint_or(2) > 1;
}

// The node by itself, over inputs of its operands' types.
Graph graph_of_one(const Graph& graph, const graph::Node& node) {
  Graph one;
  std::vector<ValueId> ids(graph.values.size());
  graph::Node copy = node;
  replace_operands(copy, [&](ValueId id) {
    ValueId& now = ids[static_cast<size_t>(id.index)];
    if (now.index >= 0) return now;
    const graph::Value& value = graph[id];
    return now = value.constant.defined() ? one.add_constant(value.constant)
                                          : one.add_input(value.type);
  });
  std::vector<graph::Type> types;
  for (const ValueId id : node.results) types.push_back(graph[id].type);
  const int32_t position =
      one.add_node(*copy.op, std::move(copy.args), std::move(types), node.where, node.scope);
  one.outputs = one.nodes[static_cast<size_t>(position)].results;
  return one;
}

std::vector<size_t> floating(const Graph& graph, const graph::ValueIds& ids) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (is_floating(graph[ids[i]].type.dtype)) positions.push_back(i);
  }
  return positions;
}

}  // namespace

Joint joint_of(Graph graph, const std::vector<size_t>& outputs, const std::vector<size_t>& wrt) {
  Joint joint = aot::join_gradients(std::move(graph), outputs, wrt);
  graph::PassContext context;
  joint.graph = graph::run_passes(std::move(joint.graph), graph::standard_passes(), context);
  return joint;
}

namespace {

CutPrices prices_of_joint(const Graph& joint, const schedule::Options& options) {
  if (graph::has_control(joint)) return control_prices(joint, options);
  const Plan whole = schedule::schedule(joint, options);
  return {recompute_costs(joint, whole), picoseconds_per_read_byte(whole)};
}

}  // namespace

GradientHalves choose_halves(const Joint& joint, const schedule::Options& options, int64_t budget) {
  HalvesPlanner planner(joint, options, budget);
  MemorySearch search(joint.graph, prices_of_joint(joint.graph, options), planner);
  GradientHalves made{.chosen = {}, .everything_saved = planner.best(), .decisions = {}};
  made.everything_saved.point.predicted_us = search.everything_kept().predicted_us;
  made.everything_saved.point.peak_bytes = search.everything_kept().peak_bytes;
  made.everything_saved.point.charge = -1;
  search.find(budget);
  made.chosen = std::move(planner.best());
  made.chosen.point.charge = search.best().charge;
  made.chosen.point.recomputed = search.best().recomputed;
  made.decisions = search.decisions();
  return made;
}

int64_t array_accesses(const Plan& plan) {
  int64_t count = 0;
  for (const schedule::KernelCall& call : plan.calls) {
    for (const schedule::KernelRun& run : schedule::runs_of(call)) {
      const std::set<int> buffers(run.buffers.begin(), run.buffers.end());
      count += std::ranges::count_if(buffers, [&](int buffer) { return is_array(plan, buffer); });
    }
  }
  return count;
}

int64_t unfused_accesses(const Graph& graph, const schedule::Options& options) {
  int64_t count = 0;
  for (const graph::Node& node : graph.nodes) {
    const Graph one = graph_of_one(graph, node);
    const Joint joint = joint_of(one, floating(one, one.outputs), floating(one, one.inputs));
    const PlannedHalves planned = plan_halves(joint, options);
    count += array_accesses(planned.forward) + array_accesses(planned.backward);
  }
  return count;
}

Strides backward_strides(const aot::SplitGraphs& halves, const Strides& inputs) {
  const size_t made = halves.read_again.size() + halves.saved.size();
  Strides strides(halves.backward.inputs.size() - made);
  for (const size_t input : halves.read_again) {
    strides.push_back(input < inputs.size() ? inputs[input] : std::nullopt);
  }
  return strides;
}

}  // namespace ridge::recompute
