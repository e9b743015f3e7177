#include "ridge/runtime/cuda/stream_allocator.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <thread>

#include "ridge/base/error.h"

namespace ridge::runtime::cuda::stream_allocator_test {
namespace {

constexpr Device kDevice{DeviceKind::cuda, 0};
constexpr Stream kA{kDevice, 10};
constexpr Stream kB{kDevice, 11};

// Memory of the host with a limit, and streams that pass their marks when the test says so.
class FakeMemory final : public MemorySource {
 public:
  std::string name() const override { return "fake:0"; }
  void* allocate(size_t bytes) override {
    const std::lock_guard lock(mutex);
    if (used + bytes > limit) return nullptr;
    void* data = std::malloc(bytes);
    used += bytes;
    blocks[data] = bytes;
    return data;
  }
  void release(void* data) noexcept override {
    const std::lock_guard lock(mutex);
    used -= blocks.at(data);
    blocks.erase(data);
    std::free(data);
  }
  Level level() noexcept override { return {limit - used, limit}; }
  Stream current_stream() override { return stream; }
  Mark mark(Stream) override {
    ++mark_count;
    return can_mark ? std::make_shared<int>(epoch) : nullptr;
  }
  bool has_passed(const Mark& mark) override { return *static_cast<int*>(mark.get()) < epoch; }
  bool wait_for_all() noexcept override {
    ++wait_count;
    return can_wait;
  }
  void pass_marks() { ++epoch; }

  static thread_local Stream stream;
  std::mutex mutex;
  size_t limit = size_t{1} << 30;
  size_t used = 0;
  std::map<void*, size_t> blocks;
  int epoch = 0;
  int mark_count = 0;
  int wait_count = 0;
  bool can_mark = true;
  bool can_wait = true;
};

thread_local Stream FakeMemory::stream = kA;

class StreamAllocatorTest : public testing::Test {
 protected:
  void SetUp() override { FakeMemory::stream = kA; }
  void* allocate_on(Stream stream, size_t bytes) {
    FakeMemory::stream = stream;
    return allocator.allocate(bytes);
  }
  void release_on(Stream stream, void* data, size_t bytes) {
    FakeMemory::stream = stream;
    allocator.release(data, bytes);
  }

