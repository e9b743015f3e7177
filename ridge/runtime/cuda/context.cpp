#include "ridge/runtime/cuda/context.h"

#include <array>
#include <atomic>
#include <mutex>
#include <utility>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/runtime/cuda/check.h"

namespace ridge::runtime::cuda {
namespace {

constexpr int kDeviceLimit = 128;  // what the index of a ridge::Device can hold

struct DeviceState {
  std::atomic<ContextHandle> context{nullptr};
  LaunchHistory history;
};

struct Devices {
  std::mutex mutex;  // held while a context is made
  std::array<DeviceState, kDeviceLimit> states;
};

Devices& devices() {
  static Devices* const only = new Devices;
  return *only;
}

constinit thread_local int device_of_thread = 0;
thread_local int open_scopes = 0;

// Null if there is none yet, or no such device.
ContextHandle made_context(int device) noexcept {
  if (device < 0 || device >= kDeviceLimit) return nullptr;
  return devices().states[static_cast<size_t>(device)].context.load(std::memory_order_acquire);
}

struct DeviceInUse {
  explicit DeviceInUse(int device) : outer(std::exchange(device_of_thread, device)) {}
  DeviceInUse(const DeviceInUse&) = delete;
  DeviceInUse& operator=(const DeviceInUse&) = delete;
  ~DeviceInUse() { device_of_thread = outer; }
  int outer;
};

ContextHandle retain_context(int device, DeviceState& state) {
  const std::lock_guard lock(devices().mutex);
  if (ContextHandle present = state.context.load(std::memory_order_acquire)) return present;
  const DeviceInUse in_use(device);
  DeviceHandle handle = 0;
  ContextHandle context = nullptr;
  check(driver().device_get, &handle, device);
  check(driver().primary_ctx_retain, &context, handle);
  state.context.store(context, std::memory_order_release);
  return context;
}

}  // namespace

int device_count() {
  const int count = cuda_availability().device_count;
  return count < kDeviceLimit ? count : kDeviceLimit;
}

ContextHandle context_of(int device) {
  if (ContextHandle made = made_context(device)) return made;
  // The driver first: where there is none, its error says why, and not that an index is wrong.
  if (device_count() == 0) driver();
  RIDGE_CHECK(device >= 0 && device < device_count(), .code = ErrorCode::device,
              .expected = concat("an index below ", device_count(), ", the number of CUDA devices"),
              .given = to_text(device));
  return retain_context(device, devices().states[static_cast<size_t>(device)]);
}

bool is_context_made(int device) noexcept { return made_context(device) != nullptr; }

LaunchHistory& launch_history(int device) noexcept {
  const bool is_valid = device >= 0 && device < kDeviceLimit;
  return devices().states[is_valid ? static_cast<size_t>(device) : kDeviceLimit - 1].history;
}

int device_in_use() noexcept { return device_of_thread; }

ContextScope::ContextScope(int device) : outer_device_(device_of_thread) {
  // Inside of a scope of the same device the thread has been ours since.
  if (open_scopes == 0 || device != device_of_thread) enter(device);
  ++open_scopes;
  device_of_thread = device;
}

void ContextScope::enter(int device) {
  const ContextHandle wanted = context_of(device);
  ContextHandle present = nullptr;
  check(driver().ctx_get_current, &present);
  if (present != wanted) {
    check(driver().ctx_set_current, wanted);
    // Another context is the host's and comes back; none at all was nobody's, and leaving ours
    // there saves the next scope the switch.
    restored_ = present;
  }
}

ContextScope::~ContextScope() {
  --open_scopes;
  device_of_thread = outer_device_;
  if (restored_ != nullptr) driver().ctx_set_current(restored_);
}

namespace {

// By index of the device. Trivial, so that it serves destructors of other thread-locals.
constinit thread_local std::array<uintptr_t, 128> current{};

uintptr_t& slot_of(Device device) {
  RIDGE_CHECK(device.kind == DeviceKind::cuda && device.index >= 0, .code = ErrorCode::device,
              .expected = "a stream of a CUDA device", .given = to_text(device));
  return current[static_cast<size_t>(device.index)];
}

}  // namespace

Stream current_stream(Device device) { return {device, slot_of(device)}; }

StreamScope::StreamScope(Stream stream) : outer_(current_stream(stream.device)) {
  slot_of(stream.device) = stream.handle;
}

StreamScope::~StreamScope() { current[static_cast<size_t>(outer_.device.index)] = outer_.handle; }

}  // namespace ridge::runtime::cuda
