// Maps on a GPU: 16 bytes at a time wherever arrays lie one element behind the other.
#include <gtest/gtest.h>

#include "ridge/base/text.h"
#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing::gpu_maps_test {
namespace {

using schedule::Plan;
using schedule::Target;

graph::Type of(DType dtype, const Shape& shape) { return {dtype, shape, kCpu, false}; }

// Lanes of the only kernel's vector loop, 1 if it has none, after comparing what it computes with the
// reference.
int64_t lanes_of(const std::vector<graph::Type>& types, const Function& function) {
  const graph::Graph graph = graph_of(types, function);
  const std::vector<Tensor> inputs = random_inputs(graph, 3);
  const Plan plan = schedule::schedule(graph, {.target = Target::gpu});
  EXPECT_EQ(plan.calls.size(), 1U);
  const std::vector<Tensor> ours = interpret(graph, plan, inputs).outputs;
  const std::vector<Tensor> expected = expected_outputs(graph, inputs);
  for (size_t i = 0; i < ours.size(); ++i) {
    const auto a = ours[i].to_vector<double>(), b = expected[i].to_vector<double>();
    const double unit = epsilon(ours[i].dtype());
    for (size_t k = 0; k < a.size(); ++k) {
      EXPECT_NEAR(a[k], b[k], 2 * unit * std::max(1.0, std::abs(b[k]))) << k;
    }
  }
  const std::string text = loop::to_text(plan.calls[0].kernel);
  for (const int64_t lanes : {2, 4, 8, 16}) {
    if (text.find(concat(" in ", lanes, " @vector")) != std::string::npos) return lanes;
  }
  return 1;
}

std::vector<Tensor> biased(const std::vector<Tensor>& x) { return {tanh(x[0] + x[1])}; }

TEST(GpuMaps, TakeWholeRunsOfRowsThatComeOutEven) {
  EXPECT_EQ(lanes_of({of(bf16, {37, 64}), of(bf16, {64})}, biased), 8);
  EXPECT_EQ(lanes_of({of(f32, {37, 64}), of(f32, {64})}, biased), 4);
  EXPECT_EQ(lanes_of({of(bf16, {37, 68}), of(bf16, {68})}, biased), 4);
}

TEST(GpuMaps, TakeWholeRunsAcrossRowsThatDoNot) {
  EXPECT_EQ(lanes_of({of(bf16, {37, 65}), of(bf16, {65})}, biased), 8);
  EXPECT_EQ(lanes_of({of(f32, {37, 65}), of(f32, {65})}, biased), 4);
  EXPECT_EQ(lanes_of({of(bf16, {37, 66}), of(bf16, {37, 1})}, biased), 8);
  EXPECT_EQ(lanes_of({of(bf16, {3, 5, 7, 11}), of(bf16, {5, 1, 11})}, biased), 8);
}

TEST(GpuMaps, LeaveARestToTheLastThread) {
  const auto square = [](const std::vector<Tensor>& x) { return std::vector{x[0] * x[0]}; };
  for (const int64_t count : {1024, 1025, 1031, 2049, 4099 * 5}) {
    EXPECT_EQ(lanes_of({of(bf16, {count})}, square), 8) << count;
    EXPECT_EQ(lanes_of({of(f64, {count})}, square), 2) << count;
  }
  EXPECT_EQ(lanes_of({of(bf16, {31})}, square), 1);
}

// What is read against its order would be read element by element, and by threads far apart.
TEST(GpuMaps, TakeOneElementWhereAnArrayLiesAnotherWay) {
  const auto with_transposed = [](const std::vector<Tensor>& x) {
    return std::vector{x[0] + transpose(x[1], 0, 1)};
  };
  EXPECT_EQ(lanes_of({of(f32, {65, 33}), of(f32, {33, 65})}, with_transposed), 1);
  const auto of_part = [](const std::vector<Tensor>& x) {
    return std::vector{slice(x[0], 1, 0, 65, 1) * 2};
  };
  EXPECT_EQ(lanes_of({of(f32, {33, 67})}, of_part), 1);
}

// Four neighbors share the counter of a generator, whichever way threads divide them.
TEST(GpuMaps, DrawTheSameNumbersAsTheReference) {
  const auto drop = [](const std::vector<Tensor>& x) {
    return std::vector{dropout(x[0], 0.5, x[1])};
  };
  for (const Shape& shape : {Shape{64, 96}, Shape{37, 65}, Shape{3, 7}}) {
    const graph::Graph graph = graph_of({of(bf16, shape), of(i64, {3})}, drop);
    std::vector<Tensor> inputs = random_inputs(graph, 3);
    inputs[1] = Tensor::of<int64_t>({42, 1, 7}, {3});
    const Plan plan = schedule::schedule(graph, {.target = Target::gpu});
    EXPECT_EQ(interpret(graph, plan, inputs).outputs[0].to_vector<float>(),
              expected_outputs(graph, inputs)[0].to_vector<float>());
  }
}

// Misaligned rows, read from where they do not: single elements, but several of each thread, without a
// condition on each where all of a block are there.
TEST(GpuMaps, SingleElementsInSteps) {
  const auto part = [](const std::vector<Tensor>& t) {
    return std::vector{slice(t[0], 1, 1, 258) * 2.0};
  };
  for (const DType dtype : {bf16, f32}) {
    const graph::Graph graph = graph_of({{dtype, {301, 260}, kCpu, false}}, part);
    const schedule::Plan plan =
        schedule::schedule(graph, {.target = schedule::Target::gpu, .sheet = small_device(2, 228)});
    ASSERT_EQ(plan.calls.size(), 1U);
    const std::string text = loop::to_text(plan.calls.front().kernel);
    EXPECT_NE(text.find(dtype == bf16 ? " in 8 {" : " in 4 {"), std::string::npos) << text;
    EXPECT_NE(text.find("if true {"), std::string::npos) << text;
    expect_as_reference(graph, plan, 1);
  }
}

}  // namespace
}  // namespace ridge::testing::gpu_maps_test
