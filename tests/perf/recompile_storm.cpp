// 300 batch sizes and lengths through one transformer block: how many programs, and how fast they are.
//
//   recompile_storm [--device cuda] [--width 256] [--rounds 15]
//
// At most 3 programs. 24 of the sizes are run by the program for all of them and by one made for just
// that size, in turns; the median of the ratios of their times is at most 1.10, on a GPU 1.15.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "ridge/base/random.h"
#include "ridge/core/device_copy.h"
#include "ridge/core/device_runtime.h"
#include "ridge/ridge.h"

namespace {

using ridge::Tensor;

constexpr size_t kCalls = 300, kMostPrograms = 3, kCompared = 24;

struct Flags {
  bool is_gpu = false;
  int64_t width = 256;
  int rounds = 15;
};

Flags parse(int argc, char** argv) {
  Flags flags;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--device") == 0) flags.is_gpu = std::strcmp(argv[i + 1], "cuda") == 0;
    if (std::strcmp(argv[i], "--width") == 0) flags.width = std::atoll(argv[i + 1]);
    if (std::strcmp(argv[i], "--rounds") == 0) flags.rounds = std::atoi(argv[i + 1]);
  }
  return flags;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// One after the other, and all of them done.
double seconds_of(const auto& call, ridge::Device device, int count) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) call();
  if (device != ridge::kCpu) {
    ridge::DeviceRuntime& runtime = ridge::device_runtime(device.kind);
    runtime.synchronize(runtime.current_stream(device));
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / count;
}

struct Pair {
  double symbolic, fixed;
};

// In turns, so that what slows the machine down slows both.
Pair compare(const auto& symbolic, const auto& fixed, ridge::Device device, int rounds) {
  const double once = seconds_of(fixed, device, 5);
  const int count = std::clamp(static_cast<int>(2e-3 / once), 3, 200);
  std::vector<double> a, b;
  for (int round = 0; round < rounds; ++round) {
    a.push_back(seconds_of(symbolic, device, count));
    b.push_back(seconds_of(fixed, device, count));
  }
  return {median(a), median(b)};
}

}  // namespace

int main(int argc, char** argv) {
  const Flags flags = parse(argc, argv);
  const ridge::Device device =
      flags.is_gpu ? ridge::Device{ridge::DeviceKind::cuda, 0} : ridge::kCpu;
  const ridge::DType dtype = flags.is_gpu ? ridge::bf16 : ridge::f32;
  ridge::Generator generator(7);
  ridge::nn::TransformerBlock block = ridge::nn::on_device(
      ridge::nn::TransformerBlock(flags.width, flags.width / 64, generator, 0, true, dtype),
      device);
  const auto run = [](ridge::nn::TransformerBlock& b, const Tensor& x) { return b(x); };
  const auto program = ridge::compile(run, {.name = "block", .argument_names = {"block", "x"}});
  ridge::SplitMix64 random(3);
  const int64_t longest = flags.is_gpu ? 512 : 128, largest = flags.is_gpu ? 32 : 8;
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < kCalls; ++i) {
    const int64_t batch = random.integer(1, largest), length = random.integer(2, longest);
    const Tensor x = ridge::normal({batch, length, flags.width}, generator, 0, 1, dtype);
    inputs.push_back(to_device(x, device));
    program(block, inputs.back());
  }
  const size_t programs = program.programs().size();
  std::printf("%zu calls of as many sizes: %zu programs, at most %zu\n", kCalls, programs,
              kMostPrograms);
  std::vector<double> ratios;
  for (size_t i = 0; i < kCompared; ++i) {
    const Tensor& x = inputs[i * kCalls / kCompared + 1];
    const auto fixed = ridge::compile(run, {.name = "fixed", .dynamic = ridge::Dynamic::never});
    for (int warm = 0; warm < 5; ++warm) fixed(block, x);
    const Pair times =
        compare([&] { program(block, x); }, [&] { fixed(block, x); }, device, flags.rounds);
    ratios.push_back(times.symbolic / times.fixed);
    std::printf("  [%3lld, %3lld] %9.1f us, of its own program %9.1f us, ratio %.3f\n",
                static_cast<long long>(x.size(0).value()),
                static_cast<long long>(x.size(1).value()), 1e6 * times.symbolic, 1e6 * times.fixed,
                ratios.back());
  }
  const double bound = flags.is_gpu ? 1.15 : 1.10, middle = median(ratios);
  std::printf("median ratio of %zu sizes %.3f, at most %.2f\n", kCompared, middle, bound);
  return programs <= kMostPrograms && middle <= bound ? 0 : 1;
}
