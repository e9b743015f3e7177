#include "ridge/core/device.h"

#include "ridge/base/text.h"
#include "ridge/core/device_runtime.h"

namespace ridge {

std::string to_text(Device device) {
  switch (device.kind) {
    case DeviceKind::cpu: return "cpu";
    case DeviceKind::cuda: return concat("cuda:", device.index);
    case DeviceKind::meta: return "meta";
    case DeviceKind::outside0:
    case DeviceKind::outside1:
    case DeviceKind::outside2:
    case DeviceKind::outside3: {
      const int number = static_cast<int>(device.kind) - static_cast<int>(DeviceKind::outside0);
      std::string text = has_device_runtime(device.kind) ? device_runtime(device.kind).name()
                                                         : concat("outside", number);
      return device.index == 0 ? text : concat(text, ":", device.index);
    }
  }
  return "unknown device";
}

Event Event::record(Stream stream) {
  Event event;
  event.device_ = stream.device;
  event.native_ = device_runtime(stream.device.kind).record_event(stream);
  return event;
}

bool Event::is_complete() const {
  return !is_recorded() || device_runtime(device_.kind).is_complete(native_.get());
}

void Event::synchronize() const {
  if (is_recorded()) device_runtime(device_.kind).synchronize(native_.get());
}

void Event::wait_on(Stream stream) const {
  if (!is_recorded()) return;
  // A stream cannot wait for an event of a foreign runtime; the host, which feeds it, can.
  if (stream.device.kind != device_.kind) return synchronize();
  device_runtime(device_.kind).wait(stream, native_.get());
}

double Event::elapsed_us_since(const Event& earlier) const {
  RIDGE_CHECK(is_recorded() && earlier.is_recorded() && device_ == earlier.device_,
              .code = ErrorCode::state, .expected = "two recorded events of one device",
              .given = !is_recorded() || !earlier.is_recorded()
                           ? std::string("an event that was not recorded")
                           : to_text(earlier.device_) + " and " + to_text(device_));
  return device_runtime(device_.kind).elapsed_us(earlier.native_.get(), native_.get());
}

}  // namespace ridge
