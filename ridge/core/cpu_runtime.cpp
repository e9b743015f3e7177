#include <atomic>
#include <chrono>
#include <cstring>

#include "ridge/base/knobs.h"
#include "ridge/core/allocator.h"
#include "ridge/core/caching_allocator.h"
#include "ridge/core/device_runtime.h"

namespace ridge {
namespace {

// Memory that is reused hides its misuse from the address sanitizer, so under it nothing is kept
// unless the user asks.
int64_t cache_limit() {
#ifdef __SANITIZE_ADDRESS__
  if (!is_knob_set(Knob::cache_limit)) return 0;
#endif
  return knob_int(Knob::cache_limit);
}

using Clock = std::chrono::steady_clock;

// Each call runs to its end before it returns, so an event is only the time it was recorded.
class CpuRuntime final : public DeviceRuntime {
 public:
  std::string name() const override { return "cpu"; }
  int device_count() const override { return 1; }
  bool has_host_memory() const override { return true; }
  Allocator& allocator(Device) override { return cache_; }
  void copy(void* to, const void* from, size_t bytes, Stream) override {
    if (bytes != 0) std::memmove(to, from, bytes);
  }

  Stream create_stream(Device device) override { return {device, next_stream_.fetch_add(1)}; }
  void synchronize(Stream) override {}
  std::shared_ptr<void> record_event(Stream) override {
    return std::make_shared<Clock::time_point>(Clock::now());
  }
  bool is_complete(void*) override { return true; }
  void synchronize(void*) override {}
  void wait(Stream, void*) override {}
  double elapsed_us(void* from, void* to) override {
    const auto elapsed =
        *static_cast<Clock::time_point*>(to) - *static_cast<Clock::time_point*>(from);
    return std::chrono::duration<double, std::micro>(elapsed).count();
  }

  void stop_caching() { cache_.set_limit(0); }

 private:
  HostAllocator host_;
  CachingAllocator cache_{host_, cache_limit()};
  std::atomic<uintptr_t> next_stream_{1};
};

struct StopCachingAtExit {
  CpuRuntime& runtime;
  ~StopCachingAtExit() { runtime.stop_caching(); }
};

}  // namespace

DeviceRuntime& cpu_runtime() {
  static CpuRuntime& runtime = *new CpuRuntime;
  static const StopCachingAtExit at_exit{runtime};
  return runtime;
}

Location cpu_runtime_location() { return Location::current(); }

}  // namespace ridge
