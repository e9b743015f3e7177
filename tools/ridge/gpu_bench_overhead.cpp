// Cases of `ridge bench` in which the device has nearly nothing to do.
#include "gpu_bench_cases.h"
#include "gpu_bench_run.h"
#include "ridge/base/knobs.h"
#include "ridge/base/text.h"
#include "ridge/calibrate/cuda_timer.h"
#include "ridge/driver/entry.h"

namespace ridge::command {
namespace {

constexpr int kCalls = 4000;
constexpr int kAdditions = 1000, kRuns = 20;

void check_sum(const std::string& what, const Tensor& x, const Tensor& sum, double added) {
  std::vector<float> expected = to_device(x, kCpu).to_vector<float>();
  for (float& value : expected) value += static_cast<float>(added);
  // Each addition rounds to the size of the sum.
  check_close(what, to_device(sum, kCpu), Tensor::of<float>(expected, x.shape()),
              static_cast<int64_t>(added * added));
}

HostTimes measure_tiny(calibrate::CudaTimer& timer) {
  const Tensor x = calibrate::RandomFill(timer.device()).tensor({8}, f32);
  const auto compiled = compile([](const Tensor& t) { return t + 1; }, {.name = "tiny"});
  check_sum("tiny", x, compiled(x), 1);
  return {.ours = seconds_of_each(timer, kCalls, [&] { static_cast<void>(compiled(x)); }),
          .floor = launch_seconds(timer)};
}

HostTimes measure_additions(calibrate::CudaTimer& timer, int64_t count) {
  const ScopedKnob unfused(Knob::disable, "fuse");
  const Tensor x = calibrate::RandomFill(timer.device()).tensor({count}, f32);
  const auto compiled = compile(
      [](const Tensor& t) {
        Tensor y = t;
        for (int i = 0; i < kAdditions; ++i) y = y + 1;
        return y;
      },
      {.name = "additions"});
  check_sum("additions", x, compiled(x), kAdditions);
  const size_t kernels = compiled.programs().back()->compiled->program()->kernel_count();
  RIDGE_CHECK(kernels == kAdditions, .code = ErrorCode::state, .op = "bench",
              .expected = concat(kAdditions, " kernels without fusion"), .given = to_text(kernels));
  const double run = seconds_of_each(timer, kRuns, [&] { static_cast<void>(compiled(x)); });
  return {.ours = run / kAdditions, .floor = graph_node_seconds(timer)};
}

}  // namespace

void add_gpu_overhead_cases(std::vector<GpuCase>& cases) {
  cases.push_back({.name = "gpu.overhead.tiny_call.f32.8", .measure = measure_tiny});
  for (const int64_t count : {1, 8}) {
    cases.push_back({.name = concat("gpu.overhead.addition_in_graph.f32.", count),
                     .measure = [count](calibrate::CudaTimer& timer) {
                       return measure_additions(timer, count);
                     }});
  }
}

}  // namespace ridge::command
