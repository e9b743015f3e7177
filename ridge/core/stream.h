// Streams and events: order and completion of work on a device.
//
// Work on one stream runs in order. An event marks a point in a stream; waiting for it on the host
// or on another stream waits for all work before that point. The CPU runs each call to its end
// before it returns, so its events are complete as soon as they are recorded.
#pragma once

#include <cstdint>
#include <memory>

#include "ridge/core/device.h"

namespace ridge {

struct Stream {
  Device device = kCpu;
  uintptr_t handle = 0;  // the native handle; 0 is the device's default stream
  bool operator==(const Stream&) const = default;
};

class Event {
 public:
  Event() = default;  // not recorded: complete
  static Event record(Stream stream);

  bool is_recorded() const { return native_ != nullptr; }
  bool is_complete() const;
  void synchronize() const;           // the host waits
  void wait_on(Stream stream) const;  // the stream waits
  double elapsed_us_since(const Event& earlier) const;
  Device device() const { return device_; }

 private:
  Device device_ = kCpu;
  std::shared_ptr<void> native_;
};

}  // namespace ridge
