// NVIDIA GPUs as devices: memory, copies, streams and events behind ridge::DeviceRuntime.
//
//   if (register_cuda_runtime()) {
//     Tensor x = zeros({1024}, {.device = Device{DeviceKind::cuda, 0}});
//     Stream mine = cuda_runtime().adopt_stream(0, my_cuda_stream);
//     const StreamScope scope(mine);                   // work and memory of this thread go there
//   }
//
// Copies are in order on their stream. One from pageable host memory has read it, and one to
// pageable host memory has filled it, when copy returns; with pinned memory copy returns at once,
// and the user waits for the stream. Memory follows the rules of stream_allocator.h. Everything is
// safe from any thread; nothing is destroyed before the process ends. Waiting for a stream, an event
// or a device also throws what kernels found wrong, Note [Late failures].
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

#include "ridge/core/device_runtime.h"
#include "ridge/runtime/cuda/context.h"
#include "ridge/runtime/cuda/cuda_memory.h"
#include "ridge/runtime/cuda/staging.h"
#include "ridge/runtime/cuda/stream_allocator.h"

namespace ridge::runtime::cuda {

class CudaRuntime final : public DeviceRuntime {
 public:
  CudaRuntime();

  std::string name() const override { return "cuda"; }
  int device_count() const override;
  bool has_host_memory() const override { return false; }
  StreamAllocator& allocator(Device device) override;
  void copy(void* to, const void* from, size_t bytes, Stream stream) override;

  Stream current_stream(Device device) override;
  Stream create_stream(Device device) override;  // does not wait for the default stream
  void synchronize(Stream stream) override;
  std::shared_ptr<void> record_event(Stream stream) override;
  bool is_complete(void* event) override;
  void synchronize(void* event) override;
  void wait(Stream stream, void* event) override;
  double elapsed_us(void* from, void* to) override;  // waits for both

  // Beyond DeviceRuntime.

  // Host memory that copies reach without staging; tensors of the CPU may use it (set_allocator).
  StreamAllocator& pinned_allocator() { return pinned_; }

  // A stream of the user's (CUstream, cudaStream_t), which stays the user's: call forget_stream
  // before destroying it. Error{value} for the per-thread default stream, which is another one in
  // each thread.
  Stream adopt_stream(int device, void* native);
  // Waits for the stream; its memory is then free for all.
  void forget_stream(Stream stream);
  void destroy_stream(Stream stream);  // one that create_stream made

  void fill(void* data, uint8_t value, size_t bytes, Stream stream);
  void synchronize_device(Device device);
  void wait_for(Stream stream);  // as synchronize, but throws nothing that kernels found wrong

 private:
  struct PerDevice {
    explicit PerDevice(int device);
    DeviceMemory memory;
    StreamAllocator allocator;
    StagingBuffers staging;
    EventPool timed_events;
  };

  PerDevice& at(Device device);
  void record_use(const void* data, MemoryKind kind, Stream stream);
  void copy_staged(void* to, const void* from, size_t bytes, Stream stream, MemoryKind to_kind,
                   MemoryKind from_kind);

  std::mutex making_;                                   // held while a device is first used
  std::array<std::atomic<PerDevice*>, 128> devices_{};  // never freed, as nothing here is
  PinnedMemory pinned_memory_;
  StreamAllocator pinned_;
};

// Makes the runtime and registers it, once, if there is a driver with a device; says whether there
// is. cuda_availability() has the reason where there is none.
bool register_cuda_runtime();

// The one that is registered; Error{device} with the reason where there is none.
CudaRuntime& cuda_runtime();

}  // namespace ridge::runtime::cuda
