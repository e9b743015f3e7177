#include "read_speed.h"

#include <algorithm>
#include <chrono>

#include "ridge/ridge.h"

namespace ridge::command {

double read_speed(Device device) {
  constexpr int64_t kRows = 4096, kColumns = 32768;  // 512 MiB of f32
  constexpr int kRuns = 5;
  const Tensor x = full({kRows, kColumns}, 1.0, f32, device);
  auto sums = compile([](const Tensor& t) { return sum(t, {1}); }, {.name = "read_speed"});
  double best = 0;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    to_device(sums(x), kCpu);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::max(best, 4.0 * kRows * kColumns / taken.count());
  }
  return best;
}

}  // namespace ridge::command
