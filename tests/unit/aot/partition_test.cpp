#include "ridge/aot/partition.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ridge/aot/joint.h"
#include "ridge/base/random.h"
#include "ridge/graph/replay.h"
#include "ridge/ridge.h"

namespace ridge::aot::partition_test {
namespace {

using graph::Graph;
using graph::Phase;
using graph::ValueId;

// Backward reads all three; %1 is the gradient that comes in.
constexpr const char* kChain = R"(
graph chain(%0: f32[6] "x", %1: f32[6] "g") {
  %2 = sigmoid(%0) : f32[6]
  %3 = exp(%2) : f32[6]
  %4 = tanh(%3) : f32[6]
  %5 = mul(%1, %4) : f32[6] backward
  %6 = mul(%5, %3) : f32[6] backward
  %7 = mul(%6, %2) : f32[6] backward
  %8 = neg(%7) : f32[6]
  return %4, %8
}
)";

size_t count(const Graph& graph, Phase phase) {
  return static_cast<size_t>(std::ranges::count(graph.nodes, phase, &graph::Node::phase));
}

std::vector<ValueCost> equal_costs(const Graph& graph, int64_t recompute, int64_t write) {
  std::vector<ValueCost> costs(graph.values.size(),
                               {.recompute = recompute, .write = write, .read = 1, .bytes = 24});
  for (const ValueId id : graph.inputs) costs[static_cast<size_t>(id.index)] = {.read = 1};
  return costs;
}

std::vector<Tensor> random_inputs(const Graph& graph, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<Tensor> inputs;
  for (const ValueId id : graph.inputs) {
    std::vector<float> values(static_cast<size_t>(numel(graph[id].type.shape).value()));
    for (float& value : values) value = static_cast<float>(random.next() % 1000) / 500 - 1;
    inputs.push_back(Tensor::of<float>(values, graph[id].type.shape));
  }
  return inputs;
}

void expect_same_results(const Graph& a, const Graph& b) {
  const std::vector<Tensor> inputs = random_inputs(a, 3);
  const auto before = graph::replay(a, inputs), after = graph::replay(b, inputs);
  ASSERT_EQ(before.size(), after.size());
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].to_vector<float>(), after[i].to_vector<float>()) << "output " << i;
  }
}

TEST(Partition, WhatDependsOnAGradientIsOfTheBackwardHalf) {
  const Graph graph = graph::parse(kChain);
  EXPECT_EQ(backward_nodes(graph),
            (std::vector<bool>{false, false, false, true, true, true, true}));
}

// What an optimizer computes of parameters alone goes with the rest of it: it is no value that could be
// kept for it, and stays marked.
TEST(Partition, OptimizersAreOfTheBackwardHalf) {
  const Graph graph = graph::parse(R"(
graph step(%0: f32[6] "p", %1: f32[6] "g") {
  %2 = exp(%0) : f32[6]
  %3 = mul(%1, %2) : f32[6] backward
  %4 = square(%0) : f32[6] optimizer
  %5 = sub(%4, %3) : f32[6] optimizer
  return %2, %5
}
)");
  EXPECT_EQ(to_text(graph::parse(to_text(graph))), to_text(graph));
  EXPECT_EQ(backward_nodes(graph), (std::vector<bool>{false, true, true, true}));
  const Graph again = recompute(graph, partition(graph, equal_costs(graph, 1, 5)));
  EXPECT_EQ(count(again, Phase::optimizer), 2u);
  EXPECT_EQ(count(again, Phase::recomputed), 1u);
  expect_same_results(graph, again);
}

TEST(Partition, KeepsWhatIsDearToComputeAgain) {
  const Graph graph = graph::parse(kChain);
  const Partition kept = partition(graph, equal_costs(graph, 100, 2));
  EXPECT_FALSE(kept.recomputes());
  EXPECT_EQ(kept.decisions.size(), 3u);
  EXPECT_EQ(kept.kept_bytes, 3 * 24);
  for (const SavedOrRecomputed& one : kept.decisions) {
    EXPECT_TRUE(one.decision);
    EXPECT_DOUBLE_EQ(*one.decision.cost_if_yes_us, 3e-6);
    const bool reads_x = one.value == graph.nodes[0].results[0];
    EXPECT_DOUBLE_EQ(*one.decision.cost_if_no_us, reads_x ? 101e-6 : 100e-6);
    EXPECT_EQ(one.decision.reason, "keeping it takes less than computing it again");
  }
}

