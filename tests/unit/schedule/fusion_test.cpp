// What fuses into what: kernels and array accesses, counted.
#include <gtest/gtest.h>

#include "ridge/aot/differentiate.h"
#include "ridge/graph/pass.h"
#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing::fusion_test {
namespace {

using graph::Graph;

schedule::Plan plan_of(const Graph& graph, bool fuses = true) {
  return schedule::schedule(graph, {.fuses = fuses});
}

// Runs fused and unfused, checks both, and returns how many elements moved in either.
struct Moved {
  size_t kernels, unfused_kernels;
  int64_t elements, unfused_elements;
};
Moved moved(const Graph& graph, double length = 1) {
  const std::vector<Tensor> inputs = random_inputs(graph);
  const std::vector<Tensor> expected = expected_outputs(graph, inputs);
  const schedule::Plan fused = plan_of(graph), unfused = plan_of(graph, false);
  const Interpreted a = interpret(graph, fused, inputs), b = interpret(graph, unfused, inputs);
  expect_near(a.outputs, expected, length);
  expect_near(b.outputs, expected, length);
  return {fused.calls.size(), unfused.calls.size(), a.loaded + a.stored, b.loaded + b.stored};
}

TEST(Fusion, CosOfCosReadsOnceAndWritesOnce) {
  const int64_t n = 1000;
  const Moved m = moved(
      graph_of({floats({n})}, [](auto& x) -> std::vector<Tensor> { return {cos(cos(x[0]))}; }));
  EXPECT_EQ(m.elements, 2 * n);
  EXPECT_EQ(m.unfused_elements, 4 * n);
  EXPECT_EQ(m.kernels, 1u);
}

TEST(Fusion, ScaleAndShiftIsOneTrip) {
  const int64_t n = 777;
  const Moved m =
      moved(graph_of({floats({n})}, [](auto& x) -> std::vector<Tensor> { return {x[0] * 2 + 1}; }));
  EXPECT_EQ(m.elements, 2 * n);
  EXPECT_EQ(m.kernels, 1u);
}

TEST(Fusion, SquaresOfSineAndCosineAreOneKernelInsteadOfFour) {
  const Moved m = moved(graph_of({floats({33, 17})}, [](auto& x) -> std::vector<Tensor> {
    const Tensor s = sin(x[0]), c = cos(x[0]);
    return {s * s + c * c};
  }));
  EXPECT_EQ(m.kernels, 1u);
  EXPECT_EQ(m.unfused_kernels, 4u);  // one square goes into the sum
  EXPECT_EQ(m.elements, 2 * 33 * 17);
}

TEST(Fusion, SoftmaxIsOneKernel) {
  for (const int64_t dim : {-1, 0}) {
    const Moved m = moved(graph_of({floats({33, 17})}, [dim](auto& x) -> std::vector<Tensor> {
      return {softmax(x[0], dim)};
    }));
    EXPECT_LE(m.kernels, 2u) << "along " << dim;
  }
}

// What depends on positions alone is computed where it is read, though it is read for every head.
TEST(Fusion, ACausalMaskIsNeverInMemory) {
  const Graph graph = graph_of({floats({3, 8, 8})}, [](auto& x) -> std::vector<Tensor> {
    const Tensor position = arange(8, i64);
    const Tensor mask = greater_equal(unsqueeze(position, 1), position);
    return {softmax(where(mask, x[0], -1e9), -1)};
  });
  for (const schedule::Target target : {schedule::Target::cpu, schedule::Target::gpu}) {
    const schedule::Plan plan = schedule::schedule(graph, {.target = target});
    EXPECT_EQ(plan.calls.size(), 1u);
    EXPECT_EQ(plan.calls[0].buffers.size(), 2u);
    const std::vector<Tensor> inputs = random_inputs(graph);
    expect_near(interpret(graph, plan, inputs).outputs, expected_outputs(graph, inputs), 8);
  }
}

// What a row's reductions become is stored, one number a row, and not each of them.
TEST(Fusion, OneNumberOfEachRowGoesToASumOverRows) {
  const Graph graph = graph_of({floats({37, 19})}, [](auto& x) -> std::vector<Tensor> {
    const Tensor peak = max(x[0], {1});
    return {sum(log(sum(exp(x[0] - unsqueeze(peak, 1)), {1})) + peak)};
  });
  const schedule::Plan plan =
      schedule::schedule(graph, {.target = schedule::Target::gpu, .sheet = small_device(4, 64)});
  ASSERT_EQ(plan.calls.size(), 2u);
  EXPECT_EQ(plan.calls[0].buffers.size(), 2u);
  EXPECT_EQ(plan.calls[1].buffers.size(), 2u);
  const std::vector<Tensor> inputs = random_inputs(graph);
  expect_near(interpret(graph, plan, inputs).outputs, expected_outputs(graph, inputs), 37);
}

TEST(Fusion, LayerNormIsOneKernel) {
  const Moved m = moved(graph_of({floats({4, 33, 17}), floats({17}), floats({17})},
                                 [](auto& x) -> std::vector<Tensor> {
                                   return {layer_norm(x[0], x[1], x[2], 1e-5, 1)};
                                 }),
                        17);
  EXPECT_EQ(m.kernels, 1u);
}

// Forward with the values its gradient reads as outputs, and the gradient alone as a second graph,
// would be two programs; here both are one graph, so forward and backward count together.
size_t kernels_with_backward(const std::vector<graph::Type>& types, const Function& function) {
  Graph graph = graph_of(types, function);
  const graph::Type& type = graph[graph.outputs[0]].type;
  const graph::ValueId tangent = graph.add_input(type, "tangent");
  std::vector<size_t> wrt;
  for (size_t i = 0; i < types.size(); ++i) wrt.push_back(i);
  graph::ValueIds inputs(graph.inputs.begin(), graph.inputs.end() - 1);
  const graph::ValueIds gradients = aot::differentiate(graph, graph.outputs, inputs, {tangent});
  graph.outputs.insert(graph.outputs.end(), gradients.begin(), gradients.end());
  graph::PassContext context;
  graph = graph::run_passes(std::move(graph), graph::standard_passes(), context);
  const std::vector<Tensor> values = random_inputs(graph);
  const schedule::Plan plan = plan_of(graph);
  expect_near(interpret(graph, plan, values).outputs, expected_outputs(graph, values), 200);
  return plan.calls.size();
}

TEST(Fusion, SoftmaxWithItsGradient) {
  EXPECT_LE(
      kernels_with_backward({floats({65, 31})},
                            [](auto& x) -> std::vector<Tensor> { return {softmax(x[0], -1)}; }),
      2u);
}

TEST(Fusion, LayerNormWithItsGradient) {
  // The gradients of weight and bias sum over rows, so they are a kernel of their own.
  EXPECT_LE(kernels_with_backward({floats({65, 31}), floats({31}), floats({31})},
                                  [](auto& x) -> std::vector<Tensor> {
                                    return {layer_norm(x[0], x[1], x[2], 1e-5, 1)};
                                  }),
            3u);
}

TEST(Fusion, AnEpilogueJoinsItsProduct) {
  const Moved m = moved(
      graph_of({floats({33, 20}), floats({20, 9}), floats({9})},
               [](auto& x) -> std::vector<Tensor> { return {gelu(matmul(x[0], x[1]) + x[2])}; }),
      20);
  EXPECT_EQ(m.kernels, 1u);
}

TEST(Fusion, ViewsCostNothing) {
  const int64_t n = 6 * 35;
  const Moved m = moved(graph_of({floats({6, 35})}, [](auto& x) -> std::vector<Tensor> {
    return {reshape(transpose(reshape(x[0], {6, 5, 7}), 1, 2), {42, 5}) * 3};
  }));
  EXPECT_EQ(m.kernels, 1u);
  EXPECT_EQ(m.elements, 2 * n);
}

TEST(Fusion, AReshapeBetweenDoesNotKeepApart) {
  const Moved m = moved(graph_of({floats({4, 6, 8})}, [](auto& x) -> std::vector<Tensor> {
    const Tensor y = exp(reshape(x[0], {24, 8}));
    return {reshape(y / sum(y, {1}, true), {4, 6, 8})};
  }));
  EXPECT_EQ(m.kernels, 1u);
}

TEST(Fusion, ARefusalSaysWhy) {
  // The sum over rows needs every row before the first quotient.
  const Graph graph = graph_of({floats({6, 8})}, [](auto& x) -> std::vector<Tensor> {
    const Tensor s = sum(x[0], {1});
    return {x[0] + reshape(sum(s * s), {1, 1}), s};
  });
  const schedule::Plan plan = plan_of(graph);
  ASSERT_GE(plan.calls.size(), 2u);
  size_t refused = 0;
  for (const schedule::FusionDecision& d : plan.decisions) {
    refused += d.decision ? 0 : 1;
    EXPECT_FALSE(d.decision.reason.empty());
  }
  EXPECT_GT(refused, 0U);
}

TEST(Fusion, TheSameGraphGivesTheSameKernels) {
  const auto make = [] {
    return graph_of({floats({16, 24}), floats({24}), floats({24})},
                    [](auto& x) -> std::vector<Tensor> {
                      const Tensor y = layer_norm(x[0], x[1], x[2], 1e-5, 1);
                      return {softmax(y, -1), sum(y, {0})};
                    });
  };
  const schedule::Plan a = plan_of(make()), b = plan_of(make());
  ASSERT_EQ(a.calls.size(), b.calls.size());
  for (size_t i = 0; i < a.calls.size(); ++i) {
    EXPECT_EQ(to_text(a.calls[i].kernel), to_text(b.calls[i].kernel));
  }
}

}  // namespace
}  // namespace ridge::testing::fusion_test
