#include "ridge/runtime/cuda/staging.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ridge/runtime/cuda/check.h"
#include "ridge/runtime/cuda/context.h"

namespace ridge::runtime::cuda {
namespace {

void queue_copy(void* to, const void* from, size_t bytes, Stream stream) {
  check(driver().memcpy_async, reinterpret_cast<DevicePointer>(to),
        reinterpret_cast<DevicePointer>(from), bytes,
        reinterpret_cast<StreamHandle>(stream.handle));
}

}  // namespace

StagingBuffers::StagingBuffers(int device) : device_(device), events_(device, EventTiming::off) {}

StagingBuffers::~StagingBuffers() {
  for (Buffer& buffer : buffers_) {
    if (buffer.data != nullptr) driver().mem_free_host(buffer.data);
  }
}

StagingBuffers::Buffer& StagingBuffers::buffer(size_t chunk) {
  Buffer& buffer = buffers_[chunk % kBufferCount];
  if (buffer.data == nullptr) {
    void* data = nullptr;
    check(driver().mem_host_alloc, &data, kBufferBytes, kHostPortable);
    buffer.data = static_cast<std::byte*>(data);
  }
  return buffer;
}

void StagingBuffers::wait_for(Buffer& buffer) {
  if (buffer.last_use != nullptr) synchronize(*std::exchange(buffer.last_use, nullptr));
}

void StagingBuffers::copy_in(void* device_data, const void* host_data, size_t bytes,
                             Stream stream) {
  const std::lock_guard lock(mutex_);
  const ContextScope scope(device_);
  auto* to = static_cast<std::byte*>(device_data);
  const auto* from = static_cast<const std::byte*>(host_data);
  for (size_t done = 0; done < bytes; done += kBufferBytes) {
    const size_t part = std::min(kBufferBytes, bytes - done);
    Buffer& staged = buffer(next_++);
    wait_for(staged);
    std::memcpy(staged.data, from + done, part);
    queue_copy(to + done, staged.data, part, stream);
    staged.last_use = events_.record(stream);
  }
}

void StagingBuffers::copy_out(void* host_data, const void* device_data, size_t bytes,
                              Stream stream) {
  const std::lock_guard lock(mutex_);
  const ContextScope scope(device_);
  auto* to = static_cast<std::byte*>(host_data);
  const auto* from = static_cast<const std::byte*>(device_data);
  const size_t chunks = (bytes + kBufferBytes - 1) / kBufferBytes;
  const size_t first = next_;
  next_ += chunks;
  const auto part = [&](size_t chunk) {
    return std::min(kBufferBytes, bytes - chunk * kBufferBytes);
  };
  const auto drain = [&](size_t chunk) {
    Buffer& staged = buffer(first + chunk);
    wait_for(staged);
    std::memcpy(to + chunk * kBufferBytes, staged.data, part(chunk));
  };
  for (size_t chunk = 0; chunk < chunks; ++chunk) {
    if (chunk >= kBufferCount) drain(chunk - kBufferCount);
    Buffer& staged = buffer(first + chunk);
    wait_for(staged);
    queue_copy(staged.data, from + chunk * kBufferBytes, part(chunk), stream);
    staged.last_use = events_.record(stream);
  }
  for (size_t chunk = chunks > kBufferCount ? chunks - kBufferCount : 0; chunk < chunks; ++chunk) {
    drain(chunk);
  }
}

}  // namespace ridge::runtime::cuda
