// What a compiled call on a GPU costs the host, without the launch itself.
//
//   a compiled call of one kernel on a tiny tensor    at most 1.5 us    (with the launch 4 us)
//   the same of a program that is one CUDA graph      at most 1.5 us
//
// Runs on the fake driver (tests/fake_gpu), whose launches do nothing, so it needs no GPU. The best of
// many runs stands for the cost, 0.6 and 0.8 us on a quiet machine, and a run that is too slow is
// repeated before it counts.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "ridge/core/device_copy.h"
#include "ridge/ridge.h"
#include "tests/fake_gpu/library/fake_gpu.h"

namespace {

using ridge::Tensor;

double microseconds_per_call(const auto& call, int rounds) {
  constexpr int kCalls = 2000;
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kCalls; ++i) call();
    const auto time = std::chrono::steady_clock::now() - start;
    best = std::min(best, std::chrono::duration<double, std::micro>(time).count() / kCalls);
  }
  return best;
}

bool report(const char* what, const auto& call, int rounds) {
  constexpr double kBound = 1.5;
  for (int i = 0; i < 3; ++i) call();
  double us = microseconds_per_call(call, rounds);
  for (int again = 0; again < 3 && us > kBound; ++again) us = microseconds_per_call(call, rounds);
  std::printf("%-44s %8.3f us, at most %.1f%s\n", what, us, kBound,
              us > kBound ? "   TOO SLOW" : "");
  return us <= kBound;
}

}  // namespace

// With an argument, that many rounds: one is enough for a profile.
int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 50;
  const ridge::Device gpu{ridge::DeviceKind::cuda, 0};
  const Tensor x = to_device(ridge::full({4}, 0.5), gpu),
               y = to_device(ridge::full({4}, 0.25), gpu);
  const auto add = ridge::compile([](const Tensor& a, const Tensor& b) { return a + b; });
  bool holds = report("a compiled call of one kernel", [&] { return add(x, y); }, rounds);
  const ridge::ScopedKnob unfused(ridge::Knob::disable, "fuse");
  const auto chain = ridge::compile([](const Tensor& a, const Tensor& b) {
    Tensor sum = a;
    for (int i = 0; i < 10; ++i) sum = sum + b;
    return sum;
  });
  fake_gpu::reset_counts();
  holds &= report("a compiled call of one CUDA graph", [&] { return chain(x, y); }, rounds);
  return holds && fake_gpu::counts().graphs == 1 ? 0 : 1;
}
