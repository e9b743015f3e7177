#include "sweep_measure.h"

#include <optional>

#include "bench_run.h"
#include "ridge/calibrate/cuda_timer.h"
#include "ridge/calibrate/random_fill.h"

namespace ridge::command {
namespace {

constexpr int kRounds = 3;
// Keep each number near where it was: a product or sum that runs away would be another program.
constexpr double kFactor = 0.999, kAddend = 0.001;

double seconds_on_gpu(const BenchCase& bench_case, calibrate::CudaTimer& timer) {
  calibrate::RandomFill random(timer.device());
  Tensors inputs;
  for (const BenchInput& input : bench_case.inputs) {
    inputs.push_back(random.tensor(input.shape, input.dtype));
  }
  const auto compiled = compile(bench_case.function, {.name = bench_case.name});
  return timer.time([&] { compiled(inputs); }, {.least = 20, .seconds = 0.05}).median;
}

// One machine for all points of a sweep.
class Clock {
 public:
  explicit Clock(const MeasuredOn& where) : where_(where) {
    if (where.is_gpu) timer_.emplace(0);
  }
  double seconds_of(const BenchCase& bench_case) {
    if (timer_) return seconds_on_gpu(bench_case, *timer_);
    return run_cases({bench_case}, where_.sheet, {.rounds = kRounds}).front().seconds;
  }

 private:
  MeasuredOn where_;
  std::optional<calibrate::CudaTimer> timer_;
};

Tensors repeated(const Tensor& x, int64_t times, bool is_fma) {
  Tensor y = x;
  for (int64_t i = 0; i < times; ++i) y = is_fma ? y * kFactor + kAddend : y * kFactor;
  return {y};
}

}  // namespace

void measure(cost::MatmulSweep& sweep, const MeasuredOn& where) {
  Clock clock(where);
  for (cost::MatmulPoint& point : sweep.points) {
    const auto n = static_cast<int64_t>(point.n);
    const BenchInput square{Shape{n, n}, where.dtype};
    const BenchCase one{"sweep.matmul", {square, square}, [](const Tensors& t) {
                          return Tensors{matmul(t[0], t[1])};
                        }};
    point.measured_s = clock.seconds_of(one);
  }
}

void measure(cost::RepeatSweep& sweep, const MeasuredOn& where, int64_t numbers, bool is_fma) {
  Clock clock(where);
  for (cost::RepeatPoint& point : sweep.points) {
    const auto times = static_cast<int64_t>(point.repeat);
    const BenchCase one{
        "sweep.repeat",
        {BenchInput{Shape{numbers}, where.dtype}},
        [times, is_fma](const Tensors& t) { return repeated(t[0], times, is_fma); }};
    point.measured_s = clock.seconds_of(one);
  }
}

}  // namespace ridge::command
