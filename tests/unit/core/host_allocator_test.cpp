#include <gtest/gtest.h>

#include <limits>

#include "ridge/base/error.h"
#include "ridge/core/allocator.h"

namespace ridge::host_allocator_test {
namespace {

TEST(HostAllocator, BlocksAreAlignedAndCounted) {
  HostAllocator allocator;
  for (size_t bytes : {0u, 1u, 64u, 1000u}) {
    void* data = allocator.allocate(bytes);
    EXPECT_NE(data, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % kAllocationAlignment, 0u);
    EXPECT_EQ(allocator.stats().live_bytes, static_cast<int64_t>(bytes));
    allocator.release(data, bytes);
  }
  EXPECT_EQ(allocator.stats().live_bytes, 0);
  EXPECT_EQ(allocator.stats().peak_live_bytes, 1000);
  EXPECT_EQ(allocator.stats().allocation_count, 4);
  allocator.reset_peak();
  EXPECT_EQ(allocator.stats().peak_live_bytes, 0);
}

TEST(HostAllocator, RefusesWhatTheMachineDoesNotHave) {
  HostAllocator allocator;
  constexpr size_t kTenTebibytes = size_t{10} << 40;
  for (size_t bytes : {kTenTebibytes, std::numeric_limits<size_t>::max()}) {
    try {
      allocator.allocate(bytes);
      FAIL() << "got " << bytes << " bytes";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::memory);
      EXPECT_NE(error.given().find(std::to_string(bytes)), std::string::npos) << error.what();
      EXPECT_NE(error.expected().find(std::to_string(physical_memory_bytes())), std::string::npos)
          << error.what();
    }
  }
  EXPECT_EQ(allocator.stats().live_bytes, 0);
}

TEST(HostAllocator, CountsWhatIsAlreadyHandedOut) {
  HostAllocator allocator;
  void* first = allocator.allocate(100);
  EXPECT_THROW(allocator.allocate(physical_memory_bytes() - 99), Error);
  allocator.release(first, 100);
}

}  // namespace
}  // namespace ridge::host_allocator_test
