// Who waits for whom, against a search through all groups.
#include "ridge/schedule/group_dependences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "ridge/base/random.h"
#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::schedule::group_dependences_test {
namespace {

using Tensors = std::vector<Tensor>;

// Each value is the sum of two earlier ones: of the last few, or of any.
graph::Graph random_graph(SplitMix64& random, int nodes, int64_t reach) {
  return testing::graph_of({testing::floats({4}), testing::floats({4})}, [&](const Tensors& in) {
    Tensors values = in;
    for (int i = 0; i < nodes; ++i) {
      const auto count = static_cast<int64_t>(values.size());
      const auto one = [&] {
        const int64_t first = std::max<int64_t>(0, count - reach);
        return values[static_cast<size_t>(random.integer(first, count - 1))];
      };
      values.push_back(maximum(one(), exp(one())));
    }
    return Tensors(values.begin() + 2, values.end());
  });
}

struct Merging {
  explicit Merging(const InlinedGraph& program)
      : fusion(fuse_nothing(program)), waits(program, fusion.groups, fusion.group_of) {}

  int32_t count() const { return static_cast<int32_t>(fusion.groups.size()); }
  bool is_gone(int32_t g) const { return fusion.groups[static_cast<size_t>(g)].members.empty(); }

  bool finds(int32_t from, int32_t to, bool skip_direct) const {
    std::set<int32_t> seen{to};
    std::vector<int32_t> open{to};
    while (!open.empty()) {
      const int32_t g = open.back();
      open.pop_back();
      for (const int32_t producer : waits.producers(g)) {
        if (producer == from && !(g == to && skip_direct)) return true;
        if (producer != from && seen.insert(producer).second) open.push_back(producer);
      }
    }
    return false;
  }

  void merge(int32_t group, int32_t gone) {
    auto& from = fusion.groups[static_cast<size_t>(gone)].members;
    for (const Member& member : from) {
      fusion.group_of[static_cast<size_t>(member.node)] = group;
      fusion.groups[static_cast<size_t>(group)].members.push_back(member);
    }
    from.clear();
    waits.merge(group, gone);
  }

  Fusion fusion;
  GroupDependences waits;
};

void expect_same_answers(uint64_t seed, int nodes, int64_t reach) {
  SplitMix64 random(seed);
  const graph::Graph graph = random_graph(random, nodes, reach);
  const InlinedGraph program(graph, /*inlines=*/false);
  Merging merging(program);
  const auto any_group = [&] {
    return static_cast<int32_t>(random.integer(0, merging.count() - 1));
  };
  for (int round = 0; round < 400; ++round) {
    const int32_t a = any_group(), b = any_group();
    if (a == b || merging.is_gone(a) || merging.is_gone(b)) continue;
    for (const bool skip_direct : {false, true}) {
      ASSERT_EQ(merging.waits.reaches(a, b, skip_direct), merging.finds(a, b, skip_direct))
          << seed << ": " << a << " to " << b;
    }
    const bool can_merge = !merging.finds(a, b, true) && !merging.finds(b, a, true);
    if (can_merge && random.integer(0, 1) == 1) merging.merge(a, b);
  }
  // Throws if two wait for each other.
  merging.waits.in_order();
}

TEST(GroupDependences, AnswerAsASearchDoes) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    expect_same_answers(seed, 40, 4);
    expect_same_answers(seed, 40, 100);
  }
}

TEST(GroupDependences, KeepTheOrderOfTheProgramWhereNothingMerges) {
  SplitMix64 random(1);
  const graph::Graph graph = random_graph(random, 30, 5);
  const InlinedGraph program(graph, /*inlines=*/false);
  const Merging merging(program);
  const std::vector<int32_t> order = merging.waits.in_order();
  EXPECT_EQ(order.size(), merging.fusion.groups.size());
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

// x leaves the path behind a, and joins it at d.
TEST(CriticalPath, IsTheLongest) {
  const graph::Graph graph = testing::graph_of({testing::floats({4})}, [](const Tensors& in) {
    const Tensor a = exp(in[0]), x = tanh(a), b = exp(a), c = exp(b), d = maximum(c, x);
    return Tensors{d, sin(in[0])};
  });
  const InlinedGraph program(graph, /*inlines=*/false);
  const CriticalPath path(program);
  const auto place = [&](const char* op) {
    return std::ranges::find(graph.nodes, op, [](const graph::Node& n) { return n.op->name(); }) -
           graph.nodes.begin();
  };
  const auto x = static_cast<int32_t>(place("tanh"));
  const auto alone = static_cast<int32_t>(place("sin"));
  ASSERT_EQ(path.nodes().size(), 4U);
  EXPECT_EQ(path.nodes()[3], static_cast<int32_t>(place("maximum")));
  EXPECT_EQ(path.leaves_at(x), 0);
  EXPECT_EQ(path.joins_at(x), 3);
  EXPECT_EQ(path.leaves_at(alone), -1);
  EXPECT_EQ(path.joins_at(alone), 4);
  EXPECT_EQ(path.leaves_at(path.nodes()[2]), 2);
  EXPECT_EQ(path.joins_at(path.nodes()[2]), 2);
}

}  // namespace
}  // namespace ridge::schedule::group_dependences_test
