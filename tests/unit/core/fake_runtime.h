// A device that the host cannot read, for tests: registered once as DeviceKind::outside3.
#pragma once

#include <cstring>
#include <memory>

#include "ridge/core/allocator.h"
#include "ridge/core/device_runtime.h"

namespace ridge {

inline constexpr Device kFake{DeviceKind::outside3, 0};

// Its events stay incomplete until someone synchronizes with them.
class FakeRuntime final : public DeviceRuntime {
 public:
  std::string name() const override { return "fake"; }
  int device_count() const override { return 2; }
  bool has_host_memory() const override { return false; }
  Allocator& allocator(Device) override { return allocator_; }
  void copy(void* to, const void* from, size_t bytes, Stream) override {
    std::memcpy(to, from, bytes);
  }
  Stream create_stream(Device device) override { return {device, 1}; }
  void synchronize(Stream) override {}
  std::shared_ptr<void> record_event(Stream) override { return std::make_shared<bool>(false); }
  bool is_complete(void* event) override { return *static_cast<bool*>(event); }
  void synchronize(void* event) override {
    *static_cast<bool*>(event) = true;
    ++synchronize_count;
  }
  void wait(Stream, void*) override { ++wait_count; }
  double elapsed_us(void*, void*) override { return 0; }

  int synchronize_count = 0;
  int wait_count = 0;

 private:
  HostAllocator allocator_;
};

inline FakeRuntime& fake_runtime() {
  static FakeRuntime* const runtime = [] {
    auto owned = std::make_unique<FakeRuntime>();
    FakeRuntime* observed = owned.get();
    register_device_runtime(kFake.kind, std::move(owned));
    return observed;
  }();
  return *runtime;
}

}  // namespace ridge
