// Positions of extrema on a GPU: found by all threads of a row, the first of equal ones, a NaN before
// any number.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/reference/reference.h"
#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing::gpu_positions_test {
namespace {

using graph::Graph;

schedule::Plan gpu_plan(const Graph& graph) {
  return schedule::schedule(graph, {.target = schedule::Target::gpu});
}

Interpreted expect_positions(const Graph& graph, const std::vector<Tensor>& inputs) {
  const reference::UseReference scope;
  const std::vector<Tensor> expected = expected_outputs(graph, inputs);
  const schedule::Plan plan = gpu_plan(graph);
  Interpreted ours = interpret(graph, plan, inputs);
  EXPECT_EQ(ours.outputs.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(ours.outputs[i].to_vector<int64_t>(), expected[i].to_vector<int64_t>())
        << "output " << i << " of\n"
        << loop::to_text(plan.calls[0].kernel);
  }
  return ours;
}

// Few different numbers, so that many are equal, and rows that are special as a whole: all the same,
// all without an end, with one NaN and with several.
Tensor special_rows(DType dtype, int64_t count, int64_t length) {
  const reference::UseReference scope;
  SplitMix64 random(static_cast<uint64_t>(length));
  std::vector<float> values(static_cast<size_t>(count * length));
  for (float& value : values) value = static_cast<float>(random.next() % 41) - 20;
  const auto row = [&](int64_t i) { return values.begin() + i % count * length; };
  if (is_floating(dtype)) {
    const float infinity = std::numeric_limits<float>::infinity(), nan = std::nanf("");
    std::fill(row(1), row(1) + length, -infinity);
    std::fill(row(2), row(2) + length, infinity);
    row(4)[length / 2] = nan;
    for (int64_t i = length / 3; i < length; i += 5) row(5)[i] = nan;
  }
  std::fill(row(3), row(3) + length, 7.0f);
  return cast(Tensor::of(values, {count, length}), dtype);
}

class GpuPositions : public ::testing::TestWithParam<std::tuple<DType, int64_t>> {};

TEST_P(GpuPositions, AreThoseOfTheReference) {
  const auto [dtype, length] = GetParam();
  const int64_t count = 7;
  const Graph graph =
      graph_of({{dtype, {count, length}, kCpu, false}},
               [](auto& x) -> std::vector<Tensor> { return {argmax(x[0], 1), argmin(x[0], 1)}; });
  expect_positions(graph, {special_rows(dtype, count, length)});
}

INSTANTIATE_TEST_SUITE_P(Lengths, GpuPositions,
                         ::testing::Combine(::testing::Values(f32, bf16, f64, i64, i8, boolean),
                                            ::testing::Values(1, 7, 31, 64, 129, 1000, 4097,
                                                              50257)),
                         [](const auto& parameter) {
                           return concat(name(std::get<0>(parameter.param)), "_",
                                         std::get<1>(parameter.param));
                         });

TEST(GpuPositions, RowsAreReadOnceInWideAccesses) {
  const Graph graph = graph_of({{bf16, {64, 16384}, kCpu, false}},
                               [](auto& x) -> std::vector<Tensor> { return {argmax(x[0], 1)}; });
  const Interpreted ran = expect_positions(graph, {special_rows(bf16, 64, 16384)});
  // Beside what threads with an extremum look at again: here many are equal.
  EXPECT_GE(ran.loaded, 64 * 16384);
  EXPECT_LE(ran.loaded, 64 * (16384 + 8 * 1024));
  EXPECT_LE(ran.sectors, ran.ideal_sectors * 3);
}

TEST(GpuPositions, AlongAxesThatAreStridedInMemory) {
  const Graph graph = graph_of({{f32, {300, 5}, kCpu, false}}, [](auto& x) -> std::vector<Tensor> {
    return {argmax(x[0], 0), argmin(x[0], 0)};
  });
  expect_positions(graph, {special_rows(f32, 300, 5)});
}

// The value that is compared is computed, and other results of the row come along.
TEST(GpuPositions, BesideOtherReductions) {
  for (const int64_t length : {100, 3000}) {
    const Graph graph =
        graph_of({{f32, {6, length}, kCpu, false}}, [](auto& x) -> std::vector<Tensor> {
          const Tensor y = softmax(x[0] * 0.125, -1);
          return {argmax(y, 1), argmax(x[0] * x[0] - 3.0, 1)};
        });
    const reference::UseReference scope;
    SplitMix64 random(5);
    std::vector<float> values(static_cast<size_t>(6 * length));
    for (float& value : values) value = static_cast<float>(random.next() % 100003) * 1e-3f;
    expect_positions(graph, {Tensor::of(values, {6, length})});
  }
}

}  // namespace
}  // namespace ridge::testing::gpu_positions_test
