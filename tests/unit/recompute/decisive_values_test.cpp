#include <gtest/gtest.h>

#include "ridge/aot/partition.h"
#include "ridge/graph/pass.h"
#include "ridge/recompute/recompute_costs.h"
#include "ridge/ridge.h"

namespace ridge::recompute::decisive_values_test {
namespace {

// The ops whose results are not computed again in the gradient of a function of two 64 x 64 matrices.
template <class Loss>
std::vector<std::string> pinned_ops(Loss loss) {
  const auto step = [&](const Tensor& x, const Tensor& w) { return grad(loss)(x, w); };
  const Tensor x = full({64, 64}, 0.5), w = full({64, 64}, 0.25);
  graph::PassContext context;
  const graph::Graph graph = graph::run_passes(capture::capture(step, {.name = "step"}, x, w).graph,
                                               graph::standard_passes(), context);
  const schedule::InlinedGraph program(graph, false);
  std::vector<std::string> ops;
  for (const graph::ValueId id : decisive_values(program, aot::backward_nodes(graph))) {
    ops.push_back(graph.nodes[static_cast<size_t>(graph[id].node)].op->name());
  }
  return ops;
}

using Names = std::vector<std::string>;

TEST(DecisiveValues, TheSmallerOfSumAndStepIsKept) {
  EXPECT_EQ(pinned_ops([](const Tensor& x, const Tensor& w) {
              return sum(where(x > sum(x, {1}, true), exp(x * w), x));
            }),
            Names{"sum"});
  EXPECT_EQ(pinned_ops([](const Tensor& x, const Tensor& w) {
              const Tensor product = matmul(x, w);
              return sum(where(product > 0.5, exp(x * w), x));
            }),
            Names{"greater"});
}

TEST(DecisiveValues, SumsOfWhatAGradientComparesAreKept) {
  EXPECT_EQ(pinned_ops([](const Tensor& x, const Tensor& w) {
              return sum(max(x * sum(w * x, {1}, true), {1}));
            }),
            Names{"sum"});
}

// Extrema pick one of their operands: their bits are those of what they compare.
TEST(DecisiveValues, OtherValuesHaveTheSameBitsEverywhere) {
  EXPECT_EQ(
      pinned_ops([](const Tensor& x, const Tensor& w) { return sum(max(exp(x) * w + x, {1})); }),
      Names{});
  EXPECT_EQ(pinned_ops(
                [](const Tensor& x, const Tensor& w) { return sum(softmax(matmul(x, w), 1) * x); }),
            Names{});
}

}  // namespace
}  // namespace ridge::recompute::decisive_values_test
