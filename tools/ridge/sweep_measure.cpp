#include "sweep_measure.h"

#include "bench_run.h"

namespace ridge::command {
namespace {

constexpr int kRounds = 3;
// Keep each number near where it was: a product or sum that runs away would be another program.
constexpr double kFactor = 0.999, kAddend = 0.001;

double seconds_of(const BenchCase& bench_case, const std::shared_ptr<const cost::Sheet>& sheet) {
  return run_cases({bench_case}, sheet, {.rounds = kRounds}).front().seconds;
}

Tensors repeated(const Tensor& x, int64_t times, bool is_fma) {
  Tensor y = x;
  for (int64_t i = 0; i < times; ++i) y = is_fma ? y * kFactor + kAddend : y * kFactor;
  return {y};
}

}  // namespace

void measure(cost::MatmulSweep& sweep, const std::shared_ptr<const cost::Sheet>& sheet) {
  for (cost::MatmulPoint& point : sweep.points) {
    const auto n = static_cast<int64_t>(point.n);
    const BenchInput square{Shape{n, n}};
    const BenchCase one{"cpu.sweep.matmul", {square, square}, [](const Tensors& t) {
                          return Tensors{matmul(t[0], t[1])};
                        }};
    point.measured_s = seconds_of(one, sheet);
  }
}

void measure(cost::RepeatSweep& sweep, const std::shared_ptr<const cost::Sheet>& sheet,
             int64_t numbers, bool is_fma) {
  for (cost::RepeatPoint& point : sweep.points) {
    const auto times = static_cast<int64_t>(point.repeat);
    const BenchCase one{
        "cpu.sweep.repeat", {BenchInput{Shape{numbers}}}, [times, is_fma](const Tensors& t) {
          return repeated(t[0], times, is_fma);
        }};
    point.measured_s = seconds_of(one, sheet);
  }
}

}  // namespace ridge::command
