// What the stream-ordered allocator stands on: memory, and marks that streams pass.
//
// An interface, so that the allocator's rules are tested against a fake one without a GPU. Those of
// the device and of pinned host memory are in cuda_memory.h.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "ridge/core/stream.h"

namespace ridge::runtime::cuda {

// A point of a stream: passed once all work queued before it is done.
using Mark = std::shared_ptr<void>;

class MemorySource {
 public:
  struct Level {
    size_t free_bytes = 0;
    size_t total_bytes = 0;
  };

  virtual ~MemorySource() = default;
  virtual std::string name() const = 0;           // "cuda:0", for errors
  virtual void* allocate(size_t bytes) = 0;       // null if there is no memory
  virtual void release(void* data) noexcept = 0;  // nothing uses it any more
  virtual Level level() noexcept = 0;             // zeros if it cannot be known

  virtual Stream current_stream() = 0;   // that of this thread
  virtual Mark mark(Stream stream) = 0;  // null if it cannot be marked now
  virtual bool has_passed(const Mark& mark) = 0;
  // The host waits until all streams are idle. False if it cannot: a graph is being captured, or
  // the device is lost.
  virtual bool wait_for_all() noexcept = 0;
};

}  // namespace ridge::runtime::cuda
