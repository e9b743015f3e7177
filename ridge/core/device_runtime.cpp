#include "ridge/core/device_runtime.h"

#include <array>
#include <atomic>
#include <limits>
#include <mutex>

#include "ridge/base/text.h"

namespace ridge {
namespace {

constexpr size_t kIndexCount = size_t{std::numeric_limits<int8_t>::max()} + 1;

// What is known of one kind of device. Readers take no lock: `runtime` is set once, last.
struct Slot {
  std::atomic<DeviceRuntime*> runtime{nullptr};
  std::atomic<void (*)()> provide{nullptr};
  Location where;
  std::array<std::atomic<Allocator*>, kIndexCount> allocators{};  // set by the user, or null
};

// Constant-initialized and trivially destroyed, so it serves static variables of the host at any
// time. Runtimes are not destroyed: tensors may outlive every order of static destruction.
constinit std::array<Slot, kDeviceKindCount> slots{};
constinit std::mutex registration_mutex;

Slot& slot_of(DeviceKind kind) { return slots[static_cast<size_t>(kind)]; }

DeviceRuntime* find_runtime(DeviceKind kind) {
  if (kind == DeviceKind::cpu) return &cpu_runtime();
  return slot_of(kind).runtime.load(std::memory_order_acquire);
}

void check_exists(Device device, const DeviceRuntime& runtime) {
  RIDGE_CHECK(device.index >= 0 && device.index < runtime.device_count(), .code = ErrorCode::device,
              .expected = concat("an index below ", runtime.device_count(), ", the number of ",
                                 runtime.name(), " devices"),
              .given = concat(device.index));
}

}  // namespace

void register_device_runtime(DeviceKind kind, std::unique_ptr<DeviceRuntime> runtime,
                             Location where) {
  RIDGE_CHECK(runtime != nullptr && kind != DeviceKind::meta, .code = ErrorCode::device,
              .expected = "a runtime, for a kind of device that has memory",
              .given = runtime == nullptr ? "null" : "a runtime for meta", .where = where);
  const std::lock_guard lock(registration_mutex);
  Slot& slot = slot_of(kind);
  if (DeviceRuntime* present = find_runtime(kind)) {
    const Location first = kind == DeviceKind::cpu ? cpu_runtime_location() : slot.where;
    throw_error({.code = ErrorCode::device,
                 .expected = "one runtime for each kind of device",
                 .given = concat("`", runtime->name(), "` registered at ", to_text(where),
                                 " after `", present->name(), "` at ", to_text(first)),
                 .where = where});
  }
  slot.where = where;
  slot.runtime.store(runtime.release(), std::memory_order_release);
}

void set_device_provider(DeviceKind kind, void (*provide)()) {
  slot_of(kind).provide.store(provide, std::memory_order_release);
}

bool has_device_runtime(DeviceKind kind) { return find_runtime(kind) != nullptr; }

DeviceRuntime& device_runtime(DeviceKind kind) {
  DeviceRuntime* runtime = find_runtime(kind);
  if (runtime == nullptr) {
    if (const auto provide = slot_of(kind).provide.load(std::memory_order_acquire)) provide();
    runtime = find_runtime(kind);
  }
  RIDGE_CHECK(runtime != nullptr, .code = ErrorCode::device,
              .expected = "a device whose runtime is registered",
              .given = to_text(Device{kind, 0}));
  return *runtime;
}

int device_count(DeviceKind kind) {
  if (kind == DeviceKind::meta) return 0;
  try {
    return device_runtime(kind).device_count();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::device) throw;
    return 0;
  }
}

Allocator& allocator_for(Device device) {
  DeviceRuntime& runtime = device_runtime(device.kind);
  check_exists(device, runtime);
  const auto& chosen = slot_of(device.kind).allocators[static_cast<uint8_t>(device.index)];
  Allocator* allocator = chosen.load(std::memory_order_acquire);
  return allocator != nullptr ? *allocator : runtime.allocator(device);
}

void set_allocator(Device device, Allocator* allocator) {
  check_exists(device, device_runtime(device.kind));
  slot_of(device.kind)
      .allocators[static_cast<uint8_t>(device.index)]
      .store(allocator, std::memory_order_release);
}

}  // namespace ridge
