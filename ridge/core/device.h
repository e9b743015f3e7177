// Devices, a kind and an index, as in cpu, cuda:1, meta; and their streams and events.
//
// `meta` tensors have shape, dtype and strides but no data: they are how shapes are computed
// without computing values. The outside kinds are places for backends registered from outside the
// library. The order of kinds is the priority of backends in a call that mixes them: a plain CPU
// number beside a CUDA tensor runs on CUDA, and whatever touches a meta tensor is meta.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace ridge {

enum class DeviceKind : uint8_t { cpu, outside0, outside1, outside2, outside3, cuda, meta };
inline constexpr int kDeviceKindCount = 7;

struct Device {
  DeviceKind kind = DeviceKind::cpu;
  int8_t index = 0;
  constexpr bool operator==(const Device&) const = default;
};

inline constexpr Device kCpu{};
inline constexpr Device kMeta{DeviceKind::meta, 0};

std::string to_text(Device device);  // "cpu", "cuda:0", the registered name of an outside backend

// Streams and events: order and completion of work on a device.
//
// Work on one stream runs in order. An event marks a point in a stream; waiting for it on the host
// or on another stream waits for all work before that point. The CPU runs each call to its end
// before it returns, so its events are complete as soon as they are recorded.

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
