// Maps on a GPU whose arrays lie along different axes: what tiles compute, and how they touch memory.
#include <gtest/gtest.h>

#include "ridge/base/text.h"
#include "ridge/cost/sheets.h"
#include "ridge/reference/reference.h"
#include "ridge/report/kernel_table.h"
#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing::gpu_tiles_test {
namespace {

using graph::Graph;

schedule::Plan gpu_plan(const Graph& graph) {
  return schedule::schedule(graph, {.target = schedule::Target::gpu});
}
graph::Type array(DType dtype, const Shape& shape) { return {dtype, shape, kCpu, false}; }

// Values that a dtype tells apart.
std::vector<Tensor> distinct_inputs(const Graph& graph) {
  const reference::UseReference scope;
  std::vector<Tensor> inputs = random_inputs(graph);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const graph::Type& type = graph[graph.inputs[i]].type;
    if (is_floating(type.dtype)) continue;
    std::vector<float> values(static_cast<size_t>(numel(type.shape).value()));
    for (size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k * 37 % 101);
    inputs[i] = cast(Tensor::of(values, type.shape), type.dtype);
  }
  return inputs;
}

// The same elements as the reference: moving them rounds nothing, and an addition once.
Interpreted expect_same(const Graph& graph, double bound = 0) {
  const reference::UseReference scope;
  const std::vector<Tensor> inputs = distinct_inputs(graph);
  const std::vector<Tensor> expected = expected_outputs(graph, inputs);
  const schedule::Plan plan = gpu_plan(graph);
  Interpreted ours = interpret(graph, plan, inputs);
  EXPECT_EQ(ours.outputs.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto a = ours.outputs[i].to_vector<double>(), b = expected[i].to_vector<double>();
    size_t wrong = 0;
    for (size_t j = 0; j < a.size(); ++j) wrong += std::abs(a[j] - b[j]) <= bound ? 0 : 1;
    EXPECT_EQ(wrong, 0u) << "elements of output " << i << " of\n"
                         << loop::to_text(plan.calls.back().kernel);
  }
  return ours;
}

Graph transposed(DType dtype, const Shape& shape, int a, int b) {
  return graph_of({array(dtype, shape)},
                  [&](auto& x) -> std::vector<Tensor> { return {clone(transpose(x[0], a, b))}; });
}

bool has_tiles(const Graph& graph) {
  return loop::to_text(gpu_plan(graph).calls[0].kernel).find("shared") != std::string::npos;
}

class GpuTransposes : public ::testing::TestWithParam<std::tuple<DType, Shape>> {};

TEST_P(GpuTransposes, MoveEachElementOnceInWholeSectors) {
  const auto [dtype, shape] = GetParam();
  const Graph graph = transposed(dtype, shape, 0, 1);
  ASSERT_TRUE(has_tiles(graph));
  const Interpreted ran = expect_same(graph);
  const int64_t count = numel(shape).value();
  EXPECT_EQ(ran.loaded, count);
  EXPECT_EQ(ran.stored, count);
  // Misaligned rows of a tile touch one sector more, at each end of a warp's row.
  const bool is_aligned = shape[0].value() % 64 == 0 && shape[1].value() % 64 == 0;
  EXPECT_LE(ran.sectors, is_aligned ? ran.ideal_sectors : ran.ideal_sectors * 2);
  // The interpreter takes elements of 8 bytes by address, a device by half warps.
  if (dtype.bits == 64) return;
  EXPECT_LE(ran.bank_conflicts, is_aligned ? 0 : ran.shared_accesses / 4);
}

INSTANTIATE_TEST_SUITE_P(Shapes, GpuTransposes,
                         ::testing::Combine(::testing::Values(f32, bf16, f64, i8, i64),
                                            ::testing::Values(Shape{192, 256}, Shape{191, 193},
                                                              Shape{65, 128}, Shape{40, 1000},
                                                              Shape{129, 34}, Shape{64, 33})),
                         [](const auto& parameter) {
                           const Shape& shape = std::get<1>(parameter.param);
                           return concat(name(std::get<0>(parameter.param)), "_", shape[0].value(),
                                         "x", shape[1].value());
                         });

