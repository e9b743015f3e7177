#include "ridge/recompute/recompute.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "ridge/aot/partition.h"
#include "ridge/base/text.h"
#include "ridge/graph/pass.h"
#include "ridge/graph/symbols.h"
#include "ridge/recompute/recompute_costs.h"
#include "ridge/schedule/plan_price.h"

namespace ridge::recompute {
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
class WholePlanner final : public CutPlanner {
 public:
  explicit WholePlanner(const schedule::Options& options) : options_(options) {}

  MemoryPoint plan(Graph graph) override {
    last_ = {.graph = std::move(graph), .plan = {}};
    last_.plan = schedule::schedule(last_.graph, options_);
    return {.predicted_us = 1e6 * schedule::predicted_seconds(last_.plan),
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

constexpr size_t kKeptShown = 8;

struct KeptLine {
  std::string what;
  Decision decision;
  size_t count = 0;
  int64_t bytes = 0;
};

std::vector<KeptLine> kept_lines(const RecomputeReport& report, const graph::Graph& graph) {
  std::map<std::tuple<std::string, std::string, bool>, KeptLine> found;
  for (const aot::SavedOrRecomputed& one : report.decisions) {
    const graph::Node& node = graph.nodes[static_cast<size_t>(graph[one.value].node)];
    const std::string what = concat(node.op->name(), " ", to_text(graph[one.value].type));
    KeptLine& line = found[{what, one.decision.reason, one.decision.verdict}];
    if (line.count++ == 0) {
      line.what = what;
      line.decision = one.decision;
    }
    line.bytes += one.bytes;
  }
  std::vector<KeptLine> lines;
  for (auto& [key, line] : found) lines.push_back(std::move(line));
  std::ranges::stable_sort(lines, std::ranges::greater(), &KeptLine::bytes);
  return lines;
}

}  // namespace

bool has_gradients(const Graph& graph) {
  return std::ranges::any_of(graph.nodes, graph::is_of_gradient);
}

int64_t peak_bytes(const Plan& plan) {
  int64_t bytes = plan.arena_bytes;
  for (const schedule::PlannedBuffer& buffer : plan.buffers) {
    const bool is_apart = buffer.kind == BufferKind::temporary && buffer.offset < 0;
    if (buffer.kind != BufferKind::output && !is_apart) continue;
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

PlannedGraph planned_for(const Graph& graph, const schedule::Options& options,
                         int64_t memory_budget) {
  if (!has_gradients(graph) || graph::is_disabled("recompute")) {
    return {graph, schedule::schedule(graph, options)};
  }
  Recomputation decided = choose_recomputation(graph, options, memory_budget);
  return {std::move(decided.graph), std::move(decided.plan)};
}

std::string to_text(const RecomputeReport& report, const graph::Graph& graph) {
  const std::vector<KeptLine> lines = kept_lines(report, graph);
  if (lines.empty()) return "";
  int64_t kept = 0;
  for (const KeptLine& line : lines) kept += line.decision ? line.bytes : 0;
  std::string text =
      concat("what gradients keep, ", Bytes(kept), " of forward values; most bytes first\n");
  for (size_t i = 0; i < std::min(lines.size(), kKeptShown); ++i) {
    const KeptLine& line = lines[i];
    text += concat("  ", line.what, line.count > 1 ? concat(" (", line.count, " times)") : "",
                   line.decision ? ": kept: " : ": recomputed: ", line.decision.reason);
    if (line.decision.cost_if_yes_us && line.decision.cost_if_no_us) {
      text += concat(" (keeping ", Microseconds(*line.decision.cost_if_yes_us), ", again ",
                     Microseconds(*line.decision.cost_if_no_us), ")");
    }
    text += "\n";
  }
  if (lines.size() > kKeptShown) text += concat("  and ", lines.size() - kKeptShown, " more\n");
  return text + "\n";
}

}  // namespace ridge::recompute
