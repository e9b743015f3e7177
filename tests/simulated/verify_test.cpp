// RIDGE_VERIFY=3 on kernels of a GPU: split reductions, batches, updates, and eager calls.
#include <gtest/gtest.h>

#include "ridge/core/device_copy.h"
#include "ridge/dispatch/operator_table.h"
#include "ridge/linker/link.h"
#include "ridge/ridge.h"
#include "ridge/verify/verify_kernels.h"
#include "simulated_gpu.h"

namespace ridge::testing::verify_test {
namespace {

class SimulatedVerify : public ::testing::Test {
 protected:
  void SetUp() override { RIDGE_USE_SIMULATED_GPU(); }
};

Tensor numbers(const Shape& shape, uint64_t seed = 1) {
  Generator generator(seed);
  return to_device(uniform(shape, generator, -2.0, 2.0), kSimulated);
}

TEST_F(SimulatedVerify, RightProgramsPass) {
  const ScopedKnob verify(Knob::verify, 3);
  const auto f = compile([](std::vector<Tensor>& state, const Tensor& x, const Tensor& rate) {
    for (Tensor& one : state) add_(one, one * rate);
    add_(slice(state[0], 0, 1, 3), 1);
    return std::vector<Tensor>{softmax(x, -1), sum(x, {0}), sum(x), transpose(x, 0, 1) + 1};
  });
  std::vector<Tensor> state{numbers({40}, 2), numbers({50}, 3), numbers({7, 9}, 4)};
  const Tensor x = numbers({70, 33});
  for (int call = 0; call < 2; ++call) f(state, x, 0.25);
}

// Several kernels of one reduction are one unit: the value is there when the last has run.
TEST_F(SimulatedVerify, KernelsOfAReductionAreCheckedTogether) {
  graph::Graph graph;
  const graph::ValueId x = graph.add_input({f32, {1 << 18}, kSimulated, false}, "x");
  const auto& op = dispatch::OperatorTable::instance().at("sum");
  const int32_t node =
      graph.add_node(op, {x, Ints{0}, false}, {{f32, {}, kSimulated, false}}, Location::current());
  graph.outputs = graph.nodes[static_cast<size_t>(node)].results;
  const schedule::Plan plan = schedule::schedule(graph, linker::options_for(kSimulated));
  ASSERT_GT(plan.calls.size(), 1u);
  for (size_t i = 0; i < plan.calls.size(); ++i) {
    EXPECT_EQ(plan.calls[i].stored.empty(), i + 1 < plan.calls.size());
  }
}

TEST_F(SimulatedVerify, EagerCallsPass) {
  const ScopedKnob verify(Knob::verify, 3);
  const Tensor x = numbers({6, 10});
  EXPECT_EQ((softmax(x, -1) * 2 + cast(x, bf16)).shape(), x.shape());
}

}  // namespace
}  // namespace ridge::testing::verify_test
