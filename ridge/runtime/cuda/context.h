// The context of each device, and in which one and on which stream this thread works.
//
//   const ContextScope scope(1);              // calls of this thread now mean cuda:1
//   check(driver().mem_alloc, &pointer, bytes);
//
// Ridge works in the primary contexts, which the CUDA runtime, and so PyTorch or cuBLAS in the same
// process, use too: pointers and streams can be handed over. They are retained at first use and
// never released, because tensors may outlive every static destructor. Thread-safe.
#pragma once

#include "ridge/core/device.h"
#include "ridge/runtime/cuda/driver_types.h"
#include "ridge/runtime/cuda/launch_history.h"

namespace ridge::runtime::cuda {

int device_count();  // 0 where CUDA is not available

// Error{device} if there is no such device.
ContextHandle context_of(int device);
bool is_context_made(int device) noexcept;  // whether anything of Ridge has used the device yet

// Never fails, so that errors can ask: a device that is not there has an empty history of its own.
LaunchHistory& launch_history(int device) noexcept;

// The device of the innermost ContextScope of this thread; 0 outside of one. What errors name.
int device_in_use() noexcept;

class ContextScope {
 public:
  explicit ContextScope(int device);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

 private:
  void enter(int device);

  ContextHandle restored_ = nullptr;  // null: nothing to restore
  int outer_device_;
};

// Where this thread queues work on each CUDA device.
//
//   const StreamScope scope(stream);
//   current_stream(stream.device)      stream, until the scope ends
//
// A device starts with its default stream, handle 0. Allocations follow the current stream, since
// a request for memory names none. Costs one load; other threads are not affected.

Stream current_stream(Device device);

inline StreamHandle native(Stream stream) { return reinterpret_cast<StreamHandle>(stream.handle); }

class StreamScope {
 public:
  explicit StreamScope(Stream stream);  // Error{device} if it is not of a CUDA device
  ~StreamScope();
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;

 private:
  Stream outer_;
};

}  // namespace ridge::runtime::cuda
