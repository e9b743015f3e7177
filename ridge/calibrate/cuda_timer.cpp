#include "ridge/calibrate/cuda_timer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "ridge/core/device_copy.h"
#include "ridge/core/stream.h"
#include "ridge/runtime/cuda/cuda_runtime.h"

namespace ridge::calibrate {
namespace {

// Five times the last cache of an H200, as Triton's harness has it.
constexpr int64_t kFlushedBytes = int64_t{256} << 20;
constexpr int kTrialRuns = 5;

}  // namespace

CudaTimer::CudaTimer(int device)
    : device_{DeviceKind::cuda, static_cast<int8_t>(device)},
      flushed_(Tensor::empty({kFlushedBytes}, u8, device_)) {}

Stream CudaTimer::stream() const { return runtime::cuda::cuda_runtime().current_stream(device_); }

void CudaTimer::wait() const { runtime::cuda::cuda_runtime().synchronize(stream()); }

std::vector<double> CudaTimer::repeat(const std::function<void()>& work, int count, bool is_cold) {
  const Stream here = stream();
  std::vector<std::pair<Event, Event>> marks;
  for (int i = 0; i < count; ++i) {
    if (is_cold) {
      runtime::cuda::cuda_runtime().fill(device_address(flushed_), static_cast<uint8_t>(i),
                                         kFlushedBytes, here);
    }
    const Event before = Event::record(here);
    work();
    marks.emplace_back(before, Event::record(here));
  }
  wait();
  std::vector<double> seconds;
  for (const auto& [before, after] : marks) {
    seconds.push_back(1e-6 * after.elapsed_us_since(before));
  }
  return seconds;
}

Measured CudaTimer::time(const std::function<void()>& work, const TimerOptions& options) {
  work();  // compiles, loads, fills pools
  wait();
  const auto start = std::chrono::steady_clock::now();
  repeat(work, kTrialRuns, options.is_cold);
  const std::chrono::duration<double> trial = std::chrono::steady_clock::now() - start;
  const double fitting = options.seconds * kTrialRuns / trial.count();
  const int count = static_cast<int>(
      std::clamp(fitting, static_cast<double>(options.least), static_cast<double>(options.most)));
  return summarize("time", cost::Unit::seconds, repeat(work, count, options.is_cold));
}

}  // namespace ridge::calibrate
