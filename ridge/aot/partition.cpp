#include "ridge/aot/partition.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ridge/base/text.h"
#include "ridge/graph/control.h"

namespace ridge::aot {

using graph::Graph;
using graph::Node;
using graph::ValueId;
using graph::ValueIds;

namespace {

size_t at(ValueId id) { return static_cast<size_t>(id.index); }

// Values of the forward graph that a gradient node reads; constants are at hand everywhere.
std::vector<bool> read_by_gradients(const Graph& graph, const std::vector<bool>& is_backward) {
  std::vector<bool> is_read(graph.values.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!is_backward[i]) continue;
    for (const ValueId id : graph::operands(graph.nodes[i])) {
      const int32_t maker = graph[id].node;
      const bool is_forward = maker < 0 || !is_backward[static_cast<size_t>(maker)];
      if (is_forward && !graph[id].constant.defined()) is_read[at(id)] = true;
    }
  }
  return is_read;
}

// These and everything they are computed from.
std::vector<bool> with_origins(const Graph& graph, std::vector<bool> is_wanted) {
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    if (std::ranges::none_of(node.results, [&](ValueId id) { return is_wanted[at(id)]; })) continue;
    for (const ValueId id : graph::operands(node)) {
      if (!graph[id].constant.defined()) is_wanted[at(id)] = true;
    }
  }
  return is_wanted;
}

// The checkpoint of each node; 0 for none.
std::vector<int32_t> regions_of(const Graph& graph) {
  std::vector<int32_t> regions;
  for (const Node& node : graph.nodes) regions.push_back(node.region);
  return regions;
}

// Values that only forward nodes of their own region read. What is seen outside through a view is a
// result of the region like the view.
std::vector<bool> inside_regions(const Graph& graph, std::span<const int32_t> regions,
                                 std::span<const ValueCost> costs) {
  const std::vector<bool> is_backward = backward_nodes(graph);
  std::vector<bool> is_result(graph.values.size());
  for (const ValueId id : graph.outputs) is_result[at(id)] = true;
  for (const graph::Update& u : graph.updates) is_result[at(u.value)] = true;
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    if (is_backward[i]) continue;
    const ValueId made = node.results[0];
    const bool is_seen_through = !costs[at(made)].can_be_kept && is_result[at(made)];
    for (const ValueId id : graph::operands(node)) {
      const int32_t maker = graph[id].node;
      if (maker < 0) continue;
      const bool is_other = regions[static_cast<size_t>(maker)] != regions[i];
      if (is_other || is_seen_through) is_result[at(id)] = true;
    }
  }
  std::vector<bool> is_inside(graph.values.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (regions[i] == 0 || is_backward[i] || graph::is_control(node)) continue;
    for (const ValueId id : node.results) {
      is_inside[at(id)] = !is_result[at(id)] && costs[at(id)].recompute < kUncut;
    }
  }
  return is_inside;
}

int64_t sum_of(int64_t a, int64_t b) { return std::min(kUncut, a + b); }

int64_t price_of_bytes(int64_t bytes, double picoseconds_per_byte) {
  const double price = static_cast<double>(bytes) * picoseconds_per_byte;
  return price >= static_cast<double>(kUncut) / 2 ? kUncut / 2
                                                  : static_cast<int64_t>(std::llround(price));
}

class Cutting {
 public:
  Cutting(const Graph& graph, std::span<const ValueCost> costs, const MemoryCharge& charge)
      : graph_(graph),
        costs_(costs),
        is_read_(read_by_gradients(graph, backward_nodes(graph))),
        is_needed_(with_origins(graph, is_read_)),
        is_inside_(inside_regions(graph, regions_of(graph), costs)),
        charge_(charge) {
    number_.assign(graph_.values.size(), 0);
    for (size_t i = 0; i < graph_.values.size(); ++i) {
      if (!is_needed_[i]) continue;
      number_[i] = values_.size();
      values_.push_back({static_cast<int32_t>(i)});
    }
  }

