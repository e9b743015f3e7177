// Lets this thread allocate, load code and query events while it captures a graph.
//
// The driver refuses such calls on a capturing thread, because in general they may wait for what
// has only been recorded. Those of the runtime's own bookkeeping never do, and say so with a scope:
//
//   const RelaxedCapture relaxed;
//   check(driver().mem_alloc, &pointer, bytes);
#pragma once

#include "ridge/runtime/cuda/driver_api.h"

namespace ridge::runtime::cuda {

class RelaxedCapture {
 public:
  RelaxedCapture() { driver().exchange_capture_mode(&mode_); }
  ~RelaxedCapture() { driver().exchange_capture_mode(&mode_); }  // swaps back what was there
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  CaptureMode mode_ = CaptureMode::relaxed;
};

}  // namespace ridge::runtime::cuda