TEST(Partition, ComputesAgainWhatIsCheap) {
  const Graph graph = graph::parse(kChain);
  const Partition cut = partition(graph, equal_costs(graph, 1, 5));
  EXPECT_TRUE(cut.recomputes());
  EXPECT_EQ(cut.kept_bytes, 0);
  const Graph again = recompute(graph, cut);
  graph::verify(again);
  EXPECT_EQ(count(again, Phase::recomputed), 3u) << to_text(again);
  EXPECT_EQ(count(again, Phase::forward), 3u);
  EXPECT_EQ(count(again, Phase::backward), 4u);
  expect_same_results(graph, again);
}

TEST(Partition, CutsWhereItIsCheapestInAll) {
  const Graph graph = graph::parse(kChain);
  std::vector<ValueCost> costs = equal_costs(graph, 20, 40);
  costs[2].recompute = 50;  // sigmoid
  costs[3].write = 10;      // exp
  costs[4].recompute = 5;   // tanh
  const Partition cut = partition(graph, costs);
  const std::vector<bool>& kept = cut.is_kept;
  EXPECT_TRUE(kept[2]);   // 41 against 50 + 1 for x
  EXPECT_TRUE(kept[3]);   // 11 against 20
  EXPECT_FALSE(kept[4]);  // 41 against 5
  expect_same_results(graph, recompute(graph, cut));
}

// exp is cheap by itself, but it needs sigmoid again, which is dear: what is said of it is the price of both.
TEST(Partition, PricesWhatLeadsToAKeptValue) {
  const Graph graph = graph::parse(R"(
graph chain(%0: f32[6] "x", %1: f32[6] "g") {
  %2 = sigmoid(%0) : f32[6]
  %3 = exp(%2) : f32[6]
  %4 = mul(%1, %3) : f32[6] backward
  return %3, %4
}
)");
  std::vector<ValueCost> costs = equal_costs(graph, 2, 4);
  costs[2].recompute = 100;
  const Partition cut = partition(graph, costs);
  ASSERT_EQ(cut.decisions.size(), 1u);
  const Decision& made = cut.decisions[0].decision;
  EXPECT_TRUE(made.verdict);
  EXPECT_EQ(made.reason, "keeping it takes less than computing it and what leads to it again");
  EXPECT_DOUBLE_EQ(*made.cost_if_yes_us, 5e-6);
  // Itself, and the way that is cheaper of keeping sigmoid and computing it.
  EXPECT_DOUBLE_EQ(*made.cost_if_no_us, 7e-6);
}

TEST(Partition, ChargingForMemoryKeepsLess) {
  const Graph graph = graph::parse(kChain);
  const auto costs = equal_costs(graph, 100, 2);
  EXPECT_TRUE(partition(graph, costs, {10, 10, 0}).recomputes());
  const Partition half = partition(graph, costs, {10, 0, 3});
  EXPECT_FALSE(half.is_kept[2]) << "what comes first is charged for";
  EXPECT_TRUE(half.is_kept[3]);
  EXPECT_TRUE(half.is_kept[4]);
}

TEST(Partition, ViewsAreReadThroughAndNeverKept) {
  const Graph graph = graph::parse(R"(
graph views(%0: f32[2, 3] "x", %1: f32[3, 2] "g") {
  %2 = exp(%0) : f32[2, 3]
  %3 = transpose(%2, a=0, b=1) : f32[3, 2]
  %4 = mul(%1, %3) : f32[3, 2] backward
  return %4
}
)");
  std::vector<ValueCost> costs = equal_costs(graph, 100, 2);
  costs[3] = {.recompute = 0, .bytes = 24, .can_be_kept = false};
  const Partition cut = partition(graph, costs);
  EXPECT_TRUE(cut.is_kept[2]);
  EXPECT_FALSE(cut.is_kept[3]);
  EXPECT_EQ(cut.decisions.size(), 1u) << "a view is no decision";
  expect_same_results(graph, recompute(graph, cut));
}

