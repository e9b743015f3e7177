// Values that lie in memory in the order in which products read them.
#include <gtest/gtest.h>

#include "ridge/ridge.h"
#include "ridge/schedule/library_products.h"
#include "scheduled.h"

namespace ridge::testing::value_strides_test {
namespace {

using graph::Graph;

schedule::Plan gpu_plan(const Graph& graph) {
  return schedule::schedule(graph, {.target = schedule::Target::gpu, .has_library_products = true});
}

// The end of attention: what heads have mixed becomes rows again, and is multiplied.
Graph joined_heads(int64_t width, bool is_live_out = false) {
  const int64_t batch = 2, heads = 3, tokens = 5;
  return graph_of({floats({batch, heads, tokens, tokens}), floats({batch, heads, tokens, width}),
                   floats({7, heads * width})},
                  [=](auto& x) -> std::vector<Tensor> {
                    const Tensor mixed = exp(matmul(x[0], x[1]));
                    const Tensor joined =
                        reshape(transpose(mixed, 1, 2), {batch, tokens, heads * width});
                    std::vector<Tensor> results{linear(joined, x[2])};
                    if (is_live_out) results.push_back(mixed);
                    return results;
                  });
}

std::vector<Shape> chosen_in(const Graph& graph) {
  std::vector<Shape> chosen;
  for (const auto& strides : schedule::choose_strides(schedule::InlinedGraph(graph))) {
    if (strides) chosen.push_back(*strides);
  }
  return chosen;
}

size_t products_in(const schedule::Plan& plan) {
  size_t count = 0;
  for (const schedule::KernelCall& call : plan.calls) count += call.product ? 1 : 0;
  return count;
}

TEST(ValueStrides, HeadsLieBetweenTokens) {
  const Graph graph = joined_heads(8);
  const std::vector<Shape> chosen = chosen_in(graph);
  ASSERT_EQ(chosen.size(), 1u);
  EXPECT_EQ(to_text(chosen[0]), to_text(Shape{5 * 24, 8, 24, 1}));
  const schedule::Plan plan = gpu_plan(graph);
  EXPECT_EQ(products_in(plan), 2u);
  const std::vector<Tensor> inputs = random_inputs(graph);
  expect_near(interpret(graph, plan, inputs).outputs, expected_outputs(graph, inputs), 50);
}

TEST(ValueStrides, OnACpuToo) {
  const Graph graph = joined_heads(8);
  const std::vector<Tensor> inputs = random_inputs(graph);
  const schedule::Plan plan = schedule::schedule(graph, {});
  expect_near(interpret(graph, plan, inputs).outputs, expected_outputs(graph, inputs), 50);
}

// Whoever writes it would write too few bytes at a time.
TEST(ValueStrides, ShortRunsStayAsTheyAre) {
  EXPECT_TRUE(chosen_in(joined_heads(4)).empty());
  EXPECT_EQ(products_in(gpu_plan(joined_heads(4))), 1u);
}

// What the caller gets is row-major.
TEST(ValueStrides, ResultsStayAsTheyAre) { EXPECT_TRUE(chosen_in(joined_heads(8, true)).empty()); }

// No product reads it: what readers would save, the writer would pay.
TEST(ValueStrides, OnlyForProducts) {
  const Graph graph = graph_of({floats({2, 3, 5, 8})}, [](auto& x) -> std::vector<Tensor> {
    const Tensor joined = reshape(transpose(softmax(x[0], -1), 1, 2), {10, 24});
    return {sum(joined, {0})};
  });
  EXPECT_TRUE(chosen_in(graph).empty());
}

}  // namespace
}  // namespace ridge::testing::value_strides_test
