// Events of one device, used again once nobody holds them.
//
//   std::shared_ptr<RecordedEvent> event = pool.record(stream);
//   pool.has_passed(*event);
//
// Making an event costs more than recording one. An event without timing is the cheaper for the
// device too; the allocator and the staging buffers use those.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "ridge/core/device.h"
#include "ridge/runtime/cuda/driver_types.h"

namespace ridge::runtime::cuda {

enum class EventTiming { off, on };

struct RecordedEvent {
  EventHandle handle = nullptr;
  int device = 0;
};

class EventPool {
 public:
  EventPool(int device, EventTiming timing);
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;

  // The event goes back to the pool with its last owner; the pool may be gone by then.
  std::shared_ptr<RecordedEvent> record(Stream stream);

 private:
  struct Free {
    Free() = default;
    Free(const Free&) = delete;
    Free& operator=(const Free&) = delete;
    ~Free();
    std::mutex mutex;
    std::vector<EventHandle> events;
  };

  EventHandle take();

  int device_;
  EventTiming timing_;
  std::shared_ptr<Free> free_ = std::make_shared<Free>();
};

// Error{device} if what came before it has failed.
bool has_passed(const RecordedEvent& event);
void synchronize(const RecordedEvent& event);

}  // namespace ridge::runtime::cuda
