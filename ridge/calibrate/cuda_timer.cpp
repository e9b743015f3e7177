#include "ridge/calibrate/cuda_timer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "ridge/calibrate/cuda_kernels.h"
#include "ridge/core/device.h"
#include "ridge/core/device_copy.h"
#include "ridge/runtime/cuda/cuda_graph.h"
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

namespace {

constexpr int kLoops = 5;
constexpr int kLaunches = 4000;
constexpr int kNodes = 1000, kReplays = 20;

}  // namespace

double seconds_of_each(const CudaTimer& timer, int count, const std::function<void()>& work) {
  std::vector<double> values;
  for (int loop = -1; loop < kLoops; ++loop) {
    timer.wait();
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) work();
    timer.wait();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (loop >= 0) values.push_back(taken.count() / count);  // the first one warms up
  }
  return summarize("", cost::Unit::seconds, std::move(values)).median;
}

double launch_seconds(const CudaTimer& timer) {
  CudaKernels kernels(timer.device().index, "cuda_probes.cu");
  const runtime::cuda::Kernel empty = kernels.find("probe_empty");
  const Tensor x = Tensor::empty({8}, f32, timer.device());
  const void* data = device_address(x);
  const void* arguments[] = {&data, &data};
  const runtime::cuda::Launch shape{.block = {32}, .stream = timer.stream()};
  return seconds_of_each(timer, kLaunches, [&] { empty.launch(shape, arguments); });
}

double graph_node_seconds(const CudaTimer& timer) {
  CudaKernels kernels(timer.device().index, "cuda_probes.cu");
  const runtime::cuda::Kernel add = kernels.find("probe_add_one");
  auto& runtime = runtime::cuda::cuda_runtime();
  const Tensor x = Tensor::empty({8}, f32, timer.device());
  runtime.fill(device_address(x), 0, 32, timer.stream());
  timer.wait();
  const void* data = device_address(x);
  const void* arguments[] = {&data};
  const Stream stream = runtime.create_stream(timer.device());
  const auto graph = runtime::cuda::CudaGraph::capture("additions", stream, [&] {
    for (int i = 0; i < kNodes; ++i) add.launch({.block = {8}, .stream = stream}, arguments);
  });
  const double seconds =
      seconds_of_each(timer, kReplays, [&] { graph->launch(timer.stream()); }) / kNodes;
  runtime.destroy_stream(stream);
  return seconds;
}

}  // namespace ridge::calibrate
