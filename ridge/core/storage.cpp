#include "ridge/core/storage.h"

#include <exception>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "ridge/base/error.h"
#include "ridge/base/log.h"
#include "ridge/core/device_runtime.h"

namespace ridge {
namespace {

// A destructor must not throw, and an error that nobody hears of is worse than one in the log.
void log_failed_release(std::string_view reason) noexcept {
  try {
    log(LogLevel::error, "memory",
        "returning the memory of a tensor failed: " + std::string(reason));
  } catch (...) {
    // The log callback of the host failed too: nothing is left to tell.
  }
}

[[noreturn]] void throw_fake(const FakeOwner& owner) {
  if (owner.has_ended) {
    throw_error({.code = ErrorCode::state,
                 .expected = "a tensor that has values",
                 .given = "one that belonged to a capture that has ended",
                 .hint = "return it from the captured function"});
  }
  throw_error({.code = ErrorCode::state,
               .expected = "a value that is known while tracing",
               .given = "one that is computed when the captured program runs",
               .hint = kReadInCaptureHint});
}

}  // namespace

Ref<Storage> Storage::allocate(size_t bytes, Device device) {
  if (device.kind == DeviceKind::meta) {
    return make_ref<Storage>(nullptr, bytes, device, nullptr, nullptr);
  }
  Allocator& allocator = allocator_for(device);
  const auto give_back = [&](void* data) { allocator.release(data, bytes); };
  std::unique_ptr<void, decltype(give_back)> data(allocator.allocate(bytes), give_back);
  Ref<Storage> storage = make_ref<Storage>(data.get(), bytes, device, &allocator, nullptr);
  std::ignore = data.release();
  return storage;
}

Ref<Storage> Storage::wrap(void* data, size_t bytes, Device device,
                           std::function<void(void*)> deleter) {
  return make_ref<Storage>(data, bytes, device, nullptr, std::move(deleter));
}

Ref<Storage> Storage::fake(Device device, Ref<FakeOwner> owner) {
  Ref<Storage> storage = make_ref<Storage>(nullptr, kUnknownBytes, device, nullptr, nullptr);
  storage->fake_owner_ = std::move(owner);
  storage->states_ = kFake;
  return storage;
}

Storage::Storage(void* data, size_t bytes, Device device, Allocator* allocator,
                 std::function<void(void*)> deleter)
    : data_(data),
      bytes_(bytes),
      device_(device),
      allocator_(allocator),
      deleter_(std::move(deleter)) {}

Storage::~Storage() {
  try {
    if (deleter_) deleter_(data_);
  } catch (const std::exception& error) {
    log_failed_release(error.what());
  } catch (...) {
    log_failed_release("an exception of unknown type");
  }
  if (allocator_ != nullptr) allocator_->release(data_, bytes_);
}

void Storage::throw_unreadable() const {
  if (fake_owner_) throw_fake(*fake_owner_);
  throw_error({.code = ErrorCode::state,
               .expected = "a tensor that still holds its values",
               .given = "one that was donated to a program, which may have overwritten it"});
}

}  // namespace ridge
