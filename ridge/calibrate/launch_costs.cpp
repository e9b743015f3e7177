#include "ridge/calibrate/launch_costs.h"

#include <chrono>

#include "ridge/calibrate/cuda_kernels.h"
#include "ridge/core/device_copy.h"
#include "ridge/runtime/cuda/cuda_runtime.h"
#include "ridge/runtime/cuda/graph.h"

namespace ridge::calibrate {
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
  const auto graph = runtime::cuda::CapturedGraph::capture("additions", stream, [&] {
    for (int i = 0; i < kNodes; ++i) add.launch({.block = {8}, .stream = stream}, arguments);
  });
  const double seconds =
      seconds_of_each(timer, kReplays, [&] { graph->launch(timer.stream()); }) / kNodes;
  runtime.destroy_stream(stream);
  return seconds;
}

}  // namespace ridge::calibrate
