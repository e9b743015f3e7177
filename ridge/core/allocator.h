// Where memory comes from.
//
// An allocator hands out blocks aligned to kAllocationAlignment and takes them back with their
// size. Allocators are thread-safe and outlive every storage made from them. Users can give their
// own (`set_allocator` in device_runtime.h, or a deleter with `from_blob`).
#pragma once

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

}  // namespace ridge
