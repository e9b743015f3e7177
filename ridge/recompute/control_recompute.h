// Save or recompute for a program with control flow: what recompute.h does for a straight one.
//
// Straight parts are planned one by one (graph/control_steps.h), and the peak is simulated over the steps: what
// is alive between them, and what a step needs besides. Gradients of control flow are never computed
// again themselves; a body that has gradients inside (a scan over parts of a batch) gets what the rest
// leaves of the budget.
//
// Within bodies of bodies nothing is searched for: they count as they are.
#pragma once

#include <map>

#include "ridge/recompute/memory_search.h"
#include "ridge/recompute/recompute.h"
#include "ridge/schedule/plan.h"

namespace ridge::recompute {

// By body of a node, as it is in the graph.
using BodyBudgets = std::map<const graph::Graph*, int64_t>;

// Has the graph, or a body in it, nodes of a gradient?
bool has_gradients_within(const graph::Graph& graph);

// Time and peak of a graph, straight or not; bodies at their default, or in the budgets that it takes to
// meet `budget` (0 for none).
struct ControlFigures {
  double predicted_us = 0;
  int64_t peak_bytes = 0;
  BodyBudgets budgets{};
};
ControlFigures control_figures(const graph::Graph& graph, const schedule::Options& options,
                               int64_t budget);

// What cuts of such a graph go by; of a straight one too.
CutPrices control_prices(const graph::Graph& graph, const schedule::Options& options);

struct ControlRecomputation {
  graph::Graph graph;
  BodyBudgets budgets;
  RecomputeReport report;
};
// Error{memory} that says the smallest budget, where it cannot be met.
ControlRecomputation choose_control_recomputation(const graph::Graph& graph,
                                                  const schedule::Options& options, int64_t budget);

}  // namespace ridge::recompute
