#include "ridge/runtime/cuda/cuda_runtime.h"

#include <cstring>

#include "ridge/base/error.h"
#include "ridge/base/knobs.h"
#include "ridge/base/text.h"
#include "ridge/runtime/cuda/check.h"
#include "ridge/runtime/cuda/context.h"
#include "ridge/runtime/cuda/status_words.h"

namespace ridge::runtime::cuda {
namespace {

RecordedEvent& recorded(void* event) { return *static_cast<RecordedEvent*>(event); }

void check_is_cuda(Device device) {
  RIDGE_CHECK(device.kind == DeviceKind::cuda, .code = ErrorCode::device,
              .expected = "a CUDA device", .given = to_text(device));
}

}  // namespace

CudaRuntime::PerDevice::PerDevice(int device)
    : memory(device),
      allocator(memory, knob_int(Knob::cache_limit)),
      staging(device),
      timed_events(device, EventTiming::on) {}

CudaRuntime::CudaRuntime() : pinned_(pinned_memory_, knob_int(Knob::cache_limit)) {}

int CudaRuntime::device_count() const { return cuda::device_count(); }

CudaRuntime::PerDevice& CudaRuntime::at(Device device) {
  check_is_cuda(device);
  context_of(device.index);  // checks the index
  std::atomic<PerDevice*>& slot = devices_[static_cast<size_t>(device.index)];
  if (PerDevice* made = slot.load(std::memory_order_acquire)) return *made;
  const std::lock_guard lock(making_);
  if (slot.load() == nullptr) slot.store(new PerDevice(device.index));
  return *slot.load();
}

StreamAllocator& CudaRuntime::allocator(Device device) { return at(device).allocator; }

void CudaRuntime::copy(void* to, const void* from, size_t bytes, Stream stream) {
  if (bytes == 0) return;
  check_is_cuda(stream.device);
  const ContextScope scope(stream.device.index);
  const MemoryKind to_kind = memory_kind(to);
  const MemoryKind from_kind = memory_kind(from);
  if (to_kind == MemoryKind::pageable || from_kind == MemoryKind::pageable) {
    return copy_staged(to, from, bytes, stream, to_kind, from_kind);
  }
  // The driver knows from the addresses which memory is whose, other devices' included.
  check(driver().memcpy_async, reinterpret_cast<DevicePointer>(to),
        reinterpret_cast<DevicePointer>(from), bytes, native(stream));
  record_use(to, to_kind, stream);
  record_use(from, from_kind, stream);
}

void CudaRuntime::record_use(const void* data, MemoryKind kind, Stream stream) {
  if (kind == MemoryKind::pageable) return;
  if (kind == MemoryKind::pinned) {
    pinned_.record_use(data, stream);
    return;
  }
  for (int8_t index = 0; index < device_count(); ++index) {
    if (is_context_made(index) &&
        at({DeviceKind::cuda, index}).allocator.record_use(data, stream)) {
      return;
    }
  }
}

void CudaRuntime::copy_staged(void* to, const void* from, size_t bytes, Stream stream,
                              MemoryKind to_kind, MemoryKind from_kind) {
  RIDGE_CHECK(!is_capturing(stream), .code = ErrorCode::state,
              .expected = "pinned host memory in a copy that a graph captures",
              .given = "pageable memory, which is read or written at once and not by the graph");
  if (to_kind == MemoryKind::device) {
    at(stream.device).staging.copy_in(to, from, bytes, stream);
    record_use(to, to_kind, stream);
  } else if (from_kind == MemoryKind::device) {
    at(stream.device).staging.copy_out(to, from, bytes, stream);  // waits: no use remains
  } else {
    synchronize(stream);  // both on the host, where the order of the stream is kept by waiting
    std::memmove(to, from, bytes);
  }
}

Stream CudaRuntime::current_stream(Device device) { return cuda::current_stream(device); }

Stream CudaRuntime::create_stream(Device device) {
  at(device);
  const ContextScope scope(device.index);
  StreamHandle handle = nullptr;
  check(driver().stream_create, &handle, kStreamNonBlocking);
  return {device, reinterpret_cast<uintptr_t>(handle)};
}

void CudaRuntime::synchronize(Stream stream) {
  wait_for(stream);
  throw_late_failures(stream);
}

void CudaRuntime::wait_for(Stream stream) {
  check_is_cuda(stream.device);
  const ContextScope scope(stream.device.index);
  check(driver().stream_synchronize, native(stream));
  launch_history(stream.device.index).forget_stream(stream.handle);
}

void CudaRuntime::synchronize_device(Device device) {
  check_is_cuda(device);
  const ContextScope scope(device.index);
  check(driver().ctx_synchronize);
  launch_history(device.index).forget_all();
  throw_late_failures(device);
}

std::shared_ptr<void> CudaRuntime::record_event(Stream stream) {
  return at(stream.device).timed_events.record(stream);
}

bool CudaRuntime::is_complete(void* event) { return has_passed(recorded(event)); }

void CudaRuntime::synchronize(void* event) {
  cuda::synchronize(recorded(event));
  throw_late_failures();
}

void CudaRuntime::wait(Stream stream, void* event) {
  check_is_cuda(stream.device);
  const ContextScope scope(stream.device.index);
  check(driver().stream_wait_event, native(stream), recorded(event).handle, 0);
}

double CudaRuntime::elapsed_us(void* from, void* to) {
  cuda::synchronize(recorded(from));
  cuda::synchronize(recorded(to));
  const ContextScope scope(recorded(to).device);
  float milliseconds = 0;
  check(driver().event_elapsed_time, &milliseconds, recorded(from).handle, recorded(to).handle);
  return static_cast<double>(milliseconds) * 1e3;
}

Stream CudaRuntime::adopt_stream(int device, void* native_stream) {
  constexpr uintptr_t kLegacy = 1, kPerThread = 2;  // CU_STREAM_LEGACY, CU_STREAM_PER_THREAD
  auto handle = reinterpret_cast<uintptr_t>(native_stream);
  RIDGE_CHECK(handle != kPerThread, .code = ErrorCode::value,
              .expected = "one stream, the same in every thread", .given = "CU_STREAM_PER_THREAD",
              .hint = "make a stream, or use the default one, handle 0");
  if (handle == kLegacy) handle = 0;  // the same stream, and one name for it is enough
  const Device adopted{DeviceKind::cuda, static_cast<int8_t>(device)};
  at(adopted);
  return {adopted, handle};
}

// Throws nothing of what ran there: the next wait does, for whoever wants to know.
void CudaRuntime::forget_stream(Stream stream) {
  wait_for(stream);
  forget_status_stream(stream);
  at(stream.device).allocator.forget_stream(stream);
  pinned_.forget_stream(stream);
}

void CudaRuntime::destroy_stream(Stream stream) {
  RIDGE_CHECK(stream.handle > 2, .code = ErrorCode::value,
              .expected = "a stream made by create_stream", .given = "a default stream");
  forget_stream(stream);
  const ContextScope scope(stream.device.index);
  check(driver().stream_destroy, native(stream));
}

void CudaRuntime::fill(void* data, uint8_t value, size_t bytes, Stream stream) {
  if (bytes == 0) return;
  check_is_cuda(stream.device);
  const ContextScope scope(stream.device.index);
  check(driver().memset_async, reinterpret_cast<DevicePointer>(data), value, bytes, native(stream));
}

namespace {

// Null where there is no device. Made and registered once; core keeps it until the process ends.
CudaRuntime* registered_runtime() {
  static CudaRuntime* const runtime = []() -> CudaRuntime* {
    if (!cuda_is_available()) return nullptr;
    auto owned = std::make_unique<CudaRuntime>();
    CudaRuntime* observed = owned.get();
    register_device_runtime(DeviceKind::cuda, std::move(owned));
    return observed;
  }();
  return runtime;
}

}  // namespace

bool register_cuda_runtime() { return registered_runtime() != nullptr; }

CudaRuntime& cuda_runtime() {
  driver();  // its error has the reason
  return *registered_runtime();
}

}  // namespace ridge::runtime::cuda
