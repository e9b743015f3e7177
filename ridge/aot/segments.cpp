#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "ridge/aot/partition.h"

namespace ridge::aot {

using graph::Graph;
using graph::Node;
using graph::ValueId;

namespace {

// A segment ends where the fewest bytes cross, between these shares of its even size.
constexpr double kLeastShare = 0.5, kMostShare = 1.5;

size_t at(ValueId id) { return static_cast<size_t>(id.index); }

class Segmenting {
 public:
  Segmenting(const Graph& graph, std::span<const ValueCost> costs) : graph_(graph), costs_(costs) {
    const std::vector<bool> is_backward = backward_nodes(graph);
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      if (!is_backward[i]) forward_.push_back(i);
    }
    find_crossings();
  }

  std::vector<int32_t> run(size_t count) const {
    std::vector<int32_t> segment(graph_.nodes.size());
    const double even = made_before(forward_.size()) / static_cast<double>(count);
    size_t first = 0;
    for (int32_t number = 1; first < forward_.size(); ++number) {
      const size_t end = end_of_segment(first, even);
      for (size_t i = first; i < end; ++i) segment[forward_[i]] = number;
      first = end;
    }
    return segment;
  }

 private:
  double bytes_of(ValueId id) const {
    return costs_[at(id)].can_be_kept ? static_cast<double>(costs_[at(id)].bytes) : 0;
  }
  double type_bytes(ValueId id) const {
    const graph::Type& type = graph_[id].type;
    return static_cast<double>(numel(type.shape).hint_or(1)) * type.dtype.bits / 8;
  }
  double made_before(size_t place) const { return made_[place]; }

  // The last forward node that reads each value. Who reads a view reads what it is a view of.
  std::vector<size_t> last_readers() const {
    std::vector<size_t> last(graph_.values.size());
    for (size_t i = forward_.size(); i-- > 0;) {
      const Node& node = graph_.nodes[forward_[i]];
      size_t until = i;
      for (const ValueId id : node.results) {
        if (!costs_[at(id)].can_be_kept) until = std::max(until, last[at(id)]);
      }
      for (const ValueId id : graph::operands(node)) last[at(id)] = std::max(last[at(id)], until);
    }
    return last;
  }

  // Behind each forward node: bytes that were made or read before and are read later. An input counts
  // from its first reader on, else blocks behind it would seem to need less than others.
  void find_crossings() {
    const std::vector<size_t> last = last_readers();
    std::vector<bool> is_met(graph_.values.size());
    std::vector<double> changes(forward_.size() + 1);
    const auto meet = [&](ValueId id, size_t from, double bytes) {
      if (is_met[at(id)] || last[at(id)] <= from) return;
      is_met[at(id)] = true;
      changes[from] += bytes;
      changes[last[at(id)]] -= bytes;
    };
    made_.assign(forward_.size() + 1, 0);
    for (size_t i = 0; i < forward_.size(); ++i) {
      made_[i + 1] = made_[i];
      const Node& node = graph_.nodes[forward_[i]];
      for (const ValueId id : graph::operands(node)) {
        const bool is_input = graph_[id].node < 0 && !graph_[id].constant.defined();
        if (is_input) meet(id, i, type_bytes(id));
      }
      for (const ValueId id : node.results) {
        made_[i + 1] += bytes_of(id);
        meet(id, i, bytes_of(id));
      }
    }
    double crossing = 0;
    for (size_t i = 0; i < forward_.size(); ++i) crossings_.push_back(crossing += changes[i]);
  }

  size_t end_of_segment(size_t first, double even) const {
    const double start = made_before(first), all = made_before(forward_.size());
    size_t best = forward_.size();
    const auto is_better = [&](size_t one, size_t other) {
      const double a = crossings_[one - 1], b = crossings_[other - 1];
      const auto off = [&](size_t end) { return std::abs(made_before(end) - start - even); };
      return a != b ? a < b : off(one) <= off(other);
    };
    for (size_t end = first + 1; end < forward_.size(); ++end) {
      const double made = made_before(end) - start;
      if (made > kMostShare * even && best < forward_.size()) break;
      const bool is_short = std::min(made, all - start - made) < kLeastShare * even;
      if (is_short) continue;
      if (best == forward_.size() || is_better(end, best)) best = end;
    }
    return best;
  }

  const Graph& graph_;
  std::span<const ValueCost> costs_;
  std::vector<size_t> forward_;    // nodes
  std::vector<double> made_;       // bytes, by the forward nodes before each
  std::vector<double> crossings_;  // bytes, behind each
};

}  // namespace

std::vector<int32_t> forward_segments(const Graph& graph, std::span<const ValueCost> costs,
                                      size_t count) {
  return Segmenting(graph, costs).run(count);
}

}  // namespace ridge::aot