TEST(Partition, MarksReadBackAndDuplicatesStayApart) {
  const Graph graph = graph::parse(kChain);
  const Graph again = recompute(graph, partition(graph, equal_costs(graph, 1, 5)));
  EXPECT_EQ(to_text(graph::parse(to_text(again))), to_text(again));
  graph::PassContext context;
  const Graph passed = graph::run_passes(again, graph::standard_passes(), context);
  EXPECT_EQ(passed.nodes.size(), again.nodes.size()) << to_text(passed);
}

TEST(SplitGraphs, HandOnWhatTheBackwardHalfReads) {
  const Graph graph = graph::parse(R"(
graph f(%0: f32[4] "x", %1: f32[4] "w") {
  %2 = mul(%0, %1) : f32[4]
  %3 = tanh(%2) : f32[4]
  return %3
}
)");
  const Joint joint = join_gradients(graph, {0}, {0, 1});
  const SplitGraphs halves = split(joint);
  graph::verify(halves.forward);
  graph::verify(halves.backward);
  EXPECT_EQ(halves.read_again.size(), 2u) << "x and w are there already";
  ASSERT_EQ(halves.saved.size(), 1u) << to_text(halves.forward);
  EXPECT_EQ(halves.saved[0], 0u) << "tanh reads its result, which is the output";
  EXPECT_EQ(halves.forward.outputs.size(), 1u);
  EXPECT_EQ(halves.backward.outputs.size(), 2u);
}

// Two regions one behind the other; %4 and %6 are what leaves them, %6 through a view.
constexpr const char* kRegions = R"(
graph regions(%0: f32[2, 3] "x", %1: f32[3, 2] "g") {
  %2 = sigmoid(%0) : f32[2, 3]
  %3 = exp(%2) : f32[2, 3] checkpoint 1
  %4 = tanh(%3) : f32[2, 3] checkpoint 1
  %5 = exp(%4) : f32[2, 3] checkpoint 2
  %6 = tanh(%5) : f32[2, 3] checkpoint 2
  %7 = permute(%6, dims=[1, 0]) : f32[3, 2] checkpoint 2
  %8 = sin(%7) : f32[3, 2]
  %9 = mul(%1, %7) : f32[3, 2] backward
  %10 = permute(%9, dims=[1, 0]) : f32[2, 3] backward
  %11 = mul(%10, %6) : f32[2, 3] backward
  %12 = mul(%11, %5) : f32[2, 3] backward
  %13 = mul(%12, %4) : f32[2, 3] backward
  %14 = mul(%13, %3) : f32[2, 3] backward
  %15 = mul(%14, %2) : f32[2, 3] backward
  return %8, %15
}
)";

TEST(Partition, KeepsNothingInsideOfCheckpoints) {
  const Graph graph = graph::parse(kRegions);
  std::vector<ValueCost> costs = equal_costs(graph, 100, 2);  // it would keep everything
  costs[7] = {.recompute = 0, .can_be_kept = false};
  for (const bool is_cut : {true, false}) {
    const Partition made = is_cut ? partition(graph, costs) : keep_everything(graph, costs);
    for (const SavedOrRecomputed& one : made.decisions) {
      const int32_t value = one.value.index;
      const bool is_inside = value == 3 || value == 5;
      EXPECT_EQ(one.decision.verdict, !is_inside) << value;
      EXPECT_EQ(one.decision.reason == "checkpoint", is_inside) << value;
    }
    EXPECT_EQ(made.decisions.size(), 5u);
    const Graph again = recompute(graph, made);
    graph::verify(again);
    EXPECT_EQ(count(again, Phase::recomputed), 3u) << to_text(again);  // two, and the view
    expect_same_results(graph, again);
  }
}

}  // namespace
}  // namespace ridge::aot::partition_test
