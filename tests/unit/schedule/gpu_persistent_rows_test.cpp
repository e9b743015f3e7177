// Rows whose columns are summed too: what persistent blocks compute, how often they read, and
// which groups become such kernels.
#include <gtest/gtest.h>

#include <cmath>

#include "ridge/base/text.h"
#include "ridge/reference/reference.h"
#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing::gpu_persistent_rows_test {
namespace {

using graph::Graph;
using Tensors = std::vector<Tensor>;

graph::Type matrix(DType dtype, const Shape& shape) { return {dtype, shape, kCpu, false}; }

schedule::Plan planned_for(const Graph& graph, schedule::Target target) {
  return schedule::schedule(graph, {.target = target});
}

// The last input is the gradient of the result; those of all others come out.
Graph gradient_graph(const std::vector<graph::Type>& inputs, const Function& function) {
  return graph_of(inputs, [&](const Tensors& t) {
    const Tensors arguments(t.begin(), t.end() - 1);
    const auto pulled = vjp([&](const Tensors& a) { return function(a); })(arguments);
    return Tensors(pulled.second(Tensors{t.back()}));
  });
}

Graph layer_norm_gradient(DType dtype, int64_t rows, int64_t columns) {
  const auto x = matrix(dtype, {rows, columns}), w = matrix(dtype, {columns});
  return gradient_graph({x, w, w, x},
                        [](auto& t) { return Tensors{layer_norm(t[0], t[1], t[2])}; });
}

Graph rms_norm_gradient(DType dtype, int64_t rows, int64_t columns) {
  const auto x = matrix(dtype, {rows, columns}), w = matrix(dtype, {columns});
  return gradient_graph({x, w, x}, [](auto& t) { return Tensors{rms_norm(t[0], t[1])}; });
}

bool is_persistent(const schedule::Plan& plan) {
  for (const schedule::KernelCall& call : plan.calls) {
    for (const Decision& decision : call.decisions) {
      if (decision.reason.find("persistent blocks keep") != std::string::npos) return true;
    }
  }
  return false;
}

// On an H200, or on a device whose memory is so slow that smaller examples have persistent blocks too.
schedule::Plan planned_persistent(const Graph& graph) {
  schedule::Plan plan = planned_for(graph, schedule::Target::gpu);
  if (is_persistent(plan)) return plan;
  return schedule::schedule(
      graph, {.target = schedule::Target::gpu, .sheet = small_device(132, 228, true)});
}

class GpuPersistentRowShapes : public ::testing::TestWithParam<std::tuple<DType, Shape>> {
 protected:
  DType dtype() const { return std::get<0>(GetParam()); }
  int64_t rows() const { return *std::get<1>(GetParam())[0].known(); }
  int64_t columns() const { return *std::get<1>(GetParam())[1].known(); }
  double points() const { return static_cast<double>(rows() * columns()); }
};

TEST_P(GpuPersistentRowShapes, LayerNormGradient) {
  const Graph graph = layer_norm_gradient(dtype(), rows(), columns());
  const schedule::Plan plan = planned_persistent(graph);
  EXPECT_TRUE(is_persistent(plan));
  expect_as_reference(graph, plan, points());
}

TEST_P(GpuPersistentRowShapes, RmsNormGradient) {
  const Graph graph = rms_norm_gradient(dtype(), rows(), columns());
  const schedule::Plan plan = planned_persistent(graph);
  EXPECT_TRUE(is_persistent(plan));
  expect_as_reference(graph, plan, points());
}

// Fewer rows than blocks, blocks with and without a row more than others, several rows in a block, a
// last one that is not full, rows that no vector divides.
INSTANTIATE_TEST_SUITE_P(Shapes, GpuPersistentRowShapes,
                         ::testing::Combine(::testing::Values(f32, bf16),
                                            ::testing::Values(Shape{300, 128}, Shape{1061, 96},
                                                              Shape{300, 768}, Shape{420, 2048},
                                                              Shape{600, 33})),
                         [](const auto& parameter) {
                           const Shape& shape = std::get<1>(parameter.param);
                           return concat(name(std::get<0>(parameter.param)), "_", *shape[0].known(),
                                         "x", *shape[1].known());
                         });

TEST(GpuPersistentRows, EachElementIsReadOnce) {
  const int64_t rows = 300, columns = 1024;
  const Graph graph = layer_norm_gradient(bf16, rows, columns);
  const Interpreted ran =
      expect_as_reference(graph, planned_for(graph, schedule::Target::gpu), rows * columns);
  // Both large arrays, weights for each block, and what blocks leave.
  EXPECT_LT(ran.loaded, 2 * rows * columns + 300 * columns * 4);
}

TEST(GpuPersistentRows, RowsTooLongForRegistersAreLeftApart) {
  EXPECT_FALSE(
      is_persistent(planned_for(layer_norm_gradient(f32, 4096, 50257), schedule::Target::gpu)));
}

TEST(GpuPersistentRows, ACpuHasNoPersistentBlocks) {
  EXPECT_FALSE(
      is_persistent(planned_for(layer_norm_gradient(bf16, 300, 768), schedule::Target::cpu)));
}

TEST(GpuPersistentRows, ARefusedPairKeepsItsReason) {
  const Graph graph = layer_norm_gradient(f32, 4096, 50257);
  bool found = false;
  for (const auto& decision : planned_for(graph, schedule::Target::gpu).decisions) {
    found |= decision.decision.reason.find("do not fit in registers") != std::string::npos;
  }
  EXPECT_TRUE(found);
}

// A softmax down the columns wants their sums before it stores, so it cannot join.
TEST(GpuPersistentRows, SumsThatAreReadAtEveryPointStayApart) {
  const Graph graph = graph_of({matrix(f32, {512, 512})},
                               [](auto& t) { return Tensors{softmax(t[0], 1), softmax(t[0], 0)}; });
  EXPECT_FALSE(is_persistent(planned_for(graph, schedule::Target::gpu)));
  expect_as_reference(graph, planned_for(graph, schedule::Target::gpu), 512);
}

TEST(GpuPersistentRows, MaximaOfColumns) {
  const Graph graph = graph_of({matrix(f32, {4096, 512})}, [](auto& t) {
    const Tensor y = softmax(t[0], 1);
    return Tensors{y, max(t[0] * t[0], {0}), sum(y, {0})};
  });
  EXPECT_TRUE(is_persistent(planned_for(graph, schedule::Target::gpu)));
  expect_as_reference(graph, planned_for(graph, schedule::Target::gpu), 4096);
}

}  // namespace
}  // namespace ridge::testing::gpu_persistent_rows_test
