// A model of equal layers compiles each kernel once, however many layers there are.
#include <gtest/gtest.h>

#include <set>

#include "ridge/cost/sheets.h"
#include "ridge/graph/pass.h"
#include "ridge/ridge.h"
#include "ridge/schedule/kernel_text.h"
#include "ridge/schedule/plan.h"

namespace ridge::schedule::repeated_layers_test {
namespace {

using Blocks = std::vector<nn::TransformerBlock>;

Tensor loss_of(const Blocks& blocks, const Tensor& x) {
  Tensor y = x;
  for (const nn::TransformerBlock& block : blocks) y = block(y);
  return mean(y * y);
}

Tensor step(Blocks& blocks, nn::AdamW<Blocks>& optimizer, const Tensor& x) {
  auto [loss, gradient] = value_and_grad(loss_of)(blocks, x);
  optimizer.update(blocks, gradient);
  return loss;
}

struct Kernels {
  size_t calls = 0, distinct = 0;
};

Kernels kernels_of(int64_t layers) {
  Generator generator(7);
  Blocks blocks;
  for (int64_t i = 0; i < layers; ++i) blocks.emplace_back(64, 4, generator, 256, true);
  nn::AdamW<Blocks> optimizer(blocks);
  const Tensor x = uniform({2, 16, 64}, generator, -1, 1);
  auto function = &step;
  graph::PassContext context;
  const graph::Graph graph =
      graph::run_passes(capture::capture(function, {.name = "step"}, blocks, optimizer, x).graph,
                        graph::standard_passes(), context);
  const Plan plan = schedule(
      graph,
      {.target = Target::gpu, .has_library_products = true, .sheet = cost::find_sheet("h200")});
  Kernels result{.calls = plan.calls.size()};
  std::set<std::string> texts;
  for (const KernelCall& call : plan.calls) {
    if (!call.product) texts.insert(canonical_text(call.kernel));
  }
  result.distinct = texts.size();
  return result;
}

TEST(RepeatedLayers, AddCallsButNoKernels) {
  const Kernels few = kernels_of(3), many = kernels_of(6);
  EXPECT_GE(many.calls, few.calls + 3 * 20);
  EXPECT_EQ(many.distinct, few.distinct);
  EXPECT_LT(few.distinct, 60u);
}

}  // namespace
}  // namespace ridge::schedule::repeated_layers_test
