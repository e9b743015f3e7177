#include "ridge/driver/recompute.h"

#include <algorithm>
#include <utility>

#include "ridge/aot/partition.h"
#include "ridge/driver/kernel_row.h"
#include "ridge/driver/recompute_costs.h"
#include "ridge/graph/symbols.h"

namespace ridge::driver {
namespace {

using graph::Graph;
using schedule::Plan;

CutPrices prices_of(const Graph& graph, const Plan& plan) {
  CutPrices prices{recompute_costs(graph, plan), picoseconds_per_read_byte(plan)};
  prices.is_stored.resize(graph.values.size());
  for (const schedule::PlannedBuffer& buffer : plan.buffers) {
    prices.is_stored[static_cast<size_t>(buffer.value.index)] = true;
  }
  return prices;
}

// Graphs as one program each.
class WholePlanner final : public Planner {
 public:
  explicit WholePlanner(const schedule::Options& options) : options_(options) {}

  MemoryPoint plan(Graph graph) override {
    last_ = {.graph = std::move(graph), .plan = {}};
    last_.plan = schedule::schedule(last_.graph, options_);
    return {.predicted_us = predicted_run_us(last_.plan, last_.graph),
            .peak_bytes = peak_bytes(last_.plan)};
  }
  void take() override { best_ = std::move(last_); }

  const Plan& last_plan() const { return last_.plan; }
  Recomputation& best() { return best_; }

 private:
  const schedule::Options& options_;
  Recomputation last_, best_;
};

// The graph as it is gives prices.
MemorySearch search_of(const Graph& graph, WholePlanner& planner) {
  const MemoryPoint point = planner.plan(graph);
  CutPrices prices = prices_of(graph, planner.last_plan());
  planner.take();
  return MemorySearch(graph, std::move(prices), planner, point);
}

}  // namespace

bool has_gradients(const Graph& graph) {
  return std::ranges::any_of(graph.nodes, graph::is_of_gradient);
}

double predicted_run_us(const Plan& plan, const Graph& graph) {
  double sum = 0;
  for (const KernelRow& row : rows_of(plan, graph)) sum += row.time_us();
  return sum;
}

int64_t peak_bytes(const Plan& plan) {
  int64_t bytes = plan.arena_bytes;
  for (const schedule::PlannedBuffer& buffer : plan.buffers) {
    const bool is_apart = buffer.kind == schedule::BufferKind::temporary && buffer.offset < 0;
    if (buffer.kind != schedule::BufferKind::output && !is_apart) continue;
    bytes += (numel(buffer.shape).hint_or(1) * buffer.dtype.bits + 7) / 8;
  }
  return bytes;
}

Recomputation choose_recomputation(const Graph& graph, const schedule::Options& options,
                                   int64_t budget) {
  WholePlanner planner(options);
  MemorySearch search = search_of(graph, planner);
  search.find(budget);
  Recomputation chosen = std::move(planner.best());
  chosen.report = {search.decisions(), search.best(), search.everything_kept()};
  chosen.cut = search.cut();
  return chosen;
}

std::optional<SymbolicRecomputation> choose_by_hints(const Graph& graph,
                                                     schedule::Options options) {
  graph::SymbolSizes sizes;
  for (const Ref<const expr::Symbol>& symbol : graph::symbols_of(graph)) {
    if (!symbol->expected() && !symbol->hint()) return std::nullopt;
    sizes[symbol->id()] = symbol->expected() ? symbol->expected()->value : symbol->hint()->value;
  }
  for (std::optional<Shape>& strides : options.input_strides) {
    if (!strides) continue;
    strides = graph::substitute(*strides, sizes);
    // A symbol of strides alone.
    if (std::ranges::any_of(*strides, [](const Size& one) { return one.is_symbolic(); })) {
      return std::nullopt;
    }
  }
  Recomputation chosen = choose_recomputation(graph::substitute(graph, sizes), options);
  // Values have the same numbers there.
  return SymbolicRecomputation{chosen.cut ? aot::recompute(graph, *chosen.cut) : graph,
                               std::move(chosen.report)};
}

std::vector<MemoryPoint> memory_curve(const Graph& graph, const schedule::Options& options) {
  WholePlanner planner(options);
  return search_of(graph, planner).curve();
}

}  // namespace ridge::driver
