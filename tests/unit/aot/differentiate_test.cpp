#include "ridge/aot/differentiate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "../capture/compiled.h"
#include "ridge/aot/joint.h"

namespace ridge::testing::differentiate_test {
namespace {

using graph::Graph;
using graph::ValueIds;

template <class F, class... Args>
Graph captured(F f, const Args&... args) {
  return capture::capture(f, {}, args...).graph;
}

TEST(Differentiate, AppendsNodesOnly) {
  const Tensor x = random({3, 2}, 1);
  Graph graph = captured([](const Tensor& t) { return sum(exp(t) * t); }, x);
  graph = aot::prepare(std::move(graph), {0});
  const Graph before = graph;
  const ValueIds gradients = aot::differentiate(graph, graph.outputs, {graph.inputs[0]});
  ASSERT_GT(graph.nodes.size(), before.nodes.size());
  for (size_t i = 0; i < before.nodes.size(); ++i) {
    EXPECT_EQ(graph.nodes[i].op, before.nodes[i].op);
    EXPECT_EQ(graph.nodes[i].results, before.nodes[i].results);
  }
  graph.outputs = gradients;
  EXPECT_NO_THROW(verify(graph));
  EXPECT_EQ(to_text(graph[gradients[0]].type), "f32[3, 2]");
  const Tensor gradient = graph::replay(graph, std::vector{x})[0];
  const auto expected = (exp(x) * x + exp(x)).to_vector<float>();
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(gradient.to_vector<float>()[i], expected[i], 1e-6 * (1 + std::fabs(expected[i])));
  }
}

TEST(Differentiate, GradientNodesHaveTheLineAndLayerOfTheForwardNode) {
  uint32_t line = 0;
  Graph graph = captured(
      [&](const Tensor& t) {
        graph::Recorder::active()->set_scope("inner");
        line = Location::current().line() + 1;
        const Tensor y = exp(t);
        graph::Recorder::active()->set_scope("outer");
        return sum(y);
      },
      random({3}, 1));
  const size_t count = graph.nodes.size();
  aot::differentiate(graph, graph.outputs, {graph.inputs[0]});
  ASSERT_GT(graph.nodes.size(), count);
  const graph::Node& last = graph.nodes.back();
  EXPECT_STREQ(last.where.file_name(), __FILE__);
  EXPECT_EQ(last.where.line(), line);
  EXPECT_EQ(last.scope, "inner");
  for (size_t i = count; i < graph.nodes.size(); ++i) {
    EXPECT_STREQ(graph.nodes[i].where.file_name(), __FILE__) << graph.nodes[i].op->name();
  }
}

TEST(Differentiate, OnlyNodesOnAPathGetGradients) {
  Graph graph = captured(
      [](const Tensor& a, const Tensor& b) { return sum(a * 2) + sum(softmax(exp(b), 0)); },
      random({3}, 1), random({4}, 2));
  graph = aot::prepare(std::move(graph), {0});
  const size_t count = graph.nodes.size();
  EXPECT_EQ(count, 6u) << "softmax is not on the path, so it stays whole:\n" << to_text(graph);
  graph.outputs = aot::differentiate(graph, graph.outputs, {graph.inputs[0]});
  EXPECT_LE(graph.nodes.size(), count + 5) << to_text(graph);
}

TEST(Differentiate, SumsSeveralOutputsWeightedByTheirGradients) {
  const Tensor x = random({3}, 1);
  Graph graph = captured([](const Tensor& t) { return std::pair(t * 2, t * t); }, x);
  const graph::Type type = graph[graph.inputs[0]].type;
  const graph::ValueId u = graph.add_input(type, "u");
  const graph::ValueId v = graph.add_input(type, "v");
  graph.outputs = aot::differentiate(graph, graph.outputs, {graph.inputs[0]}, {u, v});
  const Tensor tu = random({3}, 2);
  const Tensor tv = random({3}, 3);
  const Tensor gradient = graph::replay(graph, std::vector{x, tu, tv})[0];
  const auto expected = (tu * 2 + tv * x * 2).to_vector<float>();
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(gradient.to_vector<float>()[i], expected[i], 1e-6 * (1 + std::fabs(expected[i])));
  }
}

TEST(Joint, ForwardAndBackwardGiveTheGradient) {
  const Tensor x = random({3, 4}, 1);
  const Tensor w = random({2, 4}, 2);
  Graph graph = captured(
      [](const Tensor& a, const Tensor& b) { return std::pair(tanh(linear(a, b)), sum(a)); }, x, w);
  aot::ForwardBackward halves = aot::differentiate_split(aot::prepare(graph, {0, 1}), {0}, {0, 1});
  verify(halves.forward);
  verify(halves.backward);
  const auto forward = graph::replay(halves.forward, std::vector{x, w});
  ASSERT_EQ(forward.size(), 2 + halves.saved_count);
  const Tensor u = random({3, 2}, 3);
  std::vector<Tensor> inputs = {u};
  inputs.insert(inputs.end(), forward.begin() + 2, forward.end());
  const auto grads = graph::replay(halves.backward, inputs);

  const std::vector<Tensor> leaves = {clone(x), clone(w)};
  for (const Tensor& leaf : leaves) set_requires_grad(leaf);
  const auto expected = gradients({tanh(linear(leaves[0], leaves[1]))}, leaves, {u});
  for (size_t i = 0; i < 2; ++i) {
    const auto actual = grads[i].to_vector<float>();
    const auto wanted = expected[i].to_vector<float>();
    ASSERT_EQ(actual.size(), wanted.size());
    for (size_t k = 0; k < actual.size(); ++k) EXPECT_NEAR(actual[k], wanted[k], 1e-5);
  }
}

}  // namespace
}  // namespace ridge::testing::differentiate_test
