// What a row asks of memory for itself is asked before its passes.
#include "ridge/schedule/gpu_row_rewrites.h"

#include <gtest/gtest.h>

#include <string>

namespace ridge::schedule::gpu_row_early_test {
namespace {

constexpr const char* kRow =
    R"(kernel k(x: f32[64] in, at: i64[8] in, seen: f32[8] in_out, y: f32[8] out) {
  for i0 in 8 @gpu_block {
    for i1 in 32 @gpu_thread {
      var v0: f32 = 0.0
      for i2 in 8 {
        let v1: f32 = x[8 * i0 + i2]
        v0 sum= v1
      }
      block_reduce sum v0
      let v2: i64 = at[i0]
      let v3: i64 = v2 + 1
      let v4: f32 = x[8 * i0 + checked_index(v2, 8)]
      let v5: f32 = seen[i0]
      let v6: f32 = v4 + v0
      let v7: f32 = v6 + v5
      y[i0] = v7
    }
  }
}
)";

loop::Body& row_of(loop::Kernel& kernel) {
  auto& grid = std::get<loop::Loop>(kernel.body[0].kind);
  return std::get<loop::Loop>(grid.body[0].kind).body;
}

TEST(GpuRowEarly, LookupsComeFirstWithWhatTheyNeed) {
  loop::Kernel kernel = loop::parse(kRow);
  hoist_loads(kernel, row_of(kernel));
  loop::verify(kernel);
  const std::string text = loop::to_text(kernel);
  const auto place = [&](const char* part) { return text.find(part); };
  EXPECT_LT(place("= at[i0]"), place("var v0"));
  // By then the index is there.
  EXPECT_LT(place("block_reduce"), place("x[8 * i0 + checked"));
  EXPECT_LT(place("x[8 * i0 + checked"), place("v2 + 1"));
  // What is written may have changed; and a row's own sum is late.
  EXPECT_GT(place("= seen[i0]"), place("x[8 * i0 + checked"));
  EXPECT_GT(place("v4 + v0"), place("block_reduce"));
}

}  // namespace
}  // namespace ridge::schedule::gpu_row_early_test
