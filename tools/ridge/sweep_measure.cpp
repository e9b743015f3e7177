#include "sweep_measure.h"

#include <algorithm>
#include <optional>

#include "bench_run.h"
#include "ridge/calibrate/cuda_kernels.h"
#include "ridge/calibrate/cuda_timer.h"
#include "sweep_report.h"

namespace ridge::command {
namespace {

constexpr int kRounds = 3;
// Keep each number near where it was: a product or sum that runs away would be another program.
constexpr double kFactor = 0.999, kAddend = 0.001;

// The first GPU, with inputs that points of the same shapes share.
class GpuClock {
 public:
  double seconds_of(const BenchCase& bench_case) {
    make_inputs(bench_case.inputs);
    const auto compiled = compile(bench_case.function, {.name = bench_case.name});
    return timer_.time([&] { compiled(inputs_); }, {.least = 20, .seconds = 0.05}).median;
  }

 private:
  void make_inputs(const std::vector<BenchInput>& wanted) {
    const bool is_same =
        std::ranges::equal(wanted, inputs_, [](const BenchInput& input, const Tensor& tensor) {
          return input.shape == tensor.shape();
        });
    if (is_same) return;
    inputs_.clear();
    for (const BenchInput& input : wanted) {
      inputs_.push_back(random_.tensor(input.shape, input.dtype));
    }
  }

  calibrate::CudaTimer timer_{0};
  calibrate::RandomFill random_{timer_.device()};
  Tensors inputs_;
};

// One machine for all points of a sweep.
class Clock {
 public:
  explicit Clock(const MeasuredOn& where) : where_(where) {
    if (where.is_gpu) gpu_.emplace();
  }
  double seconds_of(const BenchCase& bench_case) {
    if (gpu_) return gpu_->seconds_of(bench_case);
    return run_cases({bench_case}, where_.sheet, {.rounds = kRounds}).front().seconds;
  }

 private:
  MeasuredOn where_;
  std::optional<GpuClock> gpu_;
};

Tensors repeated(const Tensor& x, int64_t times, bool is_fma) {
  Tensor y = x;
  for (int64_t i = 0; i < times; ++i) y = is_fma ? y * kFactor + kAddend : y * kFactor;
  return {y};
}

}  // namespace

void measure(cost::MatmulSweep& sweep, const MeasuredOn& where, const OnMeasured& on_measured) {
  Clock clock(where);
  size_t done = 0;
  for (cost::MatmulPoint& point : sweep.points) {
    const auto n = static_cast<int64_t>(point.n);
    const BenchInput square{Shape{n, n}, where.dtype};
    const BenchCase one{"sweep.matmul", {square, square}, [](const Tensors& t) {
                          return Tensors{matmul(t[0], t[1])};
                        }};
    point.measured_s = clock.seconds_of(one);
    on_measured(++done, sweep.points.size());
  }
}

void measure(cost::RepeatSweep& sweep, const MeasuredOn& where, int64_t numbers, bool is_fma,
             const OnMeasured& on_measured) {
  Clock clock(where);
  const std::vector<size_t> shown = shown_points(sweep.points);
  size_t done = 0;
  for (const size_t i : shown) {
    cost::RepeatPoint& point = sweep.points[i];
    const auto times = static_cast<int64_t>(point.repeat);
    const BenchCase one{
        "sweep.repeat",
        {BenchInput{Shape{numbers}, where.dtype}},
        [times, is_fma](const Tensors& t) { return repeated(t[0], times, is_fma); }};
    point.measured_s = clock.seconds_of(one);
    on_measured(++done, shown.size());
  }
}

}  // namespace ridge::command
