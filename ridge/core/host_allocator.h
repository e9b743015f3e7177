// Host memory straight from the C library.
//
// A request that cannot fit into the physical memory, beside what is already handed out, is
// refused before it is tried: the kernel would grant it and kill the process at the first touch.
#pragma once

#include <atomic>

#include "ridge/core/allocator.h"

namespace ridge {

class HostAllocator final : public Allocator {
 public:
  void* allocate(size_t bytes) override;
  void release(void* data, size_t bytes) noexcept override;
  AllocatorStats stats() const override;
  void reset_peak() override;

 private:
  std::atomic<int64_t> live_bytes_{0};
  std::atomic<int64_t> peak_live_bytes_{0};
  std::atomic<int64_t> allocation_count_{0};
};

// Bytes of memory of this machine.
size_t physical_memory_bytes();

}  // namespace ridge