TEST(GpuTiles, WorkIsFusedAndOnlyWhatLiesAcrossIsStaged) {
  for (const Shape& shape : {Shape{128, 192}, Shape{127, 193}}) {
    const Graph graph = graph_of({array(bf16, shape), array(f32, {shape[1], shape[0]}),
                                  array(f32, {shape[0]}), array(f32, {shape[1], 1})},
                                 [](auto& x) -> std::vector<Tensor> {
                                   return {(cast(transpose(x[0], 0, 1), f32) + x[1]) * x[2] + x[3]};
                                 });
    const schedule::Plan plan = gpu_plan(graph);
    ASSERT_EQ(plan.calls.size(), 1u);
    size_t shared = 0;
    for (const loop::Buffer& buffer : plan.calls[0].kernel.buffers) {
      shared += buffer.space == loop::Space::shared ? 1 : 0;
    }
    EXPECT_EQ(shared, 1u);
    const Interpreted ran = expect_same(graph, 8 * epsilon(f32));
    EXPECT_EQ(ran.bank_conflicts, 0);
  }
}

TEST(GpuTiles, OtherAxesAreBatches) {
  expect_same(transposed(bf16, {3, 72, 64}, 1, 2));
  expect_same(transposed(f32, {40, 5, 70}, 0, 2));
  const Graph reversed = graph_of({array(f16, {33, 3, 4, 48})}, [](auto& x) -> std::vector<Tensor> {
    return {clone(permute(x[0], {3, 2, 1, 0}))};
  });
  EXPECT_TRUE(has_tiles(reversed));
  expect_same(reversed);
}

TEST(GpuTiles, TwoOrdersOfReading) {
  const Graph graph =
      graph_of({array(f32, {96, 96}), array(f32, {96, 96})}, [](auto& x) -> std::vector<Tensor> {
        return {transpose(x[0], 0, 1) + x[0] + transpose(x[1], 0, 1)};
      });
  EXPECT_TRUE(has_tiles(graph));
  const Interpreted ran = expect_same(graph, 8 * epsilon(f32));
  EXPECT_EQ(ran.bank_conflicts, 0);
}

// Large tiles where there are many, small ones where SMs would stand idle.
TEST(GpuTiles, AsManyAsUnits) {
  const auto text_of = [](int64_t side) {
    const schedule::Plan plan =
        schedule::schedule(transposed(bf16, {side, side}, 0, 1),
                           {.target = schedule::Target::gpu, .sheet = cost::find_sheet("h200")});
    return loop::to_text(plan.calls[0].kernel);
  };
  EXPECT_NE(text_of(4096).find("_tile: bf16[16384]"), std::string::npos) << text_of(4096);
  EXPECT_NE(text_of(1024).find("_tile: bf16[4096]"), std::string::npos) << text_of(1024);
}

// A slice that starts in the middle of 16 bytes, and one with every third element.
TEST(GpuTiles, SlicesOfWhatIsTransposed) {
  const Graph graph = graph_of({array(bf16, {200, 150})}, [](auto& x) -> std::vector<Tensor> {
    return {clone(transpose(slice(x[0], 1, 3, 140, 1), 0, 1)),
            clone(transpose(slice(x[0], 0, 0, 199, 3), 0, 1))};
  });
  expect_same(graph);
}

// Neighbors within a sector are no reason, nor are rows shorter than one.
TEST(GpuTiles, OnlyWhereTheyHelp) {
  EXPECT_FALSE(has_tiles(transposed(f32, {1000, 3}, 0, 1)));
  EXPECT_FALSE(has_tiles(transposed(f32, {16, 64, 12, 32}, 1, 2)));
  const Graph flipped = graph_of({array(f32, {100, 64})}, [](auto& x) -> std::vector<Tensor> {
    return {clone(flip(x[0], {1}))};
  });
  EXPECT_FALSE(has_tiles(flipped));
}

// A tile reads each element once, whatever stands between it and the next in memory.
TEST(GpuTiles, ATransposeIsPricedByTheBytesItMoves) {
  const Graph graph = transposed(f32, {16384, 4096}, 0, 1);
  schedule::Plan plan = gpu_plan(graph);
  plan.sheet = cost::find_sheet("h200");
  plan.resident = 1e12;  // nothing is left in a cache
  const auto rows = report::rows_of(plan, graph);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].price->moved_bytes, 2 * 4 * 16384 * 4096);
}

}  // namespace
}  // namespace ridge::testing::gpu_tiles_test