  // What is inside of these regions cannot be kept either.
  void add_regions(std::span<const int32_t> regions) {
    const std::vector<bool> is_inside = inside_regions(graph_, regions, costs_);
    for (size_t i = 0; i < is_inside.size(); ++i) {
      if (is_inside[i]) is_inside_[i] = true;
    }
  }

  Partition keep_everything() {
    Partition result;
    result.is_kept.resize(graph_.values.size());
    for (const ValueId id : values_) result.is_kept[at(id)] = price_of_keeping(id) < kUncut;
    result.marks_all_kept = false;
    decide(result);
    return result;
  }

  Partition run() {
    const Cut cut = cut_network();
    RIDGE_INTERNAL_CHECK(cut.capacity < kUncut,
                         "a value that a gradient needs can be neither kept nor computed again");
    const auto is_forward = [&](size_t place) { return cut.is_on_source_side[place]; };
    Partition result;
    result.is_kept.resize(graph_.values.size());
    for (const ValueId id : values_) {
      const bool is_at_hand = !is_forward(out(id));
      result.is_kept[at(id)] = is_at_hand && is_forward(in(id));
    }
    decide(result);
    return result;
  }

 private:
  static constexpr size_t kSource = 0, kSink = 1;
  size_t in(ValueId id) const { return 2 + 2 * number_[at(id)]; }
  size_t out(ValueId id) const { return in(id) + 1; }
  const ValueCost& cost(ValueId id) const { return costs_[at(id)]; }

  int64_t price_of_keeping(ValueId id) const {
    const ValueCost& one = cost(id);
    if (!one.can_be_kept || is_inside_[at(id)]) return kUncut;
    return sum_of(sum_of(one.write, one.read), price_of_bytes(one.bytes, charge_.of(id)));
  }
  int64_t price_of_recomputing(ValueId id) const {
    const int32_t node = graph_[id].node;
    const bool is_fixed = node < 0 || graph::is_control(graph_.nodes[static_cast<size_t>(node)]);
    return is_fixed ? kUncut : cost(id).recompute;
  }

  Cut cut_network() {
    FlowNetwork network(2 + 2 * values_.size());
    for (const ValueId id : values_) {
      network.add_edge(kSource, in(id), price_of_recomputing(id));
      network.add_edge(in(id), out(id), price_of_keeping(id));
      if (is_read_[at(id)]) network.add_edge(out(id), kSink, kUncut);
      if (graph_[id].node < 0) continue;
      for (const ValueId from : graph::operands(maker_of(id))) {
        if (is_needed_[at(from)]) network.add_edge(out(from), in(id), kUncut);
      }
    }
    return network.cut(kSource, kSink);
  }

  const Node& maker_of(ValueId id) const {
    return graph_.nodes[static_cast<size_t>(graph_[id].node)];
  }

  // What the gradient needs with this cut, from what it reads back to what is kept.
  void decide(Partition& result) const {
    std::vector<bool> is_used = is_read_;
    for (size_t i = values_.size(); i-- > 0;) {
      const ValueId id = values_[i];
      if (!is_used[at(id)] || result.is_kept[at(id)]) continue;
      for (const ValueId from : graph::operands(maker_of(id))) is_used[at(from)] = true;
    }
    const std::vector<int64_t> again = prices_from_at_hand(is_used);
    for (const ValueId id : values_) {
      if (!is_used[at(id)]) {
        result.is_kept[at(id)] = false;
        continue;
      }
      const bool is_kept = result.is_kept[at(id)];
      if (graph_[id].node < 0 || !cost(id).can_be_kept) continue;  // inputs and views: no choice
      result.kept_bytes += is_kept ? cost(id).bytes : 0;
      result.decisions.push_back(
          {id, cost(id).bytes, decision(id, is_kept, again[at(id)], is_used)});
    }
  }

