// What calls of a plan say of memory, and a plan in which kernels are right and memory is not.
#include "ridge/verify/verify_kernels.h"

#include <gtest/gtest.h>

#include "ridge/driver/pipeline.h"
#include "ridge/linker/kernel_cache.h"
#include "ridge/ridge.h"

namespace ridge::verify::verify_kernels_test {
namespace {

Tensor numbers(const Shape& shape, uint64_t seed = 1) {
  Generator generator(seed);
  return uniform(shape, generator, -2.0, 2.0);
}

graph::Graph captured(const Tensor& x) {
  const auto function = [](const Tensor& t) { return exp(t) + sin(t); };
  const graph::Graph made = capture::capture(function, {.name = "pair"}, x).graph;
  graph::PassContext context;
  return graph::run_passes(made, graph::standard_passes(), context);
}

TEST(Plan, CallsSayWhatTheyLeaveInMemory) {
  const graph::Graph graph = captured(numbers({40}));
  const schedule::Plan plan = schedule::schedule(graph, {.fuses = false});
  ASSERT_EQ(plan.calls.size(), 3u);
  for (size_t i = 0; i < plan.calls.size(); ++i) {
    ASSERT_EQ(plan.calls[i].stored.size(), 1u);
    EXPECT_EQ(graph[plan.calls[i].stored[0].value].node, static_cast<int32_t>(i));
  }
  EXPECT_EQ(plan.calls[2].stored[0].buffer, plan.outputs[0]);
}

#if RIDGE_HAS_LLVM

TEST(VerifyMemory, TwoValuesAtOnePlaceAreFound) {
  const Tensor x = numbers({40});
  const Tensor* inputs[] = {&x};
  const graph::Graph graph = captured(x);
  schedule::Plan plan = schedule::schedule(graph, {.fuses = false});
  const ScopedKnob verify(Knob::verify, 3);
  EXPECT_EQ(driver::build_program(plan, graph)->run(inputs).size(), 1u);

  // The first temporary ends before the second begins, though both are read together.
  std::vector<ArenaPlan::Step>& steps = plan.arena.steps;
  ASSERT_GE(steps.size(), 4u);
  ASSERT_TRUE(steps[0].takes && steps[1].takes);
  const int first = steps[0].buffer;
  std::erase_if(steps, [&](const auto& step) { return step.buffer == first && !step.takes; });
  steps.insert(steps.begin() + 1, {first, false});
  try {
    driver::build_program(plan, graph)->run(inputs);
    FAIL() << "no error";
  } catch (const WrongKernel& error) {
    EXPECT_TRUE(error.is_overwritten) << error.what();
    EXPECT_EQ(error.call, 2u) << error.what();
  }
}

#endif

}  // namespace
}  // namespace ridge::verify::verify_kernels_test
