// What a select chooses among is computed where it is chosen, if that is little: halves of heads that turn.
#include <gtest/gtest.h>

#include "ridge/codegen/cuda/generate.h"
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
  const auto kernels_of = [&](const Function& function, const std::vector<graph::Type>& inputs) {
    const graph::Graph graph = graph_of(inputs, function);
    const schedule::Plan plan = schedule::schedule(graph, {.target = target});
    expect_as_reference(graph, plan, 4);
    return plan.calls.size();
  };
  EXPECT_EQ(kernels_of(turn, {x, a, a}), 1U);
  // In 16 bits a product that both halves read is rounded, which no part of an expression can be.
  EXPECT_EQ(kernels_of(turn_back, {x, a, a, x}), dtype == bf16 ? 2U : 1U);
  EXPECT_EQ(kernels_of(turn_pairs, {x, a, a}), 2U);  // neighbors alternate
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

// A part of an expression has no type to be rounded to, or computed in: what has one is computed before.
TEST(ChosenReads, TypesOnTheWayStay) {
  const auto text_of = [](DType dtype, const Function& function) {
    const graph::Graph graph = graph_of({heads(dtype), heads(bf16), heads(f32)}, function);
    std::string text;
    for (const schedule::Target target : {schedule::Target::cpu, schedule::Target::gpu}) {
      const schedule::Plan plan = schedule::schedule(graph, {.target = target});
      expect_as_reference(graph, plan, 1);
      for (const auto& call : plan.calls) text += loop::to_text(call.kernel);
    }
    return text;
  };
  const std::string rounded = text_of(
      f32, [](const Tensors& t) { return Tensors{cat({cast(t[0], bf16) - t[1], t[1]}, 3)}; });
  EXPECT_NE(rounded.find("as bf16"), std::string::npos) << rounded;
  const std::string wide = text_of(f64, [](const Tensors& t) {
    return Tensors{cat({-cast(t[0] * t[0] - t[0], f32), t[2]}, 3)};
  });
  EXPECT_NE(wide.find("let v1: f64"), std::string::npos) << wide;
  text_of(f32,
          [](const Tensors& t) { return Tensors{cat({cast(t[0] * 10.0, i32) * t[2], t[2]}, 3)}; });
  text_of(f32,
          [](const Tensors& t) { return Tensors{cat({cast(t[0] * 400.0, u8) * t[2], t[2]}, 3)}; });
}

// Each wide load that may be chosen has registers of its own, so there are only a few.
TEST(ChosenReads, OfManyAreLoadedOneByOne) {
  const auto lanes_of = [](int count) {
    const graph::Graph graph = graph_of({heads(bf16)}, [&](const Tensors& t) {
      return Tensors{cat(Tensors(static_cast<size_t>(count), t[0]), 3)};
    });
    const schedule::Plan plan = schedule::schedule(graph, {.target = schedule::Target::gpu});
    const std::string text = codegen::generate(plan.calls.front().kernel, {}).source;
    size_t found = 0;
    for (size_t at = text.find("[8];"); at != std::string::npos; at = text.find("[8];", at + 1)) {
      ++found;
    }
    return found;
  };
  EXPECT_EQ(lanes_of(2), 3U);  // and what is stored
  EXPECT_EQ(lanes_of(40), 1U);
}

}  // namespace
}  // namespace ridge::testing::chosen_reads_test