  // By value: what computing it takes, with what leads to it and is not at hand; that may be kept or
  // computed in turn. Two ways to one value count it twice.
  std::vector<int64_t> prices_from_at_hand(const std::vector<bool>& is_at_hand) const {
    std::vector<int64_t> prices(graph_.values.size());
    for (const ValueId id : values_) {
      int64_t& price = prices[at(id)] = price_of_recomputing(id);
      if (graph_[id].node < 0) continue;
      for (const ValueId from : graph::operands(maker_of(id))) {
        if (!is_needed_[at(from)] || is_at_hand[at(from)]) continue;
        price = sum_of(price, std::min(time_of_keeping(from), prices[at(from)]));
      }
    }
    return prices;
  }

  int64_t time_of_keeping(ValueId id) const {
    const bool is_possible = cost(id).can_be_kept && !is_inside_[at(id)];
    return is_possible ? sum_of(cost(id).write, cost(id).read) : kUncut;
  }

  Decision decision(ValueId id, bool is_kept, int64_t again,
                    const std::vector<bool>& is_at_hand) const {
    const int64_t keep = sum_of(cost(id).write, cost(id).read);
    if (again >= kUncut) return Decision::yes("it cannot be computed again");
    if (is_inside_[at(id)]) {
      const bool is_of_user = maker_of(id).region > 0;
      return Decision::no(is_of_user ? "checkpoint" : "computed again with its segment")
          .priced(1e-6 * static_cast<double>(keep), 1e-6 * static_cast<double>(again));
    }
    Decision made = is_kept ? Decision::yes(why_kept(id, keep, again, is_at_hand))
                            : Decision::no(keep > again ? "computing it again takes less"
                                                        : "its memory is worth more");
    return std::move(made).priced(1e-6 * static_cast<double>(keep),
                                  1e-6 * static_cast<double>(again));
  }

  std::string why_kept(ValueId id, int64_t keep, int64_t again,
                       const std::vector<bool>& is_at_hand) const {
    if (cost(id).write == 0) return "it is in memory anyway";
    if (keep > again) return "what computing it again reads would be kept instead";
    const bool is_chain = std::ranges::any_of(graph::operands(maker_of(id)), [&](ValueId from) {
      return is_needed_[at(from)] && !is_at_hand[at(from)] && graph_[from].node >= 0;
    });
    return is_chain ? "keeping it takes less than computing it and what leads to it again"
                    : "keeping it takes less than computing it again";
  }

  const Graph& graph_;
  std::span<const ValueCost> costs_;
  std::vector<bool> is_read_;    // by value: by a gradient node
  std::vector<bool> is_needed_;  // by value: what those are computed from, too
  std::vector<bool> is_inside_;  // by value: of a checkpoint
  MemoryCharge charge_;
  ValueIds values_;  // that are needed
  std::vector<size_t> number_;
};

}  // namespace

std::vector<bool> backward_nodes(const Graph& graph) {
  std::vector<bool> is_backward(graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    is_backward[i] = graph::is_of_gradient(node) || node.phase == graph::Phase::optimizer ||
                     std::ranges::any_of(graph::operands(node), [&](ValueId id) {
                       const int32_t maker = graph[id].node;
                       return maker >= 0 && is_backward[static_cast<size_t>(maker)];
                     });
  }
  return is_backward;
}

bool Partition::recomputes() const {
  return std::ranges::any_of(decisions, [](const auto& one) { return !one.decision.verdict; });
}

Partition partition(const Graph& graph, std::span<const ValueCost> costs,
                    const MemoryCharge& charge) {
  return Cutting(graph, costs, charge).run();
}

Partition keep_everything(const Graph& graph, std::span<const ValueCost> costs) {
  return Cutting(graph, costs, {}).keep_everything();
}

SegmentedPartitions partition_segments(const Graph& graph, std::span<const ValueCost> costs,
                                       std::span<const int32_t> segments) {
  Cutting cutting(graph, costs, {});
  cutting.add_regions(segments);
  SegmentedPartitions result{cutting.run(), cutting.keep_everything()};
  result.keeps_most.marks_all_kept = true;
  return result;
}

bool has_checkpoints(const Graph& graph) {
  return std::ranges::any_of(graph.nodes, [](const Node& node) { return node.region > 0; });
}

}  // namespace ridge::aot
