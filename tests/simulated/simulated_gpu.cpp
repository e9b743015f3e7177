#include "simulated_gpu.h"

#include <atomic>
#include <cstring>

#include "ridge/base/text.h"
#include "ridge/core/allocator.h"
#include "ridge/core/device_runtime.h"
#include "ridge/cost/sheets.h"
#include "ridge/execute/bound_plan.h"
#include "ridge/linker/link.h"
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

class BoundInterpretation final : public execute::BoundExecutor {
 public:
  BoundInterpretation(const schedule::Plan& plan, const execute::BoundPlan& bound)
      : plan_(plan), bound_(bound) {}

  std::optional<execute::Failure> run(const execute::Run& run) const override {
    const execute::ArenaBlock arena(bound_.arena_bytes, {DeviceKind::cuda, 0});
    execute::place_temporaries(bound_.places, arena.data(), run.memory);
    for (size_t i = 0; i < plan_.calls.size(); ++i) {
      const bool is_batch = !plan_.calls[i].entries.empty();
      if (run.watch != nullptr) run.watch->before(i);
      for (schedule::KernelRun& one : schedule::runs_of(plan_.calls[i])) {
        if (!is_batch) one.sizes.assign(bound_.sizes[i].begin(), bound_.sizes[i].end());
        const KernelStatus status = interpret(plan_.calls[i].kernel, one, run.memory);
        if (status != KernelStatus::ok) return execute::Failure{i, static_cast<int32_t>(status)};
      }
      if (run.watch != nullptr) run.watch->after(i);
    }
    return std::nullopt;
  }

 private:
  static KernelStatus interpret(const loop::Kernel& kernel, const schedule::KernelRun& run,
                                std::span<void* const> memory) {
    std::vector<void*> buffers;
    for (const int id : run.buffers) {
      buffers.push_back(memory[static_cast<size_t>(id)]);
      const auto address = reinterpret_cast<uintptr_t>(buffers.back());
      RIDGE_INTERNAL_CHECK(address % 16 == 0, concat(kernel.name, ": an unaligned buffer"));
    }
    std::vector<int64_t> sizes;
    for (const expr::Expr& size : run.sizes) sizes.push_back(size->integer);
    return loop::run(kernel, buffers, sizes).status;
  }

  const schedule::Plan& plan_;
  const execute::BoundPlan& bound_;
};

class InterpretingExecutor final : public execute::Executor {
 public:
  explicit InterpretingExecutor(const schedule::Plan& plan) : plan_(plan) {
    for (const schedule::KernelCall& call : plan.calls) loop::verify(call.kernel);
  }
  std::unique_ptr<execute::BoundExecutor> bind(const execute::BoundPlan& bound) const override {
    return std::make_unique<BoundInterpretation>(plan_, bound);
  }

 private:
  const schedule::Plan& plan_;
};

class InterpretedBuild final : public linker::DeviceBuild {
 public:
  explicit InterpretedBuild(const schedule::Plan& plan) : plan_(plan) {}
  std::unique_ptr<execute::Executor> make_executor() override {
    return std::make_unique<InterpretingExecutor>(plan_);
  }

 private:
  const schedule::Plan& plan_;
};

}  // namespace

bool use_simulated_gpu() {
  static const bool is_used = [] {
    if (runtime::cuda::cuda_is_available()) return false;
    register_device_runtime(DeviceKind::cuda, std::make_unique<SimulatedRuntime>());
    linker::set_device_backend(DeviceKind::cuda,
                               {[](Device) { return cost::find_sheet("h200"); },
                                [](const schedule::Plan& plan, const execute::ExecutablePlan&,
                                   Device) -> std::unique_ptr<linker::DeviceBuild> {
                                  return std::make_unique<InterpretedBuild>(plan);
                                },
                                nullptr});
    return true;
  }();
  return is_used;
}

int64_t copied_bytes() { return copied; }

}  // namespace ridge::testing
