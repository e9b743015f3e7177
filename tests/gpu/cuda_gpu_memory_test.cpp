// Memory of a real device: copies of all kinds, and blocks that streams pass to each other.
#include <cstdio>
#include <numeric>
#include <vector>

#include "ridge/base/error.h"
#include "tests/gpu/runtime_on_gpu.h"

namespace ridge::runtime::cuda::cuda_gpu_memory_test {
namespace {

TEST_F(CudaGpuTest, CopiesThroughPageableMemoryOfEverySize) {
  const OwnStream stream_owner;
  const Stream stream = stream_owner.stream;
  // Around and beyond the staging buffers, and more of them than there are.
  const size_t buffer = StagingBuffers::kBufferBytes;
  for (const size_t bytes : {size_t{1}, size_t{1000}, buffer, buffer + 4, buffer * 9 + 12}) {
    std::vector<unsigned char> there(bytes);
    std::iota(there.begin(), there.end(), static_cast<unsigned char>(bytes));
    for (size_t i = 0; i < bytes; i += 4096) there[i] = static_cast<unsigned char>(i >> 12);
    const Block first(bytes, stream);
    const Block second(bytes, stream);
    runtime().copy(first.as<void>(), there.data(), bytes, stream);
    const std::vector<unsigned char> expected = there;
    std::fill(there.begin(), there.end(), static_cast<unsigned char>(0));  // it may be changed now
    runtime().copy(second.as<void>(), first.as<void>(), bytes, stream);
    runtime().copy(there.data(), second.as<void>(), bytes, stream);
    EXPECT_TRUE(there == expected) << bytes;
  }
  runtime().copy(nullptr, nullptr, 0, stream);
}

TEST_F(CudaGpuTest, CopiesPinnedMemoryInOrder) {
  const OwnStream stream_owner;
  const Stream stream = stream_owner.stream;
  constexpr int kCount = 1 << 20;
  StreamAllocator& pinned = runtime().pinned_allocator();
  auto* host = static_cast<float*>(pinned.allocate(kCount * sizeof(float)));
  EXPECT_EQ(memory_kind(host), MemoryKind::pinned);
  std::fill(host, host + kCount, 1.0f);
  const Block block(kCount * sizeof(float), stream);
  EXPECT_EQ(memory_kind(block.as()), MemoryKind::device);
  std::vector<float> pageable(1);
  EXPECT_EQ(memory_kind(pageable.data()), MemoryKind::pageable);
  runtime().copy(block.as(), host, kCount * sizeof(float), stream);
  launch_add(block.as(), 2.0f, kCount, stream);
  runtime().copy(host, block.as(), kCount * sizeof(float), stream);
  runtime().synchronize(stream);
  EXPECT_EQ(host[0], 3.0f);
  EXPECT_EQ(host[kCount - 1], 3.0f);
  pinned.release(host, kCount * sizeof(float));
}

TEST_F(CudaGpuTest, PinnedMemoryIsNotReusedWhileACopyReadsIt) {
  const OwnStream stream_owner;
  const Stream stream = stream_owner.stream;
  StreamAllocator& pinned = runtime().pinned_allocator();
  constexpr size_t kBytes = 3 << 20;
  const Block block(kBytes, stream);
  void* host = pinned.allocate(kBytes);
  launch_spin(50, stream);
  runtime().copy(block.as(), host, kBytes, stream);
  pinned.release(host, kBytes);
  void* other = pinned.allocate(kBytes);
  EXPECT_NE(other, host);
  runtime().synchronize(stream);
  void* again = pinned.allocate(kBytes);
  EXPECT_EQ(again, host);
  pinned.release(other, kBytes);
  pinned.release(again, kBytes);
}

TEST_F(CudaGpuTest, MemoryPassesBetweenStreamsOnlyWhenItIsIdle) {
  const OwnStream first_owner;
  const Stream first = first_owner.stream;
  const OwnStream second_owner;
  const Stream second = second_owner.stream;
  StreamAllocator& allocator = runtime().allocator(kDevice);
  allocator.trim();
  constexpr size_t kBytes = 5 << 20;
  void* data = nullptr;
  {
    const StreamScope scope(first);
    data = allocator.allocate(kBytes);
    launch_spin(100, first);
    allocator.release(data, kBytes);
    void* again = allocator.allocate(kBytes);  // the same stream: at once
    EXPECT_EQ(again, data);
    allocator.release(again, kBytes);
  }
  const StreamScope scope(second);
  void* other = allocator.allocate(kBytes);
  EXPECT_NE(other, data);
  runtime().synchronize(first);
  void* third = allocator.allocate(kBytes);
  EXPECT_EQ(third, data);
  allocator.release(other, kBytes);
  allocator.release(third, kBytes);
}

TEST_F(CudaGpuTest, OutOfMemoryIsSurvived) {
  StreamAllocator& allocator = runtime().allocator(kDevice);
  const AllocatorStats before = allocator.stats();
  const size_t third = device_properties(0).memory_bytes / 3;
  std::vector<std::unique_ptr<Block>> blocks;
  std::string message;
  try {
    for (int i = 0; i < 4; ++i) blocks.push_back(std::make_unique<Block>(third));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::memory);
    message = error.what();
  }
  std::puts(message.c_str());
  EXPECT_NE(message.find("live"), std::string::npos);
  EXPECT_LT(blocks.size(), 4u);
  const Block small(1 << 20);  // a smaller request succeeds after
  launch_add(small.as(), 1.0f, 1024, {kDevice, 0});
  blocks.clear();  // all cached
  // Of another class of sizes, so that the cache must be given back first.
  const Block large(device_properties(0).memory_bytes / 2);
  runtime().synchronize(Stream{kDevice, 0});
  EXPECT_THROW(allocator.allocate(~size_t{0} - 5), Error);
  EXPECT_GE(allocator.stats().live_bytes, before.live_bytes);
}

}  // namespace
}  // namespace ridge::runtime::cuda::cuda_gpu_memory_test
