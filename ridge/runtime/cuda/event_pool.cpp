#include "ridge/runtime/cuda/event_pool.h"

#include "ridge/runtime/cuda/check.h"
#include "ridge/runtime/cuda/context.h"
#include "ridge/runtime/cuda/driver_api.h"

namespace ridge::runtime::cuda {

EventPool::EventPool(int device, EventTiming timing) : device_(device), timing_(timing) {}

EventPool::Free::~Free() {
  for (const EventHandle event : events) driver().event_destroy(event);
}

EventHandle EventPool::take() {
  {
    const std::lock_guard lock(free_->mutex);
    if (!free_->events.empty()) {
      const EventHandle event = free_->events.back();
      free_->events.pop_back();
      return event;
    }
  }
  EventHandle event = nullptr;
  check(driver().event_create, &event,
        timing_ == EventTiming::on ? kEventTimed : kEventDisableTiming);
  return event;
}

std::shared_ptr<RecordedEvent> EventPool::record(Stream stream) {
  const ContextScope scope(device_);
  const auto give_back = [free = free_](RecordedEvent* event) {
    // A pool that cannot grow loses an event, and nothing else.
    try {
      const std::lock_guard lock(free->mutex);
      free->events.push_back(event->handle);
    } catch (...) {}
    delete event;
  };
  std::shared_ptr<RecordedEvent> event(new RecordedEvent{take(), device_}, give_back);
  check(driver().event_record, event->handle, reinterpret_cast<StreamHandle>(stream.handle));
  return event;
}

bool has_passed(const RecordedEvent& event) {
  const ContextScope scope(event.device);
  const RelaxedCapture relaxed;
  const DriverResult result = driver().event_query(event.handle);
  if (result == DriverResult::not_ready) return false;
  if (result != DriverResult::success) {
    throw_driver_error(driver().event_query.symbol(), result);
  }
  return true;
}

void synchronize(const RecordedEvent& event) {
  const ContextScope scope(event.device);
  check(driver().event_synchronize, event.handle);
}

}  // namespace ridge::runtime::cuda
