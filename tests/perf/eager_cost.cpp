// What an eager op costs the host, and what building a kernel takes.
//
//   host cost of an op on a tiny tensor      at most 2 us      (PyTorch: 3.2 us)
//   median time to build a pointwise kernel  at most 15 ms
//
// Times of a shared machine are upper bounds, so the best of many runs stands for the cost, and a
// run that is too slow is repeated before it counts.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "ridge/linker/kernel_cache.h"
#include "ridge/ridge.h"

namespace {

using ridge::Tensor;

double microseconds_per_call(const auto& call) {
  constexpr int kCalls = 2000;
  double best = 1e9;
  for (int round = 0; round < 50; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kCalls; ++i) call();
    const auto time = std::chrono::steady_clock::now() - start;
    best = std::min(best, std::chrono::duration<double, std::micro>(time).count() / kCalls);
  }
  return best;
}

// Milliseconds for each of several pointwise kernels that nothing has built before.
double median_build_ms() {
  const Tensor x = ridge::full({64}, 0.5);
  std::vector<double> times;
  const auto build = [&](const auto& call) {
    const double before = ridge::linker::build_counts().total_ms;
    call();
    times.push_back(ridge::linker::build_counts().total_ms - before);
  };
  build([&] { return x + x; });
  build([&] { return x - x; });
  build([&] { return x / x; });
  build([&] { return exp(x); });
  build([&] { return log(x); });
  build([&] { return tanh(x); });
  build([&] { return sigmoid(x); });
  build([&] { return gelu(x); });
  build([&] { return relu(x); });
  build([&] { return sqrt(x); });
  build([&] { return abs(x); });
  build([&] { return silu(x); });
  build([&] { return maximum(x, x); });
  build([&] { return less(x, x); });
  build([&] { return erf(x); });
  std::nth_element(times.begin(), times.begin() + static_cast<ptrdiff_t>(times.size() / 2),
                   times.end());
  return times[times.size() / 2];
}

bool report(const char* what, double value, double bound, const char* unit) {
  const bool holds = value <= bound;
  std::printf("%-44s %8.2f %s, at most %.0f%s\n", what, value, unit, bound,
              holds ? "" : "   TOO SLOW");
  return holds;
}

}  // namespace

int main() {
  const double build_ms = median_build_ms();
  const Tensor a = ridge::full({4}, 0.5), b = ridge::full({4}, 0.25), m = ridge::full({4, 4}, 0.5);
  bool holds = report("median build of a pointwise kernel", build_ms, 15, "ms");
  const auto cost = [&](const char* name, const auto& call) {
    call();
    double us = microseconds_per_call(call);
    for (int again = 0; again < 3 && us > 2; ++again) us = microseconds_per_call(call);
    holds &= report(name, us, 2, "us");
  };
  cost("add of two tensors of 4", [&] { return a + b; });
  cost("exp of a tensor of 4", [&] { return exp(a); });
  cost("product with a number", [&] { return a * 2.0; });
  cost("sum of 4 x 4 along rows", [&] { return sum(m, {1}); });
  return holds ? 0 : 1;
}
