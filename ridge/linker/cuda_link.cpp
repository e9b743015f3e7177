#include <chrono>
#include <future>

#include "ridge/base/text.h"
#include "ridge/cost/price.h"
#include "ridge/linker/built_cache.h"
#include "ridge/linker/cuda_kernels.h"
#include "ridge/linker/link.h"

namespace ridge::linker {
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
execute::CudaKernels build_for(std::span<const size_t> numbers, std::span<const CudaSource> sources,
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

// The kernels of the calls with these numbers, all at once.
execute::CudaKernels build_calls(const schedule::Plan& plan, std::span<const size_t> numbers,
                                 int device) {
  const loop::DeviceLimits limits = cost::device_limits(plan.sheet.get());
  std::vector<CudaSource> sources;
  for (const size_t number : numbers) {
    const schedule::KernelCall& call = plan.calls[number];
    sources.push_back({.kernel = &call.kernel,
                       .batch = batch_shape(call),
                       .limits = limits,
                       .notes = [&plan, &call] { return notes_of(plan, call); },
                       .expected = schedule::expected_sizes(call).value_or(
                           std::vector<int64_t>(call.sizes.size(), 1)),
                       .fits_32_bits = plan.fits_32_bits && !call.sizes.empty(),
                       .reads_previous_only = reads_previous_only(plan, number)});
  }
  return build_for(numbers, sources, device);
}

// Has the library choose how it computes products of the expected sizes, which it keeps in mind.
void choose_products(const schedule::Plan& plan, const execute::ExecutablePlan& linked,
                     int device) {
  const auto start = std::chrono::steady_clock::now();
  for (size_t i = 0; i < plan.calls.size(); ++i) {
    const auto sizes = schedule::expected_sizes(plan.calls[i]);
    if (plan.calls[i].product && sizes) execute::choose_product(linked.calls[i], device, *sizes);
  }
  const auto time = std::chrono::steady_clock::now() - start;
  add_product_ms(std::chrono::duration<double, std::milli>(time).count());
}

}  // namespace

std::unique_ptr<execute::Executor> build_for_cuda(const schedule::Plan& plan,
                                                  const execute::ExecutablePlan& linked,
                                                  int device) {
  std::vector<size_t> numbers;
  for (size_t i = 0; i < plan.calls.size(); ++i) {
    if (!plan.calls[i].product) numbers.push_back(i);
  }
  // The library takes some time to get ready, and one thread.
  std::future<void> products;
  if (numbers.size() < plan.calls.size()) {
    // Deferred where no thread can be started.
    products = std::async(std::launch::async | std::launch::deferred,
                          [&] { choose_products(plan, linked, device); });
  }
  execute::CudaKernels kernels(plan.calls.size());
  execute::CudaKernels built = build_calls(plan, numbers, device);
  for (size_t i = 0; i < numbers.size(); ++i) kernels[numbers[i]] = std::move(built[i]);
  if (products.valid()) products.get();
  return execute::make_cuda_executor(
      linked, device, std::move(kernels),
      [&plan, device](std::span<const size_t> calls) { return build_calls(plan, calls, device); });
}

}  // namespace ridge::linker
