#include <algorithm>

#include "ridge/base/knobs.h"
#include "ridge/base/text.h"
#include "ridge/cost/price.h"
#include "ridge/driver/arena.h"
#include "ridge/driver/built_cache.h"
#include "ridge/driver/cuda_batch.h"
#include "ridge/driver/cuda_call.h"
#include "ridge/driver/cuda_graph_run.h"
#include "ridge/driver/cuda_status.h"
#include "ridge/runtime/cuda/context.h"
#include "ridge/runtime/cuda/cuda_memory.h"
#include "ridge/runtime/cuda/cuda_runtime.h"

namespace ridge::driver {
namespace {

std::vector<std::string> notes_of(const schedule::Plan& plan, const schedule::KernelCall& call) {
  const auto sizes = schedule::known_sizes(call);
  if (plan.sheet == nullptr || !sizes) return {};
  const cost::KernelNest nest = cost::nest_of(call.kernel, *sizes);
  const cost::Price price = cost::price(nest, *plan.sheet, {.resident = plan.resident});
  return {concat("predicted on ", plan.sheet->name, ": ", 1e6 * price.predicted, " us, floor ",
                 1e6 * price.floor, " us, bound by ", name(price.bound))};
}

// A failure names calls of the plan.
std::vector<std::shared_ptr<const CudaBuilt>> build_for(std::span<const size_t> numbers,
                                                        std::span<const CudaSource> sources,
                                                        int device) {
  try {
    return build_cuda(sources, device);
  } catch (const KernelFailure& failure) {
    std::vector<size_t> calls;
    for (const size_t kernel : failure.kernels) calls.push_back(numbers[kernel]);
    throw KernelFailure(failure, std::move(calls));
  }
}

// Products where the library has them, and kernels built all at once for the rest.
std::vector<std::unique_ptr<CudaCall>> prepare(const schedule::Plan& plan, int device) {
  std::vector<std::unique_ptr<CudaCall>> calls;
  std::vector<CudaSource> sources;
  std::vector<size_t> numbers;  // of the calls they are for
  for (size_t i = 0; i < plan.calls.size(); ++i) {
    const schedule::KernelCall& call = plan.calls[i];
    calls.push_back(make_product_call(call, device));
    if (calls[i] != nullptr) continue;
    sources.push_back({&call.kernel, batch_shape(call), notes_of(plan, call)});
    numbers.push_back(i);
  }
  std::vector<std::shared_ptr<const CudaBuilt>> built = build_for(numbers, sources, device);
  for (size_t i = 0; i < built.size(); ++i) {
    calls[numbers[i]] = make_kernel_call(plan, numbers[i], std::move(built[i]));
  }
  return calls;
}

class CudaExecutor final : public Executor {
 public:
  CudaExecutor(const schedule::Plan& plan, Device device, const graph::Graph& graph)
      : plan_(plan),
        device_(device),
        calls_(prepare(plan, device.index)),
        places_(arena_places(plan)),
        status_(status_of(plan, graph, device, calls_)),
        graph_(graph.name, plan, calls_, device, status_words()) {}

  void check_earlier_runs() const override {
    if (status_ != nullptr) status_->check_earlier_runs();
  }

  std::optional<Failure> run(const Run& run) const override {
    const runtime::cuda::ContextScope scope(device_.index);
    const Stream stream = runtime::cuda::current_stream(device_);
    const bool is_timed = !run.seconds.empty();
    if (status_ != nullptr) status_->note_use(stream, run.where);
    if (is_timed || knob_int(Knob::graphs) == 0 || !graph_.run(run.memory, stream)) {
      launch_calls(run, stream);
    }
    if (knob_int(Knob::wait) > 0 && !runtime::cuda::is_capturing(stream)) {
      runtime::cuda::cuda_runtime().wait_for(stream);
    } else if (!is_timed) {
      return std::nullopt;
    }
    return status_ != nullptr ? status_->first_failure() : std::nullopt;
  }

 private:
  static std::unique_ptr<CudaStatus> status_of(const schedule::Plan& plan,
                                               const graph::Graph& graph, Device device,
                                               std::span<const std::unique_ptr<CudaCall>> calls) {
    const bool can_fail = std::ranges::any_of(calls, &CudaCall::can_fail);
    return can_fail ? std::make_unique<CudaStatus>(plan, graph, device) : nullptr;
  }
  int32_t* status_words() const { return status_ != nullptr ? status_->data() : nullptr; }

  void launch_calls(const Run& run, Stream stream) const {
    const ArenaBlock arena(plan_.arena_bytes, device_);
    place_temporaries(places_, arena.data(), run.memory);
    const ArenaBlock workspace(workspace_of(calls_), device_);
    if (status_ != nullptr && runtime::cuda::is_capturing(stream)) status_->note_capture();
    const CallMemory memory{run.memory, status_words(), workspace.data()};
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

  const schedule::Plan& plan_;
  Device device_;
  std::vector<std::unique_ptr<CudaCall>> calls_;
  std::vector<ArenaPlace> places_;
  std::unique_ptr<const CudaStatus> status_;  // null where no kernel can fail
  mutable ProgramGraph graph_;                // synchronizes itself
};

}  // namespace

std::unique_ptr<Executor> make_cuda_executor(const schedule::Plan& plan, int device,
                                             const graph::Graph& graph) {
  return std::make_unique<CudaExecutor>(plan, Device{DeviceKind::cuda, static_cast<int8_t>(device)},
                                        graph);
}

}  // namespace ridge::driver
