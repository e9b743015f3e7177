#include "ridge/recompute/control_recompute.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "ridge/graph/control.h"
#include "ridge/graph/control_steps.h"
#include "ridge/graph/pass.h"
#include "ridge/recompute/recompute_costs.h"
#include "ridge/schedule/plan_price.h"

namespace ridge::recompute {
namespace {

using graph::Graph;
using graph::Node;
using graph::ValueId;
using graph::ValueIds;
using ops::Control;

int64_t bytes_in(const Graph& graph, ValueId id) {
  const graph::Type& type = graph[id].type;
  return (numel(type.shape).hint_or(1) * type.dtype.bits + 7) / 8;
}

int64_t bytes_in(const Graph& graph, std::span<const ValueId> ids) {
  int64_t bytes = 0;
  for (const ValueId id : ids) bytes += bytes_in(graph, id);
  return bytes;
}

// Of the inputs of a step, or of none where they are what a program made.
schedule::Options options_of_step(const Graph& graph, const graph::ControlStep& step,
                                  const schedule::Options& options) {
  schedule::Options own = options;
  own.input_strides.clear();
  for (const ValueId id : step.inputs) {
    const auto input = std::ranges::find(graph.inputs, id) - graph.inputs.begin();
    const bool is_known = std::cmp_less(input, options.input_strides.size());
    own.input_strides.push_back(is_known ? options.input_strides[static_cast<size_t>(input)]
                                         : std::nullopt);
  }
  return own;
}

// Bodies as programs. Many graphs that are planned have the same ones.
class BodyPlans {
 public:
  explicit BodyPlans(schedule::Options options) : options_(std::move(options)) {
    options_.input_strides.clear();
  }

  // In that much memory, if it can be done, and if that is asked for by `budgets`: then what was needed
  // is noted there.
  MemoryPoint plan(const graph::ControlParts& parts, size_t which, int64_t allowed,
                   BodyBudgets* budgets) {
    const Graph* key = parts.bodies[which].get();
    Known& body = known_[key];
    if (!body.graph) find(body, parts, which);
    if (budgets == nullptr || !body.is_decided || body.usual.peak_bytes <= allowed)
      return body.usual;
    if (body.curve.empty()) body.curve = memory_curve(*body.graph, options_);
    const int64_t budget = std::max(allowed, body.curve.back().peak_bytes);
    // Nodes may share a body, which is one program: the least that one of them leaves it.
    const auto noted = budgets->try_emplace(key, budget).first;
    noted->second = std::min(noted->second, budget);
    const auto [point, is_new] = body.in_budget.try_emplace(noted->second);
    if (is_new) {
      point->second = choose_recomputation(*body.graph, options_, noted->second).report.point;
    }
    return point->second;
  }

 private:
  struct Known {
    std::optional<Graph> graph;
    bool is_decided = false;  // what its gradients keep
    MemoryPoint usual;
    std::vector<MemoryPoint> curve;
    std::map<int64_t, MemoryPoint> in_budget;
  };

  void find(Known& body, const graph::ControlParts& parts, size_t which) {
    graph::PassContext context;
    body.graph = graph::run_passes(compiled_body(parts, which), graph::standard_passes(), context);
    const Graph& graph = *body.graph;
    body.is_decided = !graph::has_control(graph) && has_gradients(graph);
    if (body.is_decided) {
      body.usual = choose_recomputation(graph, options_).report.point;
    } else if (graph::has_control(graph)) {
      const ControlFigures inner = control_figures(graph, options_, 0);
      body.usual = {.predicted_us = inner.predicted_us, .peak_bytes = inner.peak_bytes};
    } else {
      const schedule::Plan plan = schedule::schedule(graph, options_);
      body.usual = {.predicted_us = 1e6 * schedule::predicted_seconds(plan),
                    .peak_bytes = peak_bytes(plan)};
    }
  }

  schedule::Options options_;
  std::map<const Graph*, Known> known_;
};

// The steps of a graph, one after the other, with the memory that is alive.
class Simulation {
 public:
  Simulation(const Graph& graph, const schedule::Options& options, BodyPlans& bodies,
             int64_t budget)
      : graph_(graph), options_(options), bodies_(bodies), budget_(budget) {}

  ControlFigures run() {
    const std::vector<graph::ControlStep> steps = control_steps(graph_, graph_.name);
    const std::vector<ValueIds> let_go = let_go_after(graph_, steps);
    for (size_t i = 0; i < steps.size(); ++i) {
      const int64_t needed = steps[i].straight ? straight(steps[i]) : control(steps[i]);
      figures_.peak_bytes = std::max(figures_.peak_bytes, alive_ + needed);
      alive_ += bytes_in(graph_, steps[i].outputs);
      for (const ValueId id : let_go[i]) {
        if (graph_[id].node >= 0) alive_ -= bytes_in(graph_, id);
      }
    }
    return std::move(figures_);
  }

 private:
  int64_t straight(const graph::ControlStep& step) {
    const schedule::Plan plan =
        schedule::schedule(*step.straight, options_of_step(graph_, step, options_));
    figures_.predicted_us += 1e6 * schedule::predicted_seconds(plan);
    return peak_bytes(plan);
  }

