// The memory of a device, and host memory that devices can reach: what allocators cache.
#pragma once

#include "ridge/runtime/cuda/event_pool.h"
#include "ridge/runtime/cuda/stream_allocator.h"

namespace ridge::runtime::cuda {

class DeviceMemory final : public MemorySource {
 public:
  explicit DeviceMemory(int device);
  std::string name() const override;
  void* allocate(size_t bytes) override;
  void release(void* data) noexcept override;
  Level level() noexcept override;
  Stream current_stream() override;
  Mark mark(Stream stream) override;
  bool has_passed(const Mark& mark) override;
  bool wait_for_all() noexcept override;

 private:
  int device_;
  EventPool events_;
};

// Pinned host memory. Its user is the host, which does not wait for streams: a block is handed out
// again only when every stream that was recorded as using it is through.
class PinnedMemory final : public MemorySource {
 public:
  std::string name() const override { return "the host, pinned for CUDA"; }
  void* allocate(size_t bytes) override;
  void release(void* data) noexcept override;
  Level level() noexcept override;
  Stream current_stream() override { return {kCpu, 0}; }
  Mark mark(Stream stream) override;
  bool has_passed(const Mark& mark) override;
  bool wait_for_all() noexcept override;
};

bool is_capturing(Stream stream);

// Graphs being captured by Ridge now. Waiting for a device would spoil them.
class CaptureCount {
 public:
  CaptureCount();
  ~CaptureCount();
  CaptureCount(const CaptureCount&) = delete;
  CaptureCount& operator=(const CaptureCount&) = delete;
  static bool is_any_active();
};

enum class MemoryKind { pageable, pinned, device };
MemoryKind memory_kind(const void* data);

}  // namespace ridge::runtime::cuda
