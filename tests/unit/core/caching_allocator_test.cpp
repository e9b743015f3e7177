#include "ridge/core/caching_allocator.h"

#include <gtest/gtest.h>

#include <map>

#include "ridge/base/error.h"
#include "ridge/core/allocator.h"

namespace ridge::caching_allocator_test {
namespace {

// An upstream with little memory that checks that blocks come back as they went out.
class SmallUpstream final : public Allocator {
 public:
  explicit SmallUpstream(size_t capacity) : left_(capacity) {}
  ~SmallUpstream() override { EXPECT_TRUE(blocks_.empty()) << "memory was not given back"; }

  void* allocate(size_t bytes) override {
    RIDGE_CHECK(bytes <= left_, .code = ErrorCode::memory, .given = std::to_string(bytes));
    void* data = host_.allocate(bytes);
    blocks_[data] = bytes;
    left_ -= bytes;
    return data;
  }
  void release(void* data, size_t bytes) noexcept override {
    EXPECT_EQ(blocks_[data], bytes);
    blocks_.erase(data);
    left_ += bytes;
    host_.release(data, bytes);
  }
  AllocatorStats stats() const override { return host_.stats(); }
  size_t left() const { return left_; }

 private:
  HostAllocator host_;
  std::map<void*, size_t> blocks_;
  size_t left_;
};

TEST(CachingAllocator, SizeClassesWasteLittle) {
  size_t previous = 0;
  for (size_t bytes = 0; bytes < 100'000; ++bytes) {
    const size_t block = CachingAllocator::block_bytes(bytes);
    ASSERT_GE(block, std::max<size_t>(bytes, 1));
    ASSERT_EQ(block % kAllocationAlignment, 0u);
    ASSERT_LE(block, bytes + std::max(kAllocationAlignment, bytes / 8)) << bytes;
    ASSERT_GE(block, previous);
    ASSERT_EQ(CachingAllocator::block_bytes(block), block) << bytes;
    previous = block;
  }
  const size_t large = (size_t{1} << 30) + 1;
  EXPECT_EQ(CachingAllocator::block_bytes(large), (size_t{1} << 30) + (size_t{2} << 20));
  EXPECT_GE(CachingAllocator::block_bytes(SIZE_MAX), SIZE_MAX);
}

TEST(CachingAllocator, ReusesBlocksOfTheClass) {
  SmallUpstream upstream(1 << 20);
  CachingAllocator allocator(upstream);
  void* first = allocator.allocate(1000);
  allocator.release(first, 1000);
  EXPECT_EQ(allocator.stats().cached_bytes, 1024);
  EXPECT_EQ(allocator.allocate(1010), first);
  const AllocatorStats stats = allocator.stats();
  EXPECT_EQ(stats.live_bytes, 1010);
  EXPECT_EQ(stats.cached_bytes, 0);
  EXPECT_EQ(stats.allocation_count, 2);
  EXPECT_EQ(stats.upstream_count, 1);
  allocator.release(first, 1010);
}

TEST(CachingAllocator, CountsPeak) {
  SmallUpstream upstream(1 << 20);
  CachingAllocator allocator(upstream);
  void* a = allocator.allocate(100);
  void* b = allocator.allocate(200);
  allocator.release(a, 100);
  EXPECT_EQ(allocator.stats().peak_live_bytes, 300);
  allocator.reset_peak();
  EXPECT_EQ(allocator.stats().peak_live_bytes, 200);
  allocator.release(b, 200);
}

TEST(CachingAllocator, ZeroBytesGiveAPointer) {
  SmallUpstream upstream(1 << 20);
  CachingAllocator allocator(upstream);
  void* data = allocator.allocate(0);
  EXPECT_NE(data, nullptr);
  allocator.release(data, 0);
}

TEST(CachingAllocator, KeepsNoMoreThanTheLimit) {
  SmallUpstream upstream(1 << 20);
  CachingAllocator allocator(upstream, 1024);
  void* a = allocator.allocate(1024);
  void* b = allocator.allocate(1024);
  allocator.release(a, 1024);
  allocator.release(b, 1024);
  EXPECT_EQ(allocator.stats().cached_bytes, 1024);
  EXPECT_EQ(upstream.left(), (size_t{1} << 20) - 1024);

  allocator.set_limit(0);
  EXPECT_EQ(allocator.stats().cached_bytes, 0);
  EXPECT_EQ(upstream.left(), size_t{1} << 20);
}

TEST(CachingAllocator, TrimsAndAsksOnceMore) {
  SmallUpstream upstream(4096);
  CachingAllocator allocator(upstream);
  allocator.release(allocator.allocate(3072), 3072);
  EXPECT_EQ(upstream.left(), 1024u);
  void* data = allocator.allocate(2048);  // fits only without the cached block
  EXPECT_EQ(allocator.stats().cached_bytes, 0);
  try {
    allocator.allocate(4096);
    FAIL() << "got more than upstream has";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::memory);
  }
  EXPECT_EQ(allocator.stats().live_bytes, 2048);
  allocator.release(data, 2048);
}

TEST(CachingAllocator, GivesEverythingBackWhenDestroyed) {
  SmallUpstream upstream(1 << 20);
  {
    CachingAllocator allocator(upstream);
    for (size_t bytes : {10u, 100u, 10'000u}) allocator.release(allocator.allocate(bytes), bytes);
    EXPECT_LT(upstream.left(), size_t{1} << 20);
  }
  EXPECT_EQ(upstream.left(), size_t{1} << 20);
}

}  // namespace
}  // namespace ridge::caching_allocator_test
