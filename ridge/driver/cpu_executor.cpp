#include <chrono>

#include "ridge/base/error.h"
#include "ridge/driver/arena.h"
#include "ridge/driver/cpu_batch.h"
#include "ridge/driver/device_backend.h"
#include "ridge/driver/kernel_cache.h"
#include "ridge/runtime/cpu/thread_pool.h"

namespace ridge::driver {
namespace {

class CpuExecutor final : public Executor {
 public:
  explicit CpuExecutor(const schedule::Plan& plan) : plan_(plan), places_(arena_places(plan)) {
    std::vector<const loop::Kernel*> kernels;
    for (const schedule::KernelCall& call : plan.calls) {
      kernels.push_back(&call.kernel);
      batches_.emplace_back();
      if (!call.entries.empty()) batches_.back().emplace(call);
    }
    kernels_ = build(kernels);
  }

  std::optional<Failure> run(const Run& run) const override {
    const ArenaBlock arena(plan_.arena_bytes, kCpu);
    place_temporaries(places_, arena.data(), run.memory);
    for (size_t i = 0; i < kernels_.size(); ++i) {
      const auto start = run.seconds.empty() ? Clock::time_point() : Clock::now();
      if (const int32_t status = launch(i, run.memory); status != 0) return Failure{i, status};
      if (run.seconds.empty()) continue;
      run.seconds[i] = std::chrono::duration<double>(Clock::now() - start).count();
    }
    return std::nullopt;
  }

 private:
  using Clock = std::chrono::steady_clock;

  int32_t launch(size_t call, std::span<void* const> memory) const {
    if (batches_[call]) return batches_[call]->run(kernels_[call]->function, memory);
    const std::vector<int>& ids = plan_.calls[call].buffers;
    SmallVector<void*, 256> buffers(ids.size());
    for (size_t i = 0; i < ids.size(); ++i) buffers[i] = memory[static_cast<size_t>(ids[i])];
    int32_t status = 0;
    kernels_[call]->function(buffers.data(), nullptr, &runtime::kernel_runtime(), &status);
    return status;
  }

  const schedule::Plan& plan_;
  std::vector<ArenaPlace> places_;
  std::vector<std::shared_ptr<const BuiltKernel>> kernels_;
  std::vector<std::optional<CpuBatch>> batches_;  // by call; none where it is one kernel
};

}  // namespace

std::unique_ptr<Executor> make_cpu_executor(const schedule::Plan& plan) {
  return std::make_unique<CpuExecutor>(plan);
}

bool can_execute(Device device) {
  return device.kind == DeviceKind::cuda || (device.kind == DeviceKind::cpu && kCanBuild);
}

std::unique_ptr<Executor> make_executor(const schedule::Plan& plan, Device device,
                                        const std::string& name) {
  RIDGE_CHECK(can_execute(device), .code = ErrorCode::device,
              .expected = "a device that kernels can be generated for", .given = to_text(device));
  return device_backend(device.kind).make_executor(plan, device, name);
}

}  // namespace ridge::driver
