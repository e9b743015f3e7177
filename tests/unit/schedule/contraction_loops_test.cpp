// Products on a GPU: tiles by shape, rows and columns, work around them, against the reference.
#include <gtest/gtest.h>

#include "ridge/ridge.h"
#include "ridge/schedule/contraction.h"
#include "scheduled.h"

namespace ridge::testing::contraction_loops_test {
namespace {

using graph::Graph;

schedule::Plan product_plan(const Graph& graph) {
  return schedule::schedule(graph, {.target = schedule::Target::gpu});
}

Graph layer(int64_t m, int64_t n, int64_t k) {
  return graph_of({floats({m, k}), floats({n, k}), floats({n})},
                  [](auto& x) -> std::vector<Tensor> { return {relu(linear(x[0], x[1], x[2]))}; });
}

const loop::Contract* contract_in(const loop::Body& body) {
  for (const loop::Statement& statement : body) {
    if (const auto* contract = std::get_if<loop::Contract>(&statement.kind)) return contract;
    const auto* const loop = std::get_if<loop::Loop>(&statement.kind);
    if (loop != nullptr) return contract_in(loop->body);
  }
  return nullptr;
}

TEST(GpuContraction, RowsAndColumnsAreProductsWithWorkAroundThem) {
  for (const auto& [m, n, k] :
       {std::array<int64_t, 3>{1, 9, 6}, {9, 1, 6}, {1, 1, 6}, {5, 3, 1}, {40, 70, 20}}) {
    const Graph graph = layer(m, n, k);
    const schedule::Plan plan = product_plan(graph);
    ASSERT_EQ(plan.calls.size(), 1u);
    EXPECT_NE(contract_in(plan.calls[0].kernel.body), nullptr) << m << " " << n << " " << k;
    const std::vector<Tensor> inputs = random_inputs(graph);
    expect_near(interpret(graph, plan, inputs).outputs, expected_outputs(graph, inputs),
                static_cast<double>(k));
  }
}

TEST(GpuContraction, ASumOfNothingIsAMap) {
  const Graph graph = layer(5, 3, 0);
  const schedule::Plan plan = product_plan(graph);
  EXPECT_EQ(contract_in(plan.calls[0].kernel.body), nullptr);
  const std::vector<Tensor> inputs = random_inputs(graph);
  expect_near(interpret(graph, plan, inputs).outputs, expected_outputs(graph, inputs), 1);
}

// The side of a tile is the largest that its inner extent reaches.
int64_t rows_of(const Graph& graph) {
  const schedule::Plan plan = product_plan(graph);
  const loop::Expr extent = contract_in(plan.calls[0].kernel.body)->m_extent;
  return expr::interval_of(extent, [](int) { return expr::Interval{0, 1000}; }).high;
}

TEST(GpuContraction, TilesAreLargeWhereThatLeavesEnoughOfThem) {
  EXPECT_EQ(rows_of(layer(4096, 4096, 512)), 128);
  EXPECT_EQ(rows_of(layer(512, 512, 512)), 32);
  EXPECT_EQ(rows_of(layer(20, 100000, 512)), 20);
  // Sums of 64 bits take twice the registers.
  const graph::Type wide{f64, {4096, 4096}, kCpu, false};
  const Graph graph =
      graph_of({wide, wide}, [](auto& x) -> std::vector<Tensor> { return {matmul(x[0], x[1])}; });
  EXPECT_EQ(rows_of(graph), 64);
}

}  // namespace
}  // namespace ridge::testing::contraction_loops_test
