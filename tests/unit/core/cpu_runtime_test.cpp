#include <gtest/gtest.h>

#include "ridge/core/device_runtime.h"

namespace ridge::cpu_runtime_test {
namespace {

TEST(CpuRuntime, CopiesBytes) {
  const int from[2] = {1, 2};
  int to[2] = {};
  cpu_runtime().copy(to, from, sizeof(from), Stream{});
  EXPECT_EQ(to[1], 2);
  cpu_runtime().copy(nullptr, nullptr, 0, Stream{});
}

TEST(CpuRuntime, CopiesWithinOneBlock) {
  int values[3] = {1, 2, 3};
  cpu_runtime().copy(values + 1, values, 2 * sizeof(int), Stream{});
  EXPECT_EQ(values[1], 1);
  EXPECT_EQ(values[2], 2);
}

TEST(CpuRuntime, MemoryComesThroughTheCache) {
  Allocator& allocator = cpu_runtime().allocator(kCpu);
  const AllocatorStats before = allocator.stats();
  void* data = allocator.allocate(1000);
  EXPECT_EQ(allocator.stats().live_bytes, before.live_bytes + 1000);
  EXPECT_EQ(allocator.stats().allocation_count, before.allocation_count + 1);
  allocator.release(data, 1000);
  allocator.trim();
  EXPECT_EQ(allocator.stats().cached_bytes, 0);
}

}  // namespace
}  // namespace ridge::cpu_runtime_test
