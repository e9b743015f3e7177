// What `ridge products` times, on the fake GPU: nothing but launches of one graph.
#include <gtest/gtest.h>

#include "ridge/base/knobs.h"
#include "ridge/core/device_copy.h"
#include "ridge/ridge.h"
#include "tests/fake_gpu/library/fake_gpu.h"
#include "tools/ridge/product_clock.h"
#include "tools/ridge/product_side.h"

namespace ridge::command {
namespace {

constexpr Device kGpu{DeviceKind::cuda, 0};
constexpr int kSets = 5;

class FakeProducts : public testing::Test {
 protected:
  ProductSide side() {
    // Made by the host: an eager call of the device would leave a graph behind.
    const auto matrix = [] { return to_device(zeros({64, 64}, f16), kGpu); };
    std::vector<ProductOperands> operands;
    for (int i = 0; i < kSets; ++i) {
      operands.push_back({.lhs = matrix(), .rhs = matrix(), .bias = {}});
    }
    ProductSide made = compiled_side("ours", parse_product("64x64x64:f16"), operands);
    fake_gpu::reset_counts();
    return made;
  }
  ScopedKnob library_{Knob::library, "never"};
};

TEST_F(FakeProducts, NothingMovesFromRunToRun) {
  const ProductSide ours = side();
  for (int run = 0; run < 4; ++run) ours.run();
  const fake_gpu::Counts counts = fake_gpu::counts();
  EXPECT_EQ(counts.graph_launches, 4);
  EXPECT_EQ(counts.kernels, 4 * kSets);
  EXPECT_EQ(counts.launches, 0);
  EXPECT_EQ(counts.changed_nodes, 0);
  EXPECT_EQ(counts.graphs, 0);
  EXPECT_EQ(ours.outputs().size(), static_cast<size_t>(kSets));
  const ProductPlanFigures figures = figures_of(ours, kSets);
  EXPECT_TRUE(figures.is_mapped) << figures.mapping;
  EXPECT_EQ(figures.kernels, 1);
}

// Between two events of the fake GPU there is always a microsecond.
TEST_F(FakeProducts, ATimerRunsBatchesUntilItsTimeIsOver) {
  const ProductSide ours = side();
  int runs = 0;
  const double seconds = device_timer(kGpu, 2.5e-6)([&] {
    ++runs;
    ours.run();
  });
  // A trial of two batches of 3, then three of 1000 and one that is queued ahead.
  EXPECT_EQ(runs, 6 + 4 * 1000);
  EXPECT_NEAR(seconds, 1e-9, 1e-14);
  EXPECT_EQ(fake_gpu::counts().graph_launches, runs);
}

}  // namespace
}  // namespace ridge::command
