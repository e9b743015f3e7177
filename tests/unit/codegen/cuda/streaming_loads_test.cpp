// Which kernels read past the cache: little but reads, each element once, more than it holds.
#include <gtest/gtest.h>

#include "ridge/base/text.h"
#include "ridge/codegen/cuda/generate.h"

namespace ridge::codegen::streaming_loads_test {
namespace {

constexpr int64_t kCache = 1 << 20;

// Sums of so many rows of 1024 floats, which are gone over `times` times, and as many results of each.
loop::Kernel row_sums(int64_t rows, int64_t times = 1, int64_t results = 1) {
  std::string passes;
  for (int64_t i = 0; i < times; ++i) {
    passes += concat("for i2 in 8 {\nlet v", i + 1,
                     ": f32 = x[1024 * i0 + 128 * i2 + i1]\nv0 sum= v", i + 1, "\n}\n");
  }
  return loop::parse(concat("kernel sums(x: f32[", 1024 * rows, "] in, out: f32[", results * rows,
                            "] out) {\nfor i0 in ", rows,
                            " @gpu_block {\nfor i1 in 128 @gpu_thread {\nvar v0: f32 = 0.0\n",
                            passes, "block_reduce sum v0\nif i1 < ", results, " {\nout[", results,
                            " * i0 + i1] = v0\n}\n}\n}\n}\n"));
}

TEST(CudaStreaming, WhatTheCacheDoesNotHold) {
  EXPECT_TRUE(prefers_streaming_loads(row_sums(512), kCache));
  EXPECT_TRUE(prefers_streaming_loads(row_sums(1024), kCache));
  EXPECT_FALSE(prefers_streaming_loads(row_sums(256), kCache));   // may stay
  EXPECT_FALSE(prefers_streaming_loads(row_sums(2048), kCache));  // too much for hints to pay
}

TEST(CudaStreaming, NotWhatIsReadAgainOrWritten) {
  EXPECT_FALSE(prefers_streaming_loads(row_sums(512, 2), kCache));
  EXPECT_TRUE(prefers_streaming_loads(row_sums(512, 1, 64), kCache));
  EXPECT_FALSE(prefers_streaming_loads(row_sums(512, 1, 65), kCache));
}

}  // namespace
}  // namespace ridge::codegen::streaming_loads_test
