#include "simulated_gpu.h"

#include <atomic>
#include <cstring>

#include "ridge/base/text.h"
#include "ridge/core/device_runtime.h"
#include "ridge/core/host_allocator.h"
#include "ridge/cost/sheets.h"
#include "ridge/driver/device_backend.h"
#include "ridge/loop/interpreter.h"
#include "ridge/ridge.h"
#include "ridge/runtime/cuda/driver_api.h"

namespace ridge::testing {
namespace {

std::atomic<int64_t> copied = 0;

class SimulatedRuntime final : public DeviceRuntime {
 public:
  std::string name() const override { return "cuda"; }
  int device_count() const override { return 2; }
  bool has_host_memory() const override { return false; }
  Allocator& allocator(Device) override { return allocator_; }
  void copy(void* to, const void* from, size_t bytes, Stream) override {
    copied += static_cast<int64_t>(bytes);
    std::memmove(to, from, bytes);
  }
  Stream create_stream(Device device) override { return {device, 1}; }
  void synchronize(Stream) override {}
  std::shared_ptr<void> record_event(Stream) override { return std::make_shared<int>(0); }
  bool is_complete(void*) override { return true; }
  void synchronize(void*) override {}
  void wait(Stream, void*) override {}
  double elapsed_us(void*, void*) override { return 0; }

 private:
  HostAllocator allocator_;
};

class InterpretingExecutor final : public driver::Executor {
 public:
  explicit InterpretingExecutor(const schedule::Plan& plan) : plan_(plan) {
    for (const schedule::KernelCall& call : plan.calls) loop::verify(call.kernel);
  }

  std::optional<driver::Failure> run(const driver::Run& run) const override {
    for (size_t i = 0; i < plan_.calls.size(); ++i) {
      const schedule::KernelCall& call = plan_.calls[i];
      std::vector<void*> buffers;
      for (const int id : call.buffers) {
        buffers.push_back(run.memory[static_cast<size_t>(id)]);
        const auto address = reinterpret_cast<uintptr_t>(buffers.back());
        RIDGE_INTERNAL_CHECK(address % 16 == 0, concat(call.kernel.name, ": an unaligned buffer"));
      }
      const loop::Counts counts = loop::run(call.kernel, buffers, {});
      if (counts.status == KernelStatus::ok) continue;
      return driver::Failure{i, static_cast<int32_t>(counts.status)};
    }
    return std::nullopt;
  }

 private:
  const schedule::Plan& plan_;
};

}  // namespace

bool use_simulated_gpu() {
  static const bool is_used = [] {
    if (runtime::cuda::cuda_is_available()) return false;
    register_device_runtime(DeviceKind::cuda, std::make_unique<SimulatedRuntime>());
    driver::set_device_backend(
        DeviceKind::cuda,
        {schedule::Target::gpu, [](Device) { return cost::find_sheet("h200"); },
         [](const schedule::Plan& plan, Device) -> std::unique_ptr<driver::Executor> {
           return std::make_unique<InterpretingExecutor>(plan);
         }});
    return true;
  }();
  return is_used;
}

int64_t copied_bytes() { return copied; }

}  // namespace ridge::testing