  FakeMemory memory;
  StreamAllocator allocator{memory};
};

TEST_F(StreamAllocatorTest, OneStreamReusesAtOnceWithoutEvents) {
  void* first = allocate_on(kA, 1000);
  release_on(kA, first, 1000);
  EXPECT_EQ(allocate_on(kA, 1010), first);  // the same class of sizes
  EXPECT_EQ(memory.mark_count, 0);
  EXPECT_EQ(allocator.stats().upstream_count, 1);
  EXPECT_EQ(allocator.stats().allocation_count, 2);
  release_on(kA, first, 1010);
}

TEST_F(StreamAllocatorTest, AnotherStreamWaitsForTheEvent) {
  void* first = allocate_on(kA, 1000);
  release_on(kA, first, 1000);
  void* second = allocate_on(kB, 1000);
  EXPECT_NE(second, first);  // A may still use it; B's question has set a mark
  EXPECT_EQ(memory.mark_count, 1);
  void* third = allocate_on(kB, 1000);
  EXPECT_NE(third, first);  // not passed yet, and not marked again
  EXPECT_EQ(memory.mark_count, 1);
  memory.pass_marks();
  EXPECT_EQ(allocate_on(kB, 1000), first);
  for (void* data : {first, second, third}) release_on(kB, data, 1000);
}

TEST_F(StreamAllocatorTest, AMarkDoesNotCoverWhatWasReleasedLater) {
  void* first = allocate_on(kA, 1000);
  void* later = allocate_on(kA, 1000);
  release_on(kA, first, 1000);
  void* of_b = allocate_on(kB, 1000);  // marks A
  release_on(kA, later, 1000);
  memory.pass_marks();
  EXPECT_EQ(allocate_on(kB, 1000), first);
  void* fresh = allocate_on(kB, 1000);
  EXPECT_NE(fresh, later);
  memory.pass_marks();
  EXPECT_EQ(allocate_on(kB, 1000), later);
  for (void* data : {first, later, of_b, fresh}) release_on(kB, data, 1000);
}

TEST_F(StreamAllocatorTest, ReleaseOnAnotherStreamWaitsForBoth) {
  void* data = allocate_on(kA, 1000);
  release_on(kB, data, 1000);
  void* of_a = allocate_on(kA, 1000);  // B may still use it
  EXPECT_NE(of_a, data);
  void* of_b = allocate_on(kB, 1000);  // and so may A
  EXPECT_NE(of_b, data);
  memory.pass_marks();
  EXPECT_EQ(allocate_on(kA, 1000), data);
  for (void* each : {data, of_a, of_b}) release_on(kA, each, 1000);
}

TEST_F(StreamAllocatorTest, RecordedUsesAreWaitedFor) {
  void* data = allocate_on(kA, 4096);
  EXPECT_TRUE(allocator.record_use(static_cast<char*>(data) + 100, kB));
  int elsewhere = 0;
  EXPECT_FALSE(allocator.record_use(&elsewhere, kB));
  release_on(kA, data, 4096);
  void* other = allocate_on(kA, 4096);
  EXPECT_NE(other, data);
  memory.pass_marks();
  EXPECT_EQ(allocate_on(kA, 4096), data);
  release_on(kA, data, 4096);
  release_on(kA, other, 4096);
}

TEST_F(StreamAllocatorTest, AStreamThatCannotBeMarkedKeepsItsBlocks) {
  void* data = allocate_on(kA, 1000);
  release_on(kA, data, 1000);
  memory.can_mark = false;  // it is being captured
  void* second = allocate_on(kB, 1000);
  memory.pass_marks();
  void* third = allocate_on(kB, 1000);
  EXPECT_NE(third, data);
  memory.can_mark = true;
  void* fourth = allocate_on(kB, 1000);
  memory.pass_marks();
  EXPECT_EQ(allocate_on(kB, 1000), data);
  for (void* each : {data, second, third, fourth}) release_on(kB, each, 1000);
}

TEST_F(StreamAllocatorTest, OutOfMemoryGivesTheCacheBackAndTriesAgain) {
  memory.limit = 10 << 20;
  void* cached = allocate_on(kA, 6 << 20);
  release_on(kA, cached, 6 << 20);
  void* data = allocate_on(kA, 8 << 20);
  EXPECT_EQ(memory.wait_count, 1);
  EXPECT_EQ(allocator.stats().cached_bytes, 0);
  release_on(kA, data, 8 << 20);
}

TEST_F(StreamAllocatorTest, OutOfMemorySaysWhatThereIsAndChangesNothing) {
  memory.limit = 10 << 20;
  void* live = allocate_on(kA, 6 << 20);
  const AllocatorStats before = allocator.stats();
  try {
    allocator.allocate(8 << 20);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::memory);
    EXPECT_EQ(error.expected(), "a request that fits into the 4.0 MiB free of 10.0 MiB on fake:0");
    EXPECT_EQ(error.given(), "8388608 bytes (8.0 MiB) beside 6.0 MiB live and 0 B cached by Ridge");
  }
  EXPECT_EQ(allocator.stats().live_bytes, before.live_bytes);
  EXPECT_EQ(allocator.stats().allocation_count, before.allocation_count);
  void* smaller = allocator.allocate(3 << 20);  // a smaller run succeeds after
  release_on(kA, smaller, 3 << 20);
  release_on(kA, live, 6 << 20);
}

TEST_F(StreamAllocatorTest, NothingIsGivenBackThatCannotBeWaitedFor) {
  memory.limit = 10 << 20;
  void* cached = allocate_on(kA, 6 << 20);
  release_on(kA, cached, 6 << 20);
  memory.can_wait = false;
  EXPECT_THROW(allocator.allocate(8 << 20), Error);
  EXPECT_EQ(memory.blocks.count(cached), 1u);
  EXPECT_EQ(allocate_on(kA, 6 << 20), cached);
  memory.can_wait = true;
  release_on(kA, cached, 6 << 20);
}

TEST_F(StreamAllocatorTest, CountsBytes) {
  void* a = allocate_on(kA, 1000);
  void* b = allocate_on(kA, 500);
  release_on(kA, a, 1000);
  AllocatorStats now = allocator.stats();
  EXPECT_EQ(now.live_bytes, 500);
  EXPECT_EQ(now.peak_live_bytes, 1500);
  EXPECT_EQ(now.cached_bytes, 1024);
  allocator.reset_peak();
  EXPECT_EQ(allocator.stats().peak_live_bytes, 500);
  allocator.trim();
  EXPECT_EQ(allocator.stats().cached_bytes, 0);
  EXPECT_EQ(memory.blocks.size(), 1u);
  release_on(kA, b, 500);
  void* nothing = allocator.allocate(0);
  EXPECT_NE(nothing, nullptr);
  release_on(kA, nothing, 0);
}

TEST_F(StreamAllocatorTest, AForgottenStreamHoldsNothing) {
  void* data = allocate_on(kA, 1000);
  release_on(kA, data, 1000);
  allocator.forget_stream(kA);
  EXPECT_EQ(allocate_on(kB, 1000), data);
  EXPECT_EQ(memory.mark_count, 0);
  release_on(kB, data, 1000);
}

TEST_F(StreamAllocatorTest, KeepsNoMoreThanItsLimit) {
  StreamAllocator bounded(memory, 2048);
  FakeMemory::stream = kA;
  void* a = bounded.allocate(1024);
  void* b = bounded.allocate(2048);
  bounded.release(a, 1024);
  EXPECT_EQ(bounded.stats().cached_bytes, 1024);
  bounded.release(b, 2048);
  EXPECT_EQ(bounded.stats().cached_bytes, 0);
}

TEST_F(StreamAllocatorTest, MemoryOfOthersIsRefused) {
  int elsewhere = 0;
  allocator.release(&elsewhere, sizeof elsewhere);  // logged; nothing else happens
  EXPECT_EQ(allocator.stats().live_bytes, 0);
  EXPECT_EQ(allocator.stats().cached_bytes, 0);
}

TEST_F(StreamAllocatorTest, MemoryThatWasReturnedIsNobodys) {
  void* data = allocate_on(kA, 1000);
  release_on(kA, data, 1000);
  EXPECT_FALSE(allocator.record_use(data, kB));
  release_on(kA, data, 1000);  // logged
  EXPECT_EQ(allocator.stats().live_bytes, 0);
  EXPECT_EQ(allocate_on(kA, 1000), data);
  void* other = allocate_on(kA, 1000);
  EXPECT_NE(other, data);
  for (void* each : {data, other}) release_on(kA, each, 1000);
}

TEST_F(StreamAllocatorTest, ThreadsMayShareIt) {
  std::vector<std::thread> threads;
  for (int index = 0; index < 4; ++index) {
    threads.emplace_back([&, index] {
      FakeMemory::stream = {kDevice, static_cast<uintptr_t>(20 + index)};
      for (int i = 0; i < 500; ++i) {
        const auto bytes = static_cast<size_t>(64 + i % 7 * 100);
        auto* data = static_cast<unsigned char*>(allocator.allocate(bytes));
        data[0] = data[bytes - 1] = static_cast<unsigned char>(index);
        if (i % 100 == 0) allocator.trim();
        EXPECT_EQ(data[0], index);  // nobody else has it
        allocator.release(data, bytes);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(allocator.stats().live_bytes, 0);
  EXPECT_EQ(allocator.stats().allocation_count, 2000);
}

}  // namespace
}  // namespace ridge::runtime::cuda::stream_allocator_test
