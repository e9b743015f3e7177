#include <algorithm>
#include <chrono>
#include <future>
#include <mutex>

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
  const auto sizes = schedule::expected_sizes(call);
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

// Does it read nothing but what the call before it writes? Calls of a batch have buffers each, and do not ask.
bool continues(const schedule::Plan& plan, size_t number) {
  if (number == 0) return false;
  const schedule::KernelCall &call = plan.calls[number], &before = plan.calls[number - 1];
  if (before.product || before.buffers.empty() || call.buffers.empty()) return false;
  const auto is_written = [&](int buffer) {
    for (size_t i = 0; i < before.kernel.argument_count(); ++i) {
      const bool writes = before.kernel.buffers[i].access != loop::Access::in;
      if (writes && before.buffers[i] == buffer) return true;
    }
    return false;
  };
  bool reads = false;
  for (size_t i = 0; i < call.kernel.argument_count(); ++i) {
    if (call.kernel.buffers[i].access == loop::Access::out) continue;
    if (!is_written(call.buffers[i])) return false;
    reads = true;
  }
  return reads;
}

// The kernels of the calls with these numbers, all at once.
std::vector<std::shared_ptr<const CudaBuilt>> build_calls(const schedule::Plan& plan,
                                                          std::span<const size_t> numbers,
                                                          int device) {
  std::vector<CudaSource> sources;
  for (const size_t number : numbers) {
    const schedule::KernelCall& call = plan.calls[number];
    sources.push_back({.kernel = &call.kernel,
                       .batch = batch_shape(call),
                       .notes = [&plan, &call] { return notes_of(plan, call); },
                       .expected = schedule::expected_sizes(call).value_or(
                           std::vector<int64_t>(call.sizes.size(), 1)),
                       .fits_32_bits = plan.fits_32_bits && !call.sizes.empty(),
                       .continues = continues(plan, number)});
  }
  return build_for(numbers, sources, device);
}

// Has the library choose how it computes products of the expected sizes, which it keeps in mind.
void choose_products(const schedule::Plan& plan, int device) {
  const auto start = std::chrono::steady_clock::now();
  for (const schedule::KernelCall& call : plan.calls) {
    const auto sizes = schedule::expected_sizes(call);
    if (call.product && sizes) make_product_call(call, device, *sizes);
  }
  const auto time = std::chrono::steady_clock::now() - start;
  add_product_ms(std::chrono::duration<double, std::milli>(time).count());
}

class BoundCudaExecutor final : public BoundExecutor {
 public:
  using Calls = std::vector<std::unique_ptr<CudaCall>>;

  BoundCudaExecutor(const schedule::Plan& plan, Device device, const std::string& name,
                    const BoundPlan& bound, Calls calls, const std::shared_ptr<LateFailures>& late)
      : device_(device),
        bound_(bound),
        calls_(std::move(calls)),
        status_(status_of(late, device, calls_)),
        graph_(name, plan, bound, calls_, device, status_words()) {}

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
  CudaExecutor(const schedule::Plan& plan, Device device, const graph::Graph& graph)
      : plan_(plan),
        device_(device),
        name_(graph.name),
        late_(std::make_shared<LateFailures>(plan, graph)),
        built_(plan.calls.size()) {
    std::vector<size_t> numbers;
    for (size_t i = 0; i < plan.calls.size(); ++i) {
      if (!plan.calls[i].product) numbers.push_back(i);
    }
    // The library takes some time to get ready, and one thread.
    std::future<void> products;
    if (numbers.size() < plan.calls.size()) {
      // Deferred where no thread can be started.
      products = std::async(std::launch::async | std::launch::deferred,
                            [&] { choose_products(plan, device.index); });
    }
    build(numbers);
    if (products.valid()) products.get();
  }

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
      if (calls[i] == nullptr) calls[i] = make_kernel_call(plan_, i, built_[i], bound.sizes[i]);
    }
    return std::make_unique<BoundCudaExecutor>(plan_, device_, name_, bound, std::move(calls),
                                               late_);
  }

 private:
  void build(std::vector<size_t> numbers) const {
    std::erase_if(numbers, [&](size_t number) { return built_[number] != nullptr; });
    auto built = build_calls(plan_, numbers, device_.index);
    for (size_t i = 0; i < numbers.size(); ++i) built_[numbers[i]] = std::move(built[i]);
  }

  const schedule::Plan& plan_;
  Device device_;
  std::string name_;
  std::shared_ptr<LateFailures> late_;
  mutable std::mutex mutex_;
  mutable std::vector<std::shared_ptr<const CudaBuilt>> built_;  // null where the library does it
};

}  // namespace

std::unique_ptr<Executor> make_cuda_executor(const schedule::Plan& plan, int device,
                                             const graph::Graph& graph) {
  return std::make_unique<CudaExecutor>(plan, Device{DeviceKind::cuda, static_cast<int8_t>(device)},
                                        graph);
}

}  // namespace ridge::driver
