#include "ridge/calibrate/probe_kernel.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>

#include "ridge/base/error.h"
#include "ridge/codegen/llvm/generate.h"
#include "ridge/runtime/cpu/thread_pool.h"

namespace ridge::calibrate {
namespace {

constexpr size_t kPage = 4096;
// Of one measurement, of which the best counts: a core that was taken away for a moment is no limit of
// the machine.
constexpr int kTries = 3;

}  // namespace

ProbeMemory::ProbeMemory(size_t bytes)
    : memory_(std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage), std::free) {
  RIDGE_CHECK(memory_ != nullptr, .code = ErrorCode::memory, .op = "calibrate",
              .expected = "memory for measuring", .given = "none left");
}

ProbeMemory ProbeMemory::of_random(size_t floats) {
  ProbeMemory memory(floats * sizeof(float));
  auto* values = static_cast<float*>(memory.data());
  // Repeating a page of random numbers is random enough, and quicker to make.
  std::mt19937 random(1);
  const size_t period = std::min<size_t>(floats, 4093);
  for (size_t i = 0; i < period; ++i) {
    values[i] = 0.5F + static_cast<float>(random() >> 8) / static_cast<float>(1 << 24);
  }
  for (size_t i = period; i < floats; ++i) values[i] = values[i - period];
  return memory;
}

ProbeMemory ProbeMemory::of_lines(size_t tasks, size_t lines, size_t floats_per_line) {
  const size_t all = tasks * lines;
  ProbeMemory memory(all * sizeof(int64_t));
  auto* starts = static_cast<int64_t*>(memory.data());
  for (size_t i = 0; i < all; ++i) starts[i] = static_cast<int64_t>(i * floats_per_line);
  std::mt19937_64 random(1);
  for (size_t i = 0; i < all; i += lines) std::shuffle(starts + i, starts + i + lines, random);
  return memory;
}

ProbeKernel::ProbeKernel(std::string_view text) {
  const loop::Kernel kernel = loop::parse(text);
  loop::verify(kernel);
  const codegen::Generated made = codegen::generate(kernel, codegen::host_target());
  code_ = runtime::LoadedKernel::load(made.object, made.symbol);
}

double ProbeKernel::time_each(const std::vector<void*>& buffers, const std::vector<int64_t>& sizes,
                              int count) const {
  double best = time_once(buffers, sizes, count);
  for (int i = 1; i < kTries; ++i) best = std::min(best, time_once(buffers, sizes, count));
  return best;
}

double ProbeKernel::time_once(const std::vector<void*>& buffers, const std::vector<int64_t>& sizes,
                              int count) const {
  std::vector<void*> pointers = buffers;
  int32_t status = 0;
  // Workers that sleep are woken first: how long that takes is not what is measured.
  runtime::parallel(runtime::thread_count(), 1, [](int64_t, int64_t) {});
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) {
    code_->function()(pointers.data(), sizes.data(), &runtime::kernel_runtime(), &status);
  }
  const auto end = std::chrono::steady_clock::now();
  RIDGE_INTERNAL_CHECK(status == 0, "a probe reported a bad index");
  return std::chrono::duration<double>(end - start).count() / count;
}

double ProbeKernel::time(const std::vector<void*>& buffers,
                         const std::vector<int64_t>& sizes) const {
  return time_each(buffers, sizes, 1);
}

}  // namespace ridge::calibrate
