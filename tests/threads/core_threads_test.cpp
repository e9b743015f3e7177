// Tensors and the allocators below them, used from eight threads at once. Meant for the thread
// sanitizer; the counts are checked in any build.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "ridge/core/allocator.h"
#include "ridge/core/caching_allocator.h"
#include "ridge/core/device_runtime.h"
#include "ridge/core/tensor.h"

namespace ridge::core_threads_test {
namespace {

constexpr int kThreads = 8;
constexpr int kRounds = 2000;

void run_threads(const std::function<void(int thread)>& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

TEST(CoreThreads, AllocateFillAndRelease) {
  const int64_t before = allocator_for(kCpu).stats().live_bytes;
  run_threads([](int thread) {
    std::mt19937 random(static_cast<unsigned>(thread));
    std::vector<Tensor> kept;
    for (int round = 0; round < kRounds; ++round) {
      const auto size = static_cast<int64_t>(random() % 300);
      const Tensor t = Tensor::of(std::vector<int32_t>(static_cast<size_t>(size), thread), {size});
      kept.push_back(t);
      if (kept.size() > 10) kept.erase(kept.begin() + static_cast<int>(random() % 10));
      // A block handed to two threads at once would show here.
      for (int32_t value : kept[random() % kept.size()].to_vector<int32_t>()) {
        ASSERT_EQ(value, thread);
      }
    }
  });
  EXPECT_EQ(allocator_for(kCpu).stats().live_bytes, before);
}

TEST(CoreThreads, HandlesOfOneTensor) {
  const Tensor shared = Tensor::of<float>({1, 2, 3}, {3});
  std::atomic<int> deleted = 0;
  float values[2] = {4, 5};
  Tensor blob = Tensor::from_blob(values, {2}, f32, [&](void*) { ++deleted; });
  run_threads([&, blob](int) {
    for (int round = 0; round < kRounds; ++round) {
      const Tensor copy = shared;
      const Tensor alias = copy.alias();
      ASSERT_EQ(alias.numel().known(), 3);
      const Tensor other = blob;
      ASSERT_EQ(other.numel().known(), 2);
    }
  });
  EXPECT_EQ(deleted, 0);
  blob = Tensor();
  EXPECT_EQ(deleted, 1);
  EXPECT_EQ(shared.unsafe_impl()->use_count(), 1u);
}

TEST(CoreThreads, TensorsReleasedByAnotherThread) {
  const int64_t before = allocator_for(kCpu).stats().live_bytes;
  std::mutex mutex;
  std::vector<Tensor> pool;
  run_threads([&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      Tensor mine = Tensor::of<int64_t>({thread, thread}, {2});
      Tensor taken;
      {
        const std::lock_guard lock(mutex);
        pool.push_back(std::move(mine));
        if (pool.size() > kThreads) {
          taken = std::move(pool.front());
          pool.erase(pool.begin());
        }
      }
      if (!taken.defined()) continue;
      const auto values = taken.to_vector<int64_t>();
      ASSERT_EQ(values[0], values[1]);
    }
  });
  pool.clear();
  EXPECT_EQ(allocator_for(kCpu).stats().live_bytes, before);
}

TEST(CoreThreads, TrimsAndLimitsWhileOthersAllocate) {
  HostAllocator host;
  {
    CachingAllocator allocator(host);
    run_threads([&](int thread) {
      for (int round = 0; round < kRounds; ++round) {
        const auto bytes = static_cast<size_t>(64 * (1 + (round + thread) % 20));
        void* data = allocator.allocate(bytes);
        *static_cast<int*>(data) = thread;
        ASSERT_EQ(*static_cast<int*>(data), thread);
        allocator.release(data, bytes);
        if (thread == 0 && round % 16 == 0) allocator.trim();
        if (thread == 1 && round % 64 == 0) allocator.set_limit(round % 128 == 0 ? 256 : -1);
        if (thread == 2 && round % 16 == 0) static_cast<void>(allocator.stats());
      }
    });
    const AllocatorStats stats = allocator.stats();
    EXPECT_EQ(stats.live_bytes, 0);
    EXPECT_EQ(stats.allocation_count, kThreads * kRounds);
  }
  EXPECT_EQ(host.stats().live_bytes, 0);
}

TEST(CoreThreads, VersionsAndDonationAreSeenByAll) {
  const Tensor shared = Tensor::empty({1});
  run_threads([&](int thread) {
    for (int round = 0; round < kRounds; ++round) shared.storage().bump_version();
    if (thread == 0) shared.donate();
  });
  EXPECT_EQ(shared.version(), static_cast<uint32_t>(kThreads * kRounds));
  EXPECT_TRUE(shared.storage().is_donated());
}

}  // namespace
}  // namespace ridge::core_threads_test
