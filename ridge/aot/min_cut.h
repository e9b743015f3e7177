// The cheapest set of edges without which no way leads from a source to a sink: Dinic's algorithm.
//
//   FlowNetwork network(4);
//   network.add_edge(0, 1, 3);  network.add_edge(1, 2, kUncut);  network.add_edge(2, 3, 2);
//   network.cut(0, 3)     // {.capacity = 2, .is_on_source_side = {true, true, true, false}}
//
// Capacities are whole numbers, so the answer is exact and the same everywhere. Of several cuts of
// the same capacity it is the one with the fewest nodes on the side of the source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ridge::aot {

// Of an edge that no cut may contain. Four of them are still a number.
inline constexpr int64_t kUncut = std::numeric_limits<int64_t>::max() / 4;

struct Cut {
  int64_t capacity = 0;  // at least kUncut where there is no cut
  std::vector<bool> is_on_source_side{};
};

class FlowNetwork {
 public:
  explicit FlowNetwork(size_t node_count) : edges_of_(node_count) {}

  void add_edge(size_t from, size_t to, int64_t capacity);
  // Once: the edges are used up.
  Cut cut(size_t source, size_t sink);

 private:
  struct Edge {
    size_t to;
    int64_t left;  // that can still flow; the edge back is the next one, or the one before
  };
  bool find_levels(size_t source, size_t sink);
  int64_t push_along(size_t source, size_t sink);

  std::vector<Edge> edges_;
  std::vector<std::vector<size_t>> edges_of_;  // by node
  std::vector<int32_t> level_;                 // steps from the source; -1 if out of reach
  std::vector<size_t> next_;                   // by node: the first edge that may lead on
};

}  // namespace ridge::aot
