// Rows on a GPU: what each mapping computes, how often it reads, and how rows of a length are mapped.
#include <gtest/gtest.h>

#include <cmath>

#include "ridge/base/text.h"
#include "ridge/reference/reference.h"
#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing::gpu_rows_test {
namespace {

using graph::Graph;

graph::Type rows_of(DType dtype, const Shape& shape) { return {dtype, shape, kCpu, false}; }

schedule::Plan gpu_plan(const Graph& graph) {
  return schedule::schedule(graph, {.target = schedule::Target::gpu});
}

// Interprets the plan, and compares with the reference: within the rounding of the result and of sums
// of this length.
Interpreted expect_as_reference(const Graph& graph, double length) {
  const reference::UseReference scope;
  const std::vector<Tensor> inputs = random_inputs(graph);
  const std::vector<Tensor> expected = expected_outputs(graph, inputs);
  Interpreted ours = interpret(graph, gpu_plan(graph), inputs);
  EXPECT_EQ(ours.outputs.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto a = ours.outputs[i].to_vector<double>(), b = expected[i].to_vector<double>();
    double largest = 1;
    for (const double value : b) largest = std::max(largest, std::abs(value));
    const double bound =
        (2 * epsilon(expected[i].dtype()) + epsilon(f32) * (8 + 2 * std::sqrt(length))) * largest;
    size_t wrong = 0;
    for (size_t j = 0; j < a.size(); ++j) wrong += std::abs(a[j] - b[j]) <= bound ? 0 : 1;
    EXPECT_EQ(wrong, 0u) << "elements of output " << i << " of\n"
                         << loop::to_text(gpu_plan(graph).calls.back().kernel);
  }
  return ours;
}

class GpuRowLengths : public ::testing::TestWithParam<std::tuple<DType, int64_t>> {
 protected:
  DType dtype() const { return std::get<0>(GetParam()); }
  int64_t length() const { return std::get<1>(GetParam()); }
  // Not a multiple of what a block takes.
  int64_t count() const { return length() > 1000 ? 3 : 37; }
  graph::Type row() const { return rows_of(dtype(), {length()}); }
  graph::Type rows() const { return rows_of(dtype(), {count(), length()}); }
};

TEST_P(GpuRowLengths, Softmax) {
  const Graph graph =
      graph_of({rows()}, [](auto& x) -> std::vector<Tensor> { return {softmax(x[0], -1)}; });
  expect_as_reference(graph, static_cast<double>(length()));
}

TEST_P(GpuRowLengths, SumsAndMaxima) {
  const Graph graph = graph_of({rows()}, [](auto& x) -> std::vector<Tensor> {
    return {sum(x[0], {-1}), max(x[0] * x[0], {-1})};
  });
  expect_as_reference(graph, static_cast<double>(length()));
}

TEST_P(GpuRowLengths, LayerNorm) {
  const Graph graph = graph_of({rows(), row(), row()}, [](auto& x) -> std::vector<Tensor> {
    return {layer_norm(x[0], x[1], x[2])};
  });
  expect_as_reference(graph, static_cast<double>(length()));
}

INSTANTIATE_TEST_SUITE_P(Lengths, GpuRowLengths,
                         ::testing::Combine(::testing::Values(f32, bf16, f64),
                                            ::testing::Values(1, 7, 8, 31, 33, 127, 128, 1000, 1001,
                                                              4096, 4097, 17000, 50257)),
                         [](const auto& parameter) {
                           return concat(name(std::get<0>(parameter.param)), "_",
                                         std::get<1>(parameter.param));
                         });

// Elements that a softmax of one row loads, and the text of its kernel.
struct Mapped {
  int64_t loaded;
  std::string text;
};
Mapped softmax_of(DType dtype, int64_t count, int64_t length) {
  const Graph graph = graph_of({rows_of(dtype, {count, length})},
                               [](auto& x) -> std::vector<Tensor> { return {softmax(x[0], -1)}; });
  const Interpreted ran = expect_as_reference(graph, static_cast<double>(length));
  return {ran.loaded, loop::to_text(gpu_plan(graph).calls[0].kernel)};
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Of so many rows that they are not cut into chunks.
std::string softmax_text(DType dtype, int64_t rows, int64_t length) {
  const Graph graph = graph_of({rows_of(dtype, {rows, length})},
                               [](auto& x) -> std::vector<Tensor> { return {softmax(x[0], -1)}; });
  return loop::to_text(gpu_plan(graph).calls[0].kernel);
}

TEST(GpuRows, RowsInRegistersAreReadOnce) {
  for (const int64_t length : {128, 1000, 4096, 8192, 16000}) {
    EXPECT_EQ(softmax_of(bf16, 8, length).loaded, 8 * length) << length;
  }
  // By a cluster, too: too long for a block, too short to be cut into chunks.
  const Mapped clustered = softmax_of(f32, 8, 12000);
  EXPECT_EQ(clustered.loaded, 8 * 12000);
  EXPECT_TRUE(holds(clustered.text, "@gpu_cluster_block")) << clustered.text;
}

TEST(GpuRows, ShortRowsShareABlock) {
  const Mapped mapped = softmax_of(bf16, 4096, 128);
  EXPECT_TRUE(holds(mapped.text, "for i3 in 8 @gpu_thread")) << mapped.text;
  EXPECT_TRUE(holds(mapped.text, "width 16")) << mapped.text;
}

TEST(GpuRows, MiddleRowsAreHeldByABlock) {
  const std::string text = softmax_text(bf16, 16384, 4096);
  EXPECT_TRUE(holds(text, "for i3 in 128 @gpu_thread")) << text;
  EXPECT_TRUE(holds(text, "bf16[32]")) << text;
  EXPECT_FALSE(holds(text, "if ")) << text;
}

TEST(GpuRows, LongRowsAreHeldByACluster) {
  const std::string text = softmax_text(bf16, 256, 50304);
  EXPECT_TRUE(holds(text, "for i3 in 4 @gpu_cluster_block")) << text;
  EXPECT_TRUE(holds(text, "cluster_reduce")) << text;
}

TEST(GpuRows, RowsBeyondAClusterAreReadInEveryPass) {
  const std::string text = softmax_text(f32, 256, 300000);
  EXPECT_FALSE(holds(text, "local")) << text;
}

}  // namespace
}  // namespace ridge::testing::gpu_rows_test
