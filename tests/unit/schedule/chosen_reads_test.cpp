// What a select chooses among is computed where it is chosen, if that is little: halves of heads that turn.
#include <gtest/gtest.h>

#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing::chosen_reads_test {
namespace {

using Tensors = std::vector<Tensor>;

graph::Type heads(DType dtype) { return {dtype, {2, 3, 5, 64}, kCpu, false}; }
graph::Type angles(DType dtype) { return {dtype, {5, 64}, kCpu, false}; }

Tensor turned(const Tensor& x, const Tensor& cosines, const Tensor& sines) {
  const Tensor first = slice(x, 3, 0, 32), second = slice(x, 3, 32, 64);
  return x * cosines + cat({-second, first}, 3) * sines;
}
Tensors turn(const Tensors& t) { return {turned(t[0], t[1], t[2])}; }
Tensors turn_back(const Tensors& t) {
  const auto pulled = vjp([](const Tensors& x) { return turn(x); })(Tensors{t[0], t[1], t[2]});
  return {pulled.second(Tensors{t[3]})[0]};
}
// Neighbors instead of halves.
Tensors turn_pairs(const Tensors& t) {
  const Tensor pairs = reshape(t[0], {2, 3, 5, 32, 2});
  const Tensor a = select(pairs, 4, 0), b = select(pairs, 4, 1);
  const Tensor c = slice(t[1], 1, 0, 32), s = slice(t[2], 1, 0, 32);
  return {reshape(stack({a * c - b * s, a * s + b * c}, 4), {2, 3, 5, 64})};
}

class ChosenReads : public ::testing::TestWithParam<std::tuple<schedule::Target, DType>> {};

TEST_P(ChosenReads, HeadsThatTurnAreOneKernel) {
  const auto& [target, dtype] = GetParam();
  const graph::Type x = heads(dtype), a = angles(dtype);
  const std::pair<Function, std::vector<graph::Type>> cases[] = {
      {turn, {x, a, a}}, {turn_back, {x, a, a, x}}, {turn_pairs, {x, a, a}}};
  for (const auto& [function, inputs] : cases) {
    const graph::Graph graph = graph_of(inputs, function);
    const schedule::Plan plan = schedule::schedule(graph, {.target = target});
    EXPECT_EQ(plan.calls.size(), 1U) << loop::to_text(plan.calls.front().kernel);
    expect_as_reference(graph, plan, 4);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, ChosenReads,
                         ::testing::Combine(::testing::Values(schedule::Target::cpu,
                                                              schedule::Target::gpu),
                                            ::testing::Values(f32, bf16)),
                         [](const auto& parameter) {
                           const bool is_gpu =
                               std::get<0>(parameter.param) == schedule::Target::gpu;
                           return std::string(is_gpu ? "gpu_" : "cpu_") +
                                  std::string(name(std::get<1>(parameter.param)));
                         });

// More than a few functions are computed once, and kept.
TEST(ChosenReads, MuchWorkStaysApart) {
  const graph::Graph graph = graph_of(
      {heads(f32)}, [](const Tensors& t) { return Tensors{cat({sin(exp(t[0])), t[0]}, 3)}; });
  EXPECT_EQ(schedule::schedule(graph, {.target = schedule::Target::gpu}).calls.size(), 2U);
}

// A cast rounds, which a part of an expression does not.
TEST(ChosenReads, CastsRound) {
  const graph::Graph graph = graph_of({heads(f32)}, [](const Tensors& t) {
    return Tensors{cat({cast(t[0], bf16), cast(t[0] * 3.0, bf16)}, 3)};
  });
  const schedule::Plan plan = schedule::schedule(graph, {.target = schedule::Target::gpu});
  expect_as_reference(graph, plan, 1);
}

}  // namespace
}  // namespace ridge::testing::chosen_reads_test
