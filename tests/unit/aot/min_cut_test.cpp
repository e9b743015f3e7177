#include "ridge/aot/min_cut.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ridge/base/random.h"

namespace ridge::aot::min_cut_test {
namespace {

struct Edge {
  size_t from, to;
  int64_t capacity;
};

// What crosses from the side of the source to the other one.
int64_t crossing(const std::vector<Edge>& edges, const std::vector<bool>& is_source_side) {
  int64_t sum = 0;
  for (const Edge& edge : edges) {
    if (is_source_side[edge.from] && !is_source_side[edge.to]) sum += edge.capacity;
  }
  return sum;
}

// By trying all sides.
int64_t least_cut(const std::vector<Edge>& edges, size_t count) {
  int64_t least = kUncut;
  for (uint32_t sides = 0; sides < (1u << count); ++sides) {
    if ((sides & 1) == 0 || (sides >> (count - 1) & 1) != 0) continue;  // source 0, sink last
    std::vector<bool> is_source_side;
    for (size_t i = 0; i < count; ++i) is_source_side.push_back((sides >> i & 1) != 0);
    least = std::min(least, crossing(edges, is_source_side));
  }
  return least;
}

TEST(MinCut, IsTheLeastOfAllCutsOfRandomNetworks) {
  SplitMix64 random(7);
  const auto below = [&](uint64_t n) { return random.next() % n; };
  for (int round = 0; round < 200; ++round) {
    const size_t count = 3 + below(6);
    std::vector<Edge> edges;
    const size_t edge_count = below(3 * count);
    for (size_t i = 0; i < edge_count; ++i) {
      edges.push_back({below(count), below(count), static_cast<int64_t>(below(20))});
    }
    FlowNetwork network(count);
    for (const Edge& edge : edges) network.add_edge(edge.from, edge.to, edge.capacity);
    const Cut cut = network.cut(0, count - 1);
    EXPECT_EQ(cut.capacity, least_cut(edges, count));
    EXPECT_EQ(crossing(edges, cut.is_on_source_side), cut.capacity);
    EXPECT_TRUE(cut.is_on_source_side[0]);
    EXPECT_FALSE(cut.is_on_source_side[count - 1]);
  }
}

TEST(MinCut, SaysWhereThereIsNone) {
  FlowNetwork network(3);
  network.add_edge(0, 1, kUncut);
  network.add_edge(1, 2, kUncut);
  EXPECT_GE(network.cut(0, 2).capacity, kUncut);
}

TEST(MinCut, TakesLongWaysWithoutRecursion) {
  constexpr size_t kCount = 200000;
  FlowNetwork network(kCount);
  for (size_t i = 0; i + 1 < kCount; ++i) {
    network.add_edge(i, i + 1, i == kCount / 2 ? 3 : kUncut);
  }
  const Cut cut = network.cut(0, kCount - 1);
  EXPECT_EQ(cut.capacity, 3);
  EXPECT_TRUE(cut.is_on_source_side[kCount / 2]);
  EXPECT_FALSE(cut.is_on_source_side[kCount / 2 + 1]);
}

}  // namespace
}  // namespace ridge::aot::min_cut_test
