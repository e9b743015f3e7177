#include <utility>

#include "ridge/aot/partition.h"
#include "ridge/graph/pass.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/graph/rewriter.h"

namespace ridge::aot {

using graph::Graph;
using graph::Node;
using graph::Phase;
using graph::ValueId;
using graph::ValueIds;

namespace {

size_t place(ValueId id) { return static_cast<size_t>(id.index); }

// Copies a graph with recomputed values in it.
class Recomputation {
 public:
  Recomputation(const Graph& old, const Partition& partition)
      : old_(old),
        partition_(partition),
        is_backward_(backward_nodes(old)),
        rewriter_(old),
        again_(old.values.size()),
        is_passed_on_(old.values.size()) {
    for (const SavedOrRecomputed& one : partition.decisions) is_passed_on_[place(one.value)] = true;
  }

  Graph run() {
    for (size_t i = 0; i < old_.nodes.size(); ++i) {
      const Node& node = old_.nodes[i];
      if (is_backward_[i]) {
        add_backward(node);
      } else {
        Node copy = rewriter_.translated(node);
        if (is_marked(node)) copy.phase = Phase::saved;
        copy.rounds |= is_rounded(node);
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
  // Fusion does not inline what is marked: what it is computed from would be kept in its place.
  bool is_marked(const Node& node) const {
    return partition_.is_kept[place(node.results[0])] &&
           (partition_.marks_all_kept || node.region > 0);
  }
  // What forward hands to backward, or backward computes again, is the same 16 bits in both.
  bool is_rounded(const Node& node) const {
    const ValueId id = node.results[0];
    return is_passed_on_[place(id)] && is_16_bit_float(old_[id].type.dtype);
  }
  bool is_at_hand(ValueId id) const {
    return old_[id].node < 0 || !is_forward(id) || partition_.is_kept[place(id)] ||
           again_[place(id)].index >= 0;
  }

  ValueId in_backward(ValueId id) {
    return again_[place(id)].index >= 0 ? again_[place(id)] : rewriter_[id];
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
    copy.rounds |= is_rounded(node);
    ValueIds first;
    for (const ValueId id : node.results) first.push_back(rewriter_[id]);
    const int32_t position = rewriter_.add(std::move(copy), node.results);
    const ValueIds made = rewriter_.graph().nodes[static_cast<size_t>(position)].results;
    for (size_t i = 0; i < first.size(); ++i) {
      rewriter_.map(node.results[i], first[i]);  // the forward graph goes on reading its own
      again_[place(node.results[i])] = made[i];
    }
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
    const bool is_recomputed =
        node.phase == Phase::recomputed || (is_of_recomputed && !is_of_gradient);
    if (node.phase != Phase::optimizer) {
      copy.phase = is_recomputed ? Phase::recomputed : Phase::backward;
    }
    rewriter_.add(std::move(copy), node.results);
  }

  const Graph& old_;
  const Partition& partition_;
  std::vector<bool> is_backward_;  // by node
  graph::Rewriter rewriter_;
  ValueIds again_;                  // by old value: what computes it again
  std::vector<bool> is_passed_on_;  // by old value: of the forward graph, and needed by gradients
};

}  // namespace

Graph recompute(const Graph& graph, const Partition& partition) {
  return Recomputation(graph, partition).run();
}

}  // namespace ridge::aot
