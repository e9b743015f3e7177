#include <chrono>

#include "ridge/base/small_vector.h"
#include "ridge/execute/cpu_batch.h"
#include "ridge/execute/device_kernels.h"
#include "ridge/runtime/cpu/thread_pool.h"

namespace ridge::execute {
namespace {

using Batches = std::vector<std::optional<CpuBatch>>;  // by call; none where it is one kernel

// The buffers of the arguments of all calls, in a row: a run reads them once, and weights that were read since the
// last run have left nothing of the plan in the caches.
struct Arguments {
  std::vector<int> buffers;
  std::vector<size_t> begins;  // by call, and the end

  explicit Arguments(const ExecutablePlan& plan) : begins{0} {
    for (const ExecutableCall& call : plan.calls) {
      buffers.insert(buffers.end(), call.buffers.begin(), call.buffers.end());
      begins.push_back(buffers.size());
    }
  }
  std::span<const int> of(size_t call) const {
    return std::span(buffers).subspan(begins[call], begins[call + 1] - begins[call]);
  }
};

class BoundCpuExecutor final : public BoundExecutor {
 public:
  BoundCpuExecutor(const Arguments& arguments, const CpuKernels& kernels, const Batches& batches,
                   const BoundPlan& bound)
      : arguments_(arguments), kernels_(kernels), batches_(batches), bound_(bound) {}

  std::optional<Failure> run(const Run& run) const override {
    const ArenaBlock arena(bound_.arena_bytes, kCpu);
    place_temporaries(bound_.places, arena.data(), run.memory);
    for (size_t i = 0; i < kernels_.size(); ++i) {
      const auto start = run.seconds.empty() ? Clock::time_point() : Clock::now();
      if (run.watch != nullptr) run.watch->before(i);
      if (const int32_t status = launch(i, run.memory); status != 0) return Failure{i, status};
      if (run.watch != nullptr) run.watch->after(i);
      if (run.seconds.empty()) continue;
      run.seconds[i] = std::chrono::duration<double>(Clock::now() - start).count();
    }
    return std::nullopt;
  }

 private:
  using Clock = std::chrono::steady_clock;

  int32_t launch(size_t call, std::span<void* const> memory) const {
    if (batches_[call]) return batches_[call]->run(kernels_[call]->function, memory);
    const std::span<const int> ids = arguments_.of(call);
    SmallVector<void*, 256> buffers(ids.size());
    for (size_t i = 0; i < ids.size(); ++i) buffers[i] = memory[static_cast<size_t>(ids[i])];
    int32_t status = 0;
    kernels_[call]->function(buffers.data(), bound_.sizes[call].data(), &runtime::kernel_runtime(),
                             &status);
    return status;
  }

  const Arguments& arguments_;
  const CpuKernels& kernels_;
  const Batches& batches_;
  const BoundPlan& bound_;
};

class CpuExecutor final : public Executor {
 public:
  CpuExecutor(const ExecutablePlan& plan, CpuKernels kernels)
      : arguments_(plan), kernels_(std::move(kernels)) {
    for (const ExecutableCall& call : plan.calls) {
      batches_.emplace_back();
      if (!call.entries.empty()) batches_.back().emplace(call);
    }
  }

  std::unique_ptr<BoundExecutor> bind(const BoundPlan& bound) const override {
    return std::make_unique<BoundCpuExecutor>(arguments_, kernels_, batches_, bound);
  }

 private:
  Arguments arguments_;
  CpuKernels kernels_;
  Batches batches_;
};

}  // namespace

std::unique_ptr<Executor> make_cpu_executor(const ExecutablePlan& plan, CpuKernels kernels) {
  return std::make_unique<CpuExecutor>(plan, std::move(kernels));
}

}  // namespace ridge::execute
