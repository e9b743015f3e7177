// Save or recompute, for a whole program: which forward values its gradients keep, and which they
// compute again, by predicted time, within a budget of memory.
//
//   Recomputation chosen = choose_recomputation(graph, options, budget);
//   chosen.plan                     // of chosen.graph, ready to be built
//   chosen.report.point.peak_bytes, chosen.report.everything_kept.peak_bytes
//
// The plan that keeps everything gives prices; a minimum cut by these prices (aot/partition.h) gives
// another graph, which is planned and priced as a whole: it is taken only if it is no slower and needs
// no more memory. A budget is met by charging for each byte that is kept, more and more, and simulating
// what each cut needs: the fastest program that fits is taken, and if none fits that is an error.
//
// Peak: temporaries as they lie in the arena, and what the program hands out. Arguments (parameters,
// states, data) are there before and after, and not counted.
#pragma once

#include <optional>
#include <vector>

#include "ridge/aot/partition.h"
#include "ridge/recompute/memory_search.h"
#include "ridge/schedule/plan.h"

namespace ridge::recompute {

struct RecomputeReport {
  std::vector<aot::SavedOrRecomputed> decisions{};  // about values of the graph that came in
  MemoryPoint point{};
  MemoryPoint everything_kept{};
};

struct Recomputation {
  graph::Graph graph;
  schedule::Plan plan;
  RecomputeReport report{};
  // What of the graph that came in is computed again; nothing where `graph` is that graph.
  std::optional<aot::Partition> cut{};
};

// Has the graph nodes of a gradient?
bool has_gradients(const graph::Graph& graph);

// Temporaries and outputs of a plan, in bytes.
int64_t peak_bytes(const schedule::Plan& plan);

// In: a functional graph without control flow, as the passes leave it. `budget`: bytes; 0 for none.
// Error{memory} that says the smallest budget, where it cannot be met.
Recomputation choose_recomputation(const graph::Graph& graph, const schedule::Options& options,
                                   int64_t budget = 0);

// The same for a graph with symbols, decided at the sizes that are expected of them: without a budget,
// and without a plan. Choices by these sizes leave no guards. Nothing where a symbol has no such size.
struct SymbolicRecomputation {
  graph::Graph graph;
  RecomputeReport report;  // at these sizes
};
std::optional<SymbolicRecomputation> choose_by_hints(const graph::Graph& graph,
                                                     schedule::Options options);

// What can be had: the lower envelope of time against memory, least memory last.
std::vector<MemoryPoint> memory_curve(const graph::Graph& graph, const schedule::Options& options);

// A graph that passes have run over, planned as for that device: what gradients keep is decided for it too.
struct PlannedGraph {
  graph::Graph graph;
  schedule::Plan plan;
};
PlannedGraph planned_for(const graph::Graph& graph, const schedule::Options& options,
                         int64_t memory_budget = 0);

// What gradients keep and what they compute again, as lines for a reader:
//
//   what gradients keep, 2.0 MiB of forward values; most bytes first
//     tanh f32[4096, 64] (3 times): recomputed: checkpoint (keeping 0.61 us, again 0.2 us)
//
// `graph`: the one that was decided about. Values of one op and type, with one reason, share a line.
std::string to_text(const RecomputeReport& report, const graph::Graph& graph);

}  // namespace ridge::recompute
