#include "ridge/core/stream.h"

#include "ridge/core/device_runtime.h"

namespace ridge {

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
