#include <chrono>
#include <future>

#include "ridge/base/text.h"
#include "ridge/linker/built_cache.h"
#include "ridge/linker/cuda_kernels.h"
#include "ridge/linker/link.h"
#include "ridge/schedule/plan_price.h"

namespace ridge::linker {
namespace {

std::vector<std::string> notes_of(const schedule::Plan& plan, size_t number) {
  const auto price = schedule::predicted_price(plan, number);
  if (!price) return {};
  return {concat("predicted on ", plan.sheet->name, ": ", 1e6 * price->predicted, " us, floor ",
                 1e6 * price->floor, " us, bound by ", name(price->limiter))};
}

// A failure names calls of the plan.
template <class F>
auto naming_calls(std::span<const size_t> numbers, const F& build) {
  try {
    return build();
  } catch (const KernelFailure& failure) {
    std::vector<size_t> calls;
    for (const size_t kernel : failure.kernels) calls.push_back(numbers[kernel]);
    throw KernelFailure(failure, std::move(calls));
  }
}

// Does it read nothing but what the call before it writes? Calls of a batch have buffers each, and do not ask.
bool reads_previous_only(const schedule::Plan& plan, size_t number) {
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

// The texts of the calls with these numbers, all at once.
CudaBuild generate_calls(const schedule::Plan& plan, std::span<const size_t> numbers, int device) {
  const loop::DeviceLimits limits = cost::device_limits(plan.sheet.get());
  std::vector<CudaSource> sources;
  for (const size_t number : numbers) {
    const schedule::KernelCall& call = plan.calls[number];
    sources.push_back({.kernel = &call.kernel,
                       .batch = batch_shape(call),
                       .limits = limits,
                       .notes = [&plan, number] { return notes_of(plan, number); },
                       .expected = schedule::expected_sizes(call).value_or(
                           std::vector<int64_t>(call.sizes.size(), 1)),
                       .fits_32_bits = plan.fits_32_bits && (!call.sizes.empty() || call.mapped),
                       .reads_previous_only = reads_previous_only(plan, number)});
  }
  return naming_calls(numbers, [&] { return CudaBuild(sources, device); });
}

execute::CudaKernels compile_calls(CudaBuild texts, std::span<const size_t> numbers) {
  return naming_calls(numbers, [&] { return std::move(texts).compile(); });
}

class CudaDeviceBuild final : public DeviceBuild {
 public:
  CudaDeviceBuild(const schedule::Plan& plan, const execute::ExecutablePlan& linked, int device)
      : plan_(plan), linked_(linked), device_(device) {
    for (size_t i = 0; i < plan.calls.size(); ++i) {
      if (!plan.calls[i].product) numbers_.push_back(i);
    }
  }

  // The library takes some time to get ready, and one thread.
  void choose_products() override {
    if (numbers_.size() == plan_.calls.size()) return;
    // Deferred where no thread can be started.
    products_ = std::async(std::launch::async | std::launch::deferred, [this] { choose(); });
  }
  void generate_kernels() override { texts_.emplace(generate_calls(plan_, numbers_, device_)); }
  void build_kernels() override {
    built_.resize(plan_.calls.size());
    execute::CudaKernels built = compile_calls(std::move(*texts_), numbers_);
    for (size_t i = 0; i < numbers_.size(); ++i) built_[numbers_[i]] = std::move(built[i]);
  }
  std::unique_ptr<execute::Executor> make_executor() override {
    if (products_.valid()) products_.get();
    const auto build = [&plan = plan_, device = device_](std::span<const size_t> calls) {
      return compile_calls(generate_calls(plan, calls, device), calls);
    };
    return execute::make_cuda_executor(linked_, device_, std::move(built_), build);
  }

 private:
  void choose() const {
    const auto start = std::chrono::steady_clock::now();
    for (size_t i = 0; i < plan_.calls.size(); ++i) {
      const auto sizes = schedule::expected_sizes(plan_.calls[i]);
      if (plan_.calls[i].product && sizes) {
        execute::choose_product(linked_.calls[i], device_, *sizes);
      }
    }
    const auto time = std::chrono::steady_clock::now() - start;
    add_product_ms(std::chrono::duration<double, std::milli>(time).count());
  }

  const schedule::Plan& plan_;
  const execute::ExecutablePlan& linked_;
  int device_;
  std::vector<size_t> numbers_;  // of calls that have kernels
  std::optional<CudaBuild> texts_;
  execute::CudaKernels built_;  // by call
  std::future<void> products_;  // the last member: its thread reads the others until it has ended
};

}  // namespace

std::unique_ptr<DeviceBuild> cuda_build(const schedule::Plan& plan,
                                        const execute::ExecutablePlan& linked, int device) {
  return std::make_unique<CudaDeviceBuild>(plan, linked, device);
}

}  // namespace ridge::linker
