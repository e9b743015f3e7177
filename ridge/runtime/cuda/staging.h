// Copies between a device and pageable host memory, through a few pinned buffers.
//
// The copy engines of a device reach pinned memory only. The driver would stage a pageable copy
// itself, but wait for the stream first; here the host fills one buffer while the device reads the
// one before.
//
//   host    fill 0   fill 1   fill 2   fill 3   fill 0 ...   (waits until the device has read it)
//   device           read 0   read 1   read 2   read 3 ...
//
// After copy_in the source may be changed at once; after copy_out the values are there. Both keep
// the order of the stream. Thread-safe, one copy at a time.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>

#include "ridge/runtime/cuda/event_pool.h"

namespace ridge::runtime::cuda {

class StagingBuffers {
 public:
  // A guess, not measured: large enough that a copy's fixed cost (about 10 us) is small beside it.
  static constexpr size_t kBufferBytes = size_t{4} << 20;
  static constexpr size_t kBufferCount = 4;

  explicit StagingBuffers(int device);
  StagingBuffers(const StagingBuffers&) = delete;
  StagingBuffers& operator=(const StagingBuffers&) = delete;
  ~StagingBuffers();

  void copy_in(void* device_data, const void* host_data, size_t bytes, Stream stream);
  void copy_out(void* host_data, const void* device_data, size_t bytes, Stream stream);

 private:
  struct Buffer {
    std::byte* data = nullptr;
    std::shared_ptr<RecordedEvent> last_use;  // null: nothing is queued on it
  };

  Buffer& buffer(size_t chunk);  // made at first use
  static void wait_for(Buffer& buffer);

  int device_;
  EventPool events_;
  std::mutex mutex_;
  std::array<Buffer, kBufferCount> buffers_;
  size_t next_ = 0;  // so that small copies in a row do not wait for one buffer
};

}  // namespace ridge::runtime::cuda
