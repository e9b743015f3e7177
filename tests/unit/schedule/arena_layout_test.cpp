// The arena laid out again: the same for the sizes of the plan, never overlapping for others.
#include <gtest/gtest.h>

#include "ridge/base/random.h"
#include "ridge/graph/pass.h"
#include "ridge/schedule/plan.h"

namespace ridge::schedule::arena_layout_test {
namespace {

constexpr const char* kChain = R"(
graph chain<n in [1, 4096] = 24>(%0: f32[n, 24] "x", %1: f32[24, 24] "w") {
  %2 = matmul(%0, %1) : f32[n, 24]
  %3 = matmul(%2, %1) : f32[n, 24]
  %4 = transpose(%3, a=0, b=1) : f32[24, n]
  %5 = matmul(%4, %3) : f32[24, 24]
  %6 = matmul(%3, %5) : f32[n, 24]
  return %6
})";

TEST(ArenaLayout, OfAPlanIsThatOfItsOffsets) {
  graph::PassContext context;
  const graph::Graph graph =
      graph::run_passes(graph::parse(kChain), graph::standard_passes(), context);
  const Plan plan = schedule(graph, {});
  std::vector<int64_t> bytes;
  for (const PlannedBuffer& buffer : plan.buffers) {
    bytes.push_back(static_cast<int64_t>(bytes_for(buffer.dtype, numel(buffer.shape).hint_or(0))));
  }
  const ArenaLayout layout = lay_out(plan.arena, bytes);
  EXPECT_GT(layout.bytes, 0);
  EXPECT_EQ(layout.bytes, plan.arena_bytes);
  for (size_t i = 0; i < bytes.size(); ++i) EXPECT_EQ(layout.offsets[i], plan.buffers[i].offset);
}

TEST(ArenaLayout, KeepsWhatLivesAtATimeApart) {
  SplitMix64 random(5);
  for (int round = 0; round < 200; ++round) {
    const int count = static_cast<int>(random.integer(2, 12));
    ArenaPlan plan;
    std::vector<int> alive;
    for (int buffer = 0; buffer < count; ++buffer) {
      plan.steps.push_back({buffer, true});
      alive.push_back(buffer);
      while (!alive.empty() && random.integer(0, 2) == 0) {
        const auto which = static_cast<size_t>(random.integer(0, std::ssize(alive) - 1));
        plan.steps.push_back({alive[which], false});
        alive.erase(alive.begin() + static_cast<ptrdiff_t>(which));
      }
    }
    std::vector<int64_t> bytes;
    for (int i = 0; i < count; ++i) bytes.push_back(random.integer(0, 5000));
    const ArenaLayout layout = lay_out(plan, bytes);
    std::vector<int> now;
    for (const ArenaPlan::Step& step : plan.steps) {
      if (!step.takes) {
        std::erase(now, step.buffer);
        continue;
      }
      const auto begin = layout.offsets[static_cast<size_t>(step.buffer)];
      const auto end = begin + bytes[static_cast<size_t>(step.buffer)];
      EXPECT_LE(end, layout.bytes);
      for (const int other : now) {
        const auto from = layout.offsets[static_cast<size_t>(other)];
        EXPECT_TRUE(end <= from || from + bytes[static_cast<size_t>(other)] <= begin);
      }
      now.push_back(step.buffer);
    }
  }
}

TEST(ArenaLayout, KernelsShareWhatIsBehind) {
  const ArenaPlan plan{{{0, true}, {0, false}}, {{1, 2}, {3}}};
  const ArenaLayout layout = lay_out(plan, std::vector<int64_t>{100, 64, 64, 1000});
  EXPECT_EQ(layout.offsets, (std::vector<int64_t>{0, 128, 192, 128}));
  EXPECT_EQ(layout.bytes, 128 + 1024);
}

}  // namespace
}  // namespace ridge::schedule::arena_layout_test
