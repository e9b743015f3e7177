#include "ridge/aot/partition.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ridge/base/text.h"
#include "ridge/graph/control.h"
#include "ridge/graph/pass.h"
#include "ridge/graph/passes/eliminate_dead_code.h"
#include "ridge/graph/rewriter.h"

namespace ridge::aot {

using graph::Graph;
using graph::Node;
using graph::Phase;
using graph::ValueId;
using graph::ValueIds;

namespace {

size_t at(ValueId id) { return static_cast<size_t>(id.index); }

// Values of the forward half that a gradient node reads; constants are at hand everywhere.
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
        charge_(charge) {}

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
    if (!one.can_be_kept) return kUncut;
    return sum_of(sum_of(one.write, one.read), price_of_bytes(one.bytes, charge_.of(id)));
  }
  int64_t price_of_recomputing(ValueId id) const {
    const int32_t node = graph_[id].node;
    const bool is_fixed = node < 0 || graph::is_control(graph_.nodes[static_cast<size_t>(node)]);
    return is_fixed ? kUncut : cost(id).recompute;
  }

  Cut cut_network() {
    number_.assign(graph_.values.size(), 0);
    for (size_t i = 0; i < graph_.values.size(); ++i) {
      if (!is_needed_[i]) continue;
      number_[i] = values_.size();
      values_.push_back({static_cast<int32_t>(i)});
    }
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
    for (const ValueId id : values_) {
      if (!is_used[at(id)]) {
        result.is_kept[at(id)] = false;
        continue;
      }
      const bool is_kept = result.is_kept[at(id)];
      if (graph_[id].node < 0 || !cost(id).can_be_kept) continue;  // inputs and views: no choice
      result.kept_bytes += is_kept ? cost(id).bytes : 0;
      result.decisions.push_back({id, cost(id).bytes, decision(id, is_kept)});
    }
  }

  Decision decision(ValueId id, bool is_kept) const {
    const int64_t keep = sum_of(cost(id).write, cost(id).read), again = price_of_recomputing(id);
    if (again >= kUncut) return Decision::yes("it cannot be computed again");
    Decision made = is_kept ? Decision::yes(cost(id).write == 0
                                                ? "it is in memory anyway"
                                                : "keeping it takes less than computing it again")
                            : Decision::no(keep > again ? "computing it again takes less"
                                                        : "its memory is worth more");
    return std::move(made).priced(1e-6 * static_cast<double>(keep),
                                  1e-6 * static_cast<double>(again));
  }

  const Graph& graph_;
  std::span<const ValueCost> costs_;
  std::vector<bool> is_read_;    // by value: by a gradient node
  std::vector<bool> is_needed_;  // by value: what those are computed from, too
  MemoryCharge charge_;
  ValueIds values_;  // that are needed
  std::vector<size_t> number_;
};

// Copies a graph with recomputed values in it.
class Recomputation {
 public:
  Recomputation(const Graph& old, const Partition& partition)
      : old_(old),
        partition_(partition),
        is_backward_(backward_nodes(old)),
        rewriter_(old),
        again_(old.values.size()) {}

  Graph run() {
    for (size_t i = 0; i < old_.nodes.size(); ++i) {
      const Node& node = old_.nodes[i];
      if (is_backward_[i]) {
        add_backward(node);
      } else {
        Node copy = rewriter_.translated(node);
        if (partition_.is_kept[at(node.results[0])]) copy.phase = Phase::kept;
        rewriter_.add(std::move(copy), node.results);
      }
    }
    return graph::eliminate_dead_code(rewriter_.finish(), {});
  }

 private:
  bool is_forward(ValueId id) const {
    const int32_t node = old_[id].node;
    return node < 0 || !is_backward_[static_cast<size_t>(node)];
  }
  bool is_at_hand(ValueId id) const {
    return old_[id].node < 0 || !is_forward(id) || partition_.is_kept[at(id)] ||
           again_[at(id)].index >= 0;
  }

  ValueId in_backward(ValueId id) {
    return again_[at(id)].index >= 0 ? again_[at(id)] : rewriter_[id];
  }

  // Operands first; a list in place of recursion, since programs are deep.
  void compute_again(ValueId wanted) {
    std::vector<ValueId> open{wanted};
    while (!open.empty()) {
      const ValueId id = open.back();
      if (is_at_hand(id)) {
        open.pop_back();
        continue;
      }
      const Node& node = old_.nodes[static_cast<size_t>(old_[id].node)];
      const size_t before = open.size();
      for (const ValueId from : graph::operands(node)) {
        if (!is_at_hand(from)) open.push_back(from);
      }
      if (open.size() > before) continue;
      open.pop_back();
      add_copy(node);
    }
  }

  void add_copy(const Node& node) {
    Node copy = node;
    copy.results.clear();
    replace_operands(copy, [this](ValueId id) { return in_backward(id); });
    copy.phase = Phase::recomputed;
    const ValueId first = rewriter_[node.results[0]];
    const int32_t position = rewriter_.add(std::move(copy), node.results);
    const ValueIds made = rewriter_.graph().nodes[static_cast<size_t>(position)].results;
    rewriter_.map(node.results[0], first);  // the forward half goes on reading its own
    again_[at(node.results[0])] = made[0];
  }

  void add_backward(const Node& node) {
    bool is_of_recomputed = false, is_of_gradient = false;
    for (const ValueId id : graph::operands(node)) {
      if (is_forward(id)) compute_again(id);
    }
    Node copy = node;
    copy.results.clear();
    replace_operands(copy, [&](ValueId id) {
      const ValueId now = in_backward(id);
      const int32_t maker = rewriter_.graph()[now].node;
      const Phase phase =
          maker < 0 ? Phase::forward : rewriter_.graph().nodes[static_cast<size_t>(maker)].phase;
      is_of_recomputed |= phase == Phase::recomputed;
      const bool is_input = maker < 0 && !rewriter_.graph()[now].constant.defined();
      is_of_gradient |= phase == Phase::backward || phase == Phase::optimizer || is_input;
      return now;
    });
    // What follows from recomputed values alone could be computed as early as they could.
    if (node.phase != Phase::optimizer) {
      copy.phase = is_of_recomputed && !is_of_gradient ? Phase::recomputed : Phase::backward;
    }
    rewriter_.add(std::move(copy), node.results);
  }

  const Graph& old_;
  const Partition& partition_;
  std::vector<bool> is_backward_;  // by node
  graph::Rewriter rewriter_;
  ValueIds again_;  // by old value: what computes it again
};

}  // namespace

std::vector<bool> backward_nodes(const Graph& graph) {
  std::vector<bool> is_backward(graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    is_backward[i] = graph::is_of_gradient(node) || node.phase == Phase::optimizer ||
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

Graph recompute(const Graph& graph, const Partition& partition) {
  return Recomputation(graph, partition).run();
}

}  // namespace ridge::aot
