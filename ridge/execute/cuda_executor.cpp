#include <algorithm>
#include <mutex>

#include "ridge/base/knobs.h"
#include "ridge/execute/cuda_call.h"
#include "ridge/execute/cuda_graph_run.h"
#include "ridge/execute/kernel_status.h"
#include "ridge/runtime/cuda/context.h"
#include "ridge/runtime/cuda/cuda_memory.h"
#include "ridge/runtime/cuda/cuda_runtime.h"
#include "ridge/runtime/cuda/status_words.h"

namespace ridge::execute {
namespace {

// The status words of the calls of a program, Note [Late failures], and what they mean.
class CudaStatus {
 public:
  CudaStatus(std::shared_ptr<LateFailures> late, size_t calls, Device device)
      : late_(std::move(late)), words_(device, calls, [late = late_](size_t call, int32_t status) {
          return late->error(call, status);
        }) {}

  int32_t* data() const { return words_.data(); }  // by call
  void note_capture() const { words_.note_capture(); }
  void note_use(Stream stream, const Location* where) const {
    words_.note_use(stream);
    if (where != nullptr) late_->note_line(*where);
  }
  void check_earlier_runs() const { words_.throw_if_set(); }
  // After a wait: what is known by then.
  std::optional<Failure> first_failure() const {
    const auto set = words_.take();
    return set ? std::optional(Failure{set->word, set->status}) : std::nullopt;
  }

 private:
  std::shared_ptr<LateFailures> late_;
  runtime::cuda::StatusWords words_;
};

class BoundCudaExecutor final : public BoundExecutor {
 public:
  using Calls = std::vector<std::unique_ptr<CudaCall>>;

  BoundCudaExecutor(const ExecutablePlan& plan, Device device, const BoundPlan& bound, Calls calls,
                    const std::shared_ptr<LateFailures>& late)
      : device_(device),
        bound_(bound),
        calls_(std::move(calls)),
        status_(status_of(late, device, calls_)),
        graph_(plan.name, plan, bound, calls_, device, status_words()) {}

  void check_earlier_runs() const override {
    if (status_ != nullptr) status_->check_earlier_runs();
  }

  std::optional<Failure> run(const Run& run) const override {
    const runtime::cuda::ContextScope scope(device_.index);
    const Stream stream = runtime::cuda::current_stream(device_);
    const bool is_timed = !run.seconds.empty();
    if (status_ != nullptr) status_->note_use(stream, run.where);
    const bool is_apart = is_timed || run.watch != nullptr || knob_int(Knob::graphs) == 0;
    if (is_apart || !graph_.run(run.memory, stream)) launch_calls(run, stream);
    if (knob_int(Knob::wait) > 0 && !runtime::cuda::is_capturing(stream)) {
      runtime::cuda::cuda_runtime().wait_for(stream);
    } else if (!is_timed && run.watch == nullptr) {
      return std::nullopt;
    }
    return status_ != nullptr ? status_->first_failure() : std::nullopt;
  }

 private:
  static std::unique_ptr<CudaStatus> status_of(const std::shared_ptr<LateFailures>& late,
                                               Device device, const Calls& calls) {
    const bool can_fail = std::ranges::any_of(calls, &CudaCall::can_fail);
    return can_fail ? std::make_unique<CudaStatus>(late, calls.size(), device) : nullptr;
  }
  int32_t* status_words() const { return status_ != nullptr ? status_->data() : nullptr; }

  void launch_calls(const Run& run, Stream stream) const {
    const ArenaBlock arena(bound_.arena_bytes, device_);
    place_temporaries(bound_.places, arena.data(), run.memory);
    const ArenaBlock workspace(workspace_of(calls_), device_);
    if (status_ != nullptr && runtime::cuda::is_capturing(stream)) status_->note_capture();
    const CallMemory memory{run.memory, status_words(), workspace.data()};
    if (run.watch != nullptr) return launch_watched(memory, stream, *run.watch);
    if (!run.seconds.empty()) return launch_timed(memory, stream, run.seconds);
    for (const auto& call : calls_) call->launch(memory, stream);
  }

  void launch_timed(const CallMemory& memory, Stream stream, std::span<double> seconds) const {
    for (size_t i = 0; i < calls_.size(); ++i) {
      const Event before = Event::record(stream);
      calls_[i]->launch(memory, stream);
      seconds[i] = 1e-6 * Event::record(stream).elapsed_us_since(before);
    }
  }

  // A copy to the host waits for what was launched before it, so `after` sees what the call left.
  void launch_watched(const CallMemory& memory, Stream stream, KernelWatch& watch) const {
    for (size_t i = 0; i < calls_.size(); ++i) {
      watch.before(i);
      calls_[i]->launch(memory, stream);
      watch.after(i);
    }
  }

  Device device_;
  const BoundPlan& bound_;
  Calls calls_;
  std::unique_ptr<const CudaStatus> status_;  // null where no kernel can fail
  mutable ProgramGraph graph_;                // synchronizes itself
};

class CudaExecutor final : public Executor {
 public:
  CudaExecutor(const ExecutablePlan& plan, Device device, CudaKernels kernels,
               BuildCudaKernels build)
      : plan_(plan),
        device_(device),
        late_(std::make_shared<LateFailures>(plan)),
        build_(std::move(build)),
        kernels_(std::move(kernels)) {}

  // Products where the library has them for these sizes, kernels for the rest.
  std::unique_ptr<BoundExecutor> bind(const BoundPlan& bound) const override {
    const runtime::cuda::ContextScope scope(device_.index);
    BoundCudaExecutor::Calls calls;
    std::vector<size_t> declined;
    for (size_t i = 0; i < plan_.calls.size(); ++i) {
      calls.push_back(make_product_call(plan_.calls[i], device_.index, bound.sizes[i]));
      if (calls[i] == nullptr && plan_.calls[i].product) declined.push_back(i);
    }
    const std::lock_guard lock(mutex_);
    build(declined);
    for (size_t i = 0; i < calls.size(); ++i) {
      if (calls[i] == nullptr) calls[i] = make_kernel_call(plan_, i, kernels_[i], bound.sizes[i]);
    }
    return std::make_unique<BoundCudaExecutor>(plan_, device_, bound, std::move(calls), late_);
  }

 private:
  // Those of these calls that are not there yet. The mutex is held.
  void build(std::vector<size_t> calls) const {
    std::erase_if(calls, [&](size_t call) { return kernels_[call] != nullptr; });
    if (calls.empty()) return;
    CudaKernels built = build_(calls);
    for (size_t i = 0; i < calls.size(); ++i) kernels_[calls[i]] = std::move(built[i]);
  }

  const ExecutablePlan& plan_;
  Device device_;
  std::shared_ptr<LateFailures> late_;
  BuildCudaKernels build_;
  mutable std::mutex mutex_;
  mutable CudaKernels kernels_;  // by call; null where the library does it
};

}  // namespace

std::unique_ptr<Executor> make_cuda_executor(const ExecutablePlan& plan, int device,
                                             CudaKernels kernels, BuildCudaKernels build) {
  return std::make_unique<CudaExecutor>(plan, Device{DeviceKind::cuda, static_cast<int8_t>(device)},
                                        std::move(kernels), std::move(build));
}

}  // namespace ridge::execute
