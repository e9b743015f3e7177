// The memory that the temporaries of one run share.
//
//   ArenaBlock arena(bound.arena_bytes, device);
//   place_temporaries(places, arena.data(), memory);     memory[i] = arena + offset of buffer i
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "ridge/core/device_runtime.h"

namespace ridge::driver {

// Bytes of a device, without the cost of a tensor; returned when it goes. Nothing for 0 bytes.
class ArenaBlock {
 public:
  ArenaBlock() = default;
  ArenaBlock(int64_t bytes, Device device) {
    if (bytes == 0) return;
    allocator_ = &allocator_for(device);
    bytes_ = static_cast<size_t>(bytes);
    data_ = allocator_->allocate(bytes_);
  }
  ArenaBlock(ArenaBlock&& other) noexcept
      : allocator_(std::exchange(other.allocator_, nullptr)),
        data_(other.data_),
        bytes_(other.bytes_) {}
  ArenaBlock& operator=(ArenaBlock&&) = delete;
  ~ArenaBlock() {
    if (allocator_ != nullptr) allocator_->release(data_, bytes_);
  }

  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  Allocator* allocator_ = nullptr;
  void* data_ = nullptr;
  size_t bytes_ = 0;
};

struct ArenaPlace {
  size_t buffer;  // of the plan
  int64_t offset;
};

inline void place_temporaries(std::span<const ArenaPlace> places, std::byte* arena,
                              std::span<void*> memory) {
  for (const ArenaPlace& place : places) memory[place.buffer] = arena + place.offset;
}

}  // namespace ridge::driver
