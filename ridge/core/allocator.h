// Where memory comes from.
//
// An allocator hands out blocks aligned to kAllocationAlignment and takes them back with their
// size. Allocators are thread-safe and outlive every storage made from them. Users can give their
// own (`set_allocator` in device_runtime.h, or a deleter with `from_blob`).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ridge {

inline constexpr size_t kAllocationAlignment = 64;

struct AllocatorStats {
  int64_t live_bytes = 0;  // handed out and not returned
  int64_t peak_live_bytes = 0;
  int64_t cached_bytes = 0;      // returned, kept for reuse
  int64_t allocation_count = 0;  // blocks handed out so far
  int64_t upstream_count = 0;    // of those, how many had to be asked from upstream
};

class Allocator {
 public:
  virtual ~Allocator() = default;
  // Never null; zero bytes give a valid pointer. Throws Error{memory}.
  virtual void* allocate(size_t bytes) = 0;
  virtual void release(void* data, size_t bytes) noexcept = 0;
  virtual AllocatorStats stats() const = 0;
  virtual void reset_peak() {}
  virtual void trim() {}  // gives cached memory back
};

// Host memory straight from the C library.
//
// A request that cannot fit into the physical memory, beside what is already handed out, is
// refused before it is tried: the kernel would grant it and kill the process at the first touch.

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