  // A step of a loop has the carry that it was given beside the one that it makes.
  int64_t control(const graph::ControlStep& step) {
    const graph::ControlParts parts = control_parts(*step.node);
    const auto carried = static_cast<ptrdiff_t>(parts.carry.size());
    const std::span<const ValueId> results = step.outputs;
    int64_t held = parts.kind == Control::cond ? 0 : bytes_in(graph_, parts.carry);
    if (parts.kind == Control::scan) {
      held += bytes_in(graph_, results.subspan(static_cast<size_t>(carried)));
    }
    const int64_t steps = parts.kind == Control::scan ? parts.length.hint_or(1)
                          : parts.kind == Control::while_loop
                              ? std::max<int64_t>(parts.max_steps, 1)
                              : 1;
    int64_t most = 0;
    double us = 0;
    for (size_t i = 0; i < parts.bodies.size(); ++i) {
      const MemoryPoint body = bodies_.plan(parts, i, budget_ - alive_ - held,
                                            budget_ > 0 ? &figures_.budgets : nullptr);
      const bool is_choice = parts.kind == Control::cond;
      us = is_choice ? std::max(us, body.predicted_us) : us + body.predicted_us;
      most = std::max(most, body.peak_bytes);
    }
    figures_.predicted_us += static_cast<double>(steps) * us;
    return held + most;
  }

  const Graph& graph_;
  const schedule::Options& options_;
  BodyPlans& bodies_;
  const int64_t budget_;
  ControlFigures figures_;
  int64_t alive_ = 0;
};

class ControlPlanner final : public CutPlanner {
 public:
  ControlPlanner(const schedule::Options& options, int64_t budget)
      : options_(options), bodies_(options), budget_(budget) {}

  MemoryPoint plan(Graph graph) override {
    last_.graph = std::move(graph);
    ControlFigures figures = Simulation(last_.graph, options_, bodies_, budget_).run();
    last_.budgets = std::move(figures.budgets);
    return {.predicted_us = figures.predicted_us, .peak_bytes = figures.peak_bytes};
  }
  MemoryPoint without_budget(const Graph& graph, const MemoryPoint& planned) override {
    if (budget_ == 0) return planned;
    const ControlFigures figures = Simulation(graph, options_, bodies_, 0).run();
    MemoryPoint point = planned;
    point.predicted_us = figures.predicted_us;
    point.peak_bytes = figures.peak_bytes;
    return point;
  }
  void take() override { best_ = std::move(last_); }
  ControlRecomputation& best() { return best_; }

 private:
  const schedule::Options& options_;
  BodyPlans bodies_;
  const int64_t budget_;
  ControlRecomputation last_, best_;
};

// Parts do not see what leads to them: what depends on a gradient says so itself.
Graph with_marks(Graph graph) {
  const std::vector<bool> is_backward = aot::backward_nodes(graph);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    graph::Node& node = graph.nodes[i];
    const bool is_marked = graph::is_of_gradient(node) || node.phase == graph::Phase::optimizer;
    if (is_backward[i] && !is_marked) node.phase = graph::Phase::backward;
  }
  return graph;
}

// Of the values that a straight part computes. What leaves it is held by nobody else, unless it is an
// output of the whole.
void add_costs(const Graph& whole, const graph::ControlStep& step, const schedule::Plan& plan,
               std::vector<aot::ValueCost>& costs) {
  const std::vector<aot::ValueCost> own = recompute_costs(*step.straight, plan);
  for (size_t i = 0; i < step.nodes.size(); ++i) {
    const ValueIds& results = whole.nodes[static_cast<size_t>(step.nodes[i])].results;
    const ValueIds& there = step.straight->nodes[i].results;
    for (size_t r = 0; r < results.size(); ++r) {
      aot::ValueCost& cost = costs[static_cast<size_t>(results[r].index)];
      cost = own[static_cast<size_t>(there[r].index)];
      const bool is_output = std::ranges::count(whole.outputs, results[r]) > 0;
      if (cost.can_be_kept && !is_output) cost.bytes = bytes_in(whole, results[r]);
    }
  }
}

}  // namespace

bool has_gradients_within(const Graph& graph) {
  return std::ranges::any_of(graph.nodes, [](const Node& node) {
    if (graph::is_of_gradient(node)) return true;
    if (!graph::is_control(node)) return false;
    const auto bodies = control_parts(node).bodies;
    return std::ranges::any_of(bodies,
                               [](const graph::Body& one) { return has_gradients_within(*one); });
  });
}

ControlFigures control_figures(const Graph& graph, const schedule::Options& options,
                               int64_t budget) {
  BodyPlans bodies(options);
  return Simulation(graph, options, bodies, budget).run();
}

CutPrices control_prices(const Graph& graph, const schedule::Options& options) {
  CutPrices prices{std::vector<aot::ValueCost>(graph.values.size()), 0};
  for (const graph::ControlStep& step : control_steps(graph, graph.name)) {
    if (!step.straight) continue;
    const schedule::Plan plan =
        schedule::schedule(*step.straight, options_of_step(graph, step, options));
    // A part that fits a cache says nothing of what the others hold in memory.
    prices.per_byte = std::max(prices.per_byte, picoseconds_per_read_byte(plan));
    add_costs(graph, step, plan, prices.costs);
  }
  for (size_t i = 0; i < graph.values.size(); ++i) {
    const ValueId id{static_cast<int32_t>(i)};
    const int32_t maker = graph[id].node;
    if (maker >= 0 && !graph::is_control(graph.nodes[static_cast<size_t>(maker)])) continue;
    const auto bytes = static_cast<double>(bytes_in(graph, id));
    prices.costs[i].read = static_cast<int64_t>(bytes * prices.per_byte);
    if (maker >= 0) prices.costs[i].bytes = bytes_in(graph, id);
  }
  return prices;
}

ControlRecomputation choose_control_recomputation(const Graph& graph,
                                                  const schedule::Options& options,
                                                  int64_t budget) {
  const Graph marked = with_marks(graph);
  ControlPlanner planner(options, budget);
  MemorySearch search(marked, control_prices(marked, options), planner);
  search.find(budget);
  ControlRecomputation chosen = std::move(planner.best());
  chosen.report = {search.decisions(), search.best(), search.everything_kept()};
  return chosen;
}

}  // namespace ridge::recompute
