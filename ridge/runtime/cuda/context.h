// The context of each device, and which one this thread works in.
//
//   const ContextScope scope(1);              // calls of this thread now mean cuda:1
//   check(driver().mem_alloc, &pointer, bytes);
//
// Ridge works in the primary contexts, which the CUDA runtime, and so PyTorch or cuBLAS in the same
// process, use too: pointers and streams can be handed over. They are retained at first use and
// never released, because tensors may outlive every static destructor. Thread-safe.
#pragma once

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

}  // namespace ridge::runtime::cuda
