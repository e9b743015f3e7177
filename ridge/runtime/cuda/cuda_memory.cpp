#include "ridge/runtime/cuda/cuda_memory.h"

#include <unistd.h>

#include <atomic>

#include "ridge/core/allocator.h"
#include "ridge/runtime/cuda/check.h"
#include "ridge/runtime/cuda/context.h"
#include "ridge/runtime/cuda/device_properties.h"
#include "ridge/runtime/cuda/driver_api.h"

namespace ridge::runtime::cuda {
namespace {

constinit std::atomic<int> active_captures{0};

DevicePointer device_pointer(const void* data) { return reinterpret_cast<DevicePointer>(data); }

// False if the driver refuses, as it does after a failed kernel or at the end of the process.
bool wait_for_device(int device) noexcept {
  if (CaptureCount::is_any_active()) return false;
  try {
    const ContextScope scope(device);
    if (driver().ctx_synchronize() != DriverResult::success) return false;
    launch_history(device).forget_all();
    return true;
  } catch (...) {
    return false;
  }
}

bool mark_has_passed(const Mark& mark) {
  return has_passed(*std::static_pointer_cast<RecordedEvent>(mark));
}

}  // namespace

CaptureCount::CaptureCount() { active_captures.fetch_add(1); }
CaptureCount::~CaptureCount() { active_captures.fetch_sub(1); }
bool CaptureCount::is_any_active() { return active_captures.load() > 0; }

bool is_capturing(Stream stream) {
  CaptureStatus status = CaptureStatus::none;
  const ContextScope scope(stream.device.index);
  const DriverResult result =
      driver().stream_is_capturing(reinterpret_cast<StreamHandle>(stream.handle), &status);
  // The default stream may not be asked while one that waits for it is captured.
  if (result == DriverResult::stream_capture_implicit) return true;
  if (result != DriverResult::success) {
    throw_driver_error(driver().stream_is_capturing.symbol(), result);
  }
  return status != CaptureStatus::none;
}

MemoryKind memory_kind(const void* data) {
  MemoryType type = MemoryType::unknown;
  PointerAttribute which = PointerAttribute::memory_type;
  void* into = &type;
  // This form answers 0 for memory that CUDA does not know, where the simpler one fails.
  check(driver().pointer_get_attributes, 1, &which, &into, device_pointer(data));
  switch (type) {
    case MemoryType::unknown: return MemoryKind::pageable;
    case MemoryType::host: return MemoryKind::pinned;
    case MemoryType::device: return MemoryKind::device;
  }
  return MemoryKind::device;
}

DeviceMemory::DeviceMemory(int device) : device_(device), events_(device, EventTiming::off) {}

std::string DeviceMemory::name() const {
  return to_text(Device{DeviceKind::cuda, static_cast<int8_t>(device_)});
}

void* DeviceMemory::allocate(size_t bytes) {
  // A size near 2^64 would come back as an invalid argument, not as a lack of memory.
  if (bytes > device_properties(device_).memory_bytes) return nullptr;
  const ContextScope scope(device_);
  const RelaxedCapture relaxed;
  DevicePointer pointer = 0;
  const DriverResult result = driver().mem_alloc(&pointer, bytes);
  if (result == DriverResult::out_of_memory) return nullptr;
  if (result != DriverResult::success) throw_driver_error(driver().mem_alloc.symbol(), result);
  return reinterpret_cast<void*>(pointer);
}

void DeviceMemory::release(void* data) noexcept {
  try {
    const ContextScope scope(device_);
    const RelaxedCapture relaxed;
    driver().mem_free(device_pointer(data));
  } catch (...) {
    // The device is lost or the process ends, and its memory with it.
  }
}

MemorySource::Level DeviceMemory::level() noexcept {
  Level level;
  try {
    const ContextScope scope(device_);
    check(driver().mem_get_info, &level.free_bytes, &level.total_bytes);
  } catch (...) {
    return {};
  }
  return level;
}

Stream DeviceMemory::current_stream() {
  return cuda::current_stream({DeviceKind::cuda, static_cast<int8_t>(device_)});
}

Mark DeviceMemory::mark(Stream stream) {
  // An event recorded into a graph marks a point of the graph, not of the stream.
  return is_capturing(stream) ? nullptr : events_.record(stream);
}

bool DeviceMemory::has_passed(const Mark& mark) { return mark_has_passed(mark); }

bool DeviceMemory::wait_for_all() noexcept { return wait_for_device(device_); }

void* PinnedMemory::allocate(size_t bytes) {
  if (bytes > physical_memory_bytes()) return nullptr;
  const ContextScope scope(device_in_use());
  const RelaxedCapture relaxed;
  void* data = nullptr;
  const DriverResult result = driver().mem_host_alloc(&data, bytes, kHostPortable);
  if (result == DriverResult::out_of_memory) return nullptr;
  if (result != DriverResult::success) throw_driver_error(driver().mem_host_alloc.symbol(), result);
  return data;
}

void PinnedMemory::release(void* data) noexcept {
  try {
    const ContextScope scope(device_in_use());
    const RelaxedCapture relaxed;
    driver().mem_free_host(data);
  } catch (...) {
    // As for the memory of a device.
  }
}

MemorySource::Level PinnedMemory::level() noexcept {
  const auto pages = sysconf(_SC_AVPHYS_PAGES);
  const auto page_bytes = sysconf(_SC_PAGE_SIZE);
  return {
      .free_bytes = pages > 0 ? static_cast<size_t>(pages) * static_cast<size_t>(page_bytes) : 0,
      .total_bytes = physical_memory_bytes()};
}

Mark PinnedMemory::mark(Stream stream) {
  if (is_capturing(stream)) return nullptr;
  // Rare enough for a pool of its own each time: only blocks that streams still use get here.
  return EventPool(stream.device.index, EventTiming::off).record(stream);
}

bool PinnedMemory::has_passed(const Mark& mark) { return mark_has_passed(mark); }

bool PinnedMemory::wait_for_all() noexcept {
  for (int device = 0; device < device_count(); ++device) {
    if (is_context_made(device) && !wait_for_device(device)) return false;
  }
  return true;
}

}  // namespace ridge::runtime::cuda
