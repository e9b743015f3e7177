// 300 batch sizes and lengths through one transformer block: how many programs, and how fast they are.
//
//   recompile_storm [--device cuda] [--width 256] [--rounds 15] [--kernels 3]
//
// With --kernels so many of the sizes, evenly taken, are also run kernel by kernel: what each of both
// programs takes for its own, and the time of the host in a call.
//
// At most 3 programs. 24 of the sizes are run by the program for all of them and by one made for just
// that size, in turns; the median of the ratios of their times is at most 1.10, on a GPU 1.15. How far it
// is goes to stderr.
//
// All random numbers are drawn where they are used, and once: a build without LLVM takes microseconds for
// each on the CPU, and a GPU compiles a kernel for each shape that is drawn. Inputs are parts of one array.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/base/random.h"
#include "ridge/core/device_copy.h"
#include "ridge/core/device_runtime.h"
#include "ridge/driver/compiled_report.h"
#include "ridge/driver/entry.h"
#include "ridge/ridge.h"

namespace {

using ridge::Tensor;

constexpr size_t kCalls = 300, kMostPrograms = 3, kCompared = 24;

struct Flags {
  bool is_gpu = false;
  int64_t width = 256;
  int rounds = 15;
  size_t kernels = 0;  // sizes to show the kernels of
};

[[noreturn]] void show_usage(bool is_wanted) {
  std::fputs(
      "usage: ridge_recompile_storm [--device cpu|cuda] [--width 256] [--rounds 15] [--kernels "
      "0]\n",
      is_wanted ? stdout : stderr);
  std::exit(is_wanted ? 0 : 2);
}

int64_t positive(const char* word) {
  char* end = nullptr;
  const int64_t number = std::strtoll(word, &end, 10);
  if (end == word || *end != '\0' || number < 1) show_usage(false);
  return number;
}

Flags parse(int argc, char** argv) {
  Flags flags;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view flag = argv[i];
    if (flag == "--help" || flag == "-h") show_usage(true);
    if (i + 1 == argc) show_usage(false);
    const std::string_view word = argv[i + 1];
    if (flag == "--device" && (word == "cuda" || word == "cpu")) {
      flags.is_gpu = word == "cuda";
    } else if (flag == "--width") {
      flags.width = positive(argv[i + 1]);
    } else if (flag == "--rounds") {
      flags.rounds = static_cast<int>(positive(argv[i + 1]));
    } else if (flag == "--kernels") {
      flags.kernels = std::min(static_cast<size_t>(positive(argv[i + 1])), kCompared);
    } else {
      show_usage(false);
    }
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

// Of a call that nobody waits for. Few calls, so that no queue is full.
double host_seconds_of(const auto& call, ridge::Device device) {
  constexpr int kFew = 20;
  seconds_of(call, device, kFew);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kFew; ++i) call();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / kFew;
  seconds_of(call, device, 1);
  return seconds;
}

// Each kernel of the program that serves the call, in the order they run: the mean of some launches.
void show_kernels(const char* title, const auto& compiled, const auto& call, ridge::Device device) {
  constexpr int kLaunches = 30;
  const double host = host_seconds_of(call, device);
  std::printf("    %s, %.1f us of the host\n", title, 1e6 * host);
  const auto& program = *compiled.programs().back()->compiled->program();
  const std::vector<double> before = program.total_us();
  compiled.programs().back()->compiled->set_timing(true);
  for (int i = 0; i < kLaunches; ++i) call();
  compiled.programs().back()->compiled->set_timing(false);
  const std::vector<double> after = program.total_us();
  const auto rows = ridge::driver::rows_of(*compiled.programs().back()->compiled);
  for (size_t i = 0; i < rows.size(); ++i) {
    std::printf("    %9.1f us %s\n", (after[i] - before[i]) / kLaunches, rows[i].name.c_str());
  }
}

// Seconds since the last one, for who waits.
class Progress {
 public:
  void say(const char* what) {
    const auto now = std::chrono::steady_clock::now();
    std::fprintf(stderr, "%7.2f s %s\n", std::chrono::duration<double>(now - last_).count(), what);
    last_ = now;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

Tensor run_block(ridge::nn::TransformerBlock& block, const Tensor& x) { return block(x); }

class Storm {
 public:
  explicit Storm(const Flags& flags)
      : flags_(flags),
        device_(flags.is_gpu ? ridge::Device{ridge::DeviceKind::cuda, 0} : ridge::kCpu),
        generator_(7, 0, device_),
        block_(ridge::nn::on_device(ridge::nn::TransformerBlock(flags.width, flags.width / 64,
                                                                generator_, 0, true, dtype()),
                                    device_)) {
    progress_.say("weights drawn");
  }

  size_t call_with_all_sizes() {
    const int64_t longest = flags_.is_gpu ? 512 : 128, largest = flags_.is_gpu ? 32 : 8;
    const Tensor numbers =
        ridge::normal({largest * longest * flags_.width}, generator_, 0, 1, dtype());
    ridge::SplitMix64 random(3);
    for (size_t i = 0; i < kCalls; ++i) {
      const int64_t batch = random.integer(1, largest), length = random.integer(2, longest);
      const Tensor part = slice(numbers, 0, 0, batch * length * flags_.width);
      inputs_.push_back(reshape(part, {batch, length, flags_.width}));
      program_(block_, inputs_.back());
      if (i < 4 || (i + 1) % 100 == 0) {
        progress_.say(("calls made: " + std::to_string(i + 1)).c_str());
      }
    }
    return program_.programs().size();
  }

  double compare_one(size_t number) {
    const Tensor& x = inputs_[number * kCalls / kCompared + 1];
    const auto fixed =
        ridge::compile(run_block, {.name = "fixed", .dynamic = ridge::Dynamic::never});
    for (int warm = 0; warm < 5; ++warm) fixed(block_, x);
    progress_.say("a program for one size");
    const Pair times =
        compare([&] { program_(block_, x); }, [&] { fixed(block_, x); }, device_, flags_.rounds);
    const double ratio = times.symbolic / times.fixed;
    std::printf("  [%3lld, %3lld] %9.1f us, of its own program %9.1f us, ratio %.3f\n",
                static_cast<long long>(x.size(0).value()),
                static_cast<long long>(x.size(1).value()), 1e6 * times.symbolic, 1e6 * times.fixed,
                ratio);
    if (number % (kCompared / std::max<size_t>(flags_.kernels, 1)) == 0 && flags_.kernels > 0) {
      show_kernels("for all sizes", program_, [&] { program_(block_, x); }, device_);
      show_kernels("for this one", fixed, [&] { fixed(block_, x); }, device_);
    }
    std::fflush(stdout);
    return ratio;
  }

 private:
  ridge::DType dtype() const { return flags_.is_gpu ? ridge::bf16 : ridge::f32; }

  Flags flags_;
  ridge::Device device_;
  Progress progress_;
  ridge::Generator generator_;
  ridge::nn::TransformerBlock block_;
  decltype(ridge::compile(run_block)) program_ =
      ridge::compile(run_block, {.name = "block", .argument_names = {"block", "x"}});
  std::vector<Tensor> inputs_;
};

int run(const Flags& flags) {
  Storm storm(flags);
  const size_t programs = storm.call_with_all_sizes();
  std::printf("%zu calls of as many sizes: %zu programs, at most %zu\n", kCalls, programs,
              kMostPrograms);
  std::vector<double> ratios;
  for (size_t i = 0; i < kCompared; ++i) ratios.push_back(storm.compare_one(i));
  const double bound = flags.is_gpu ? 1.15 : 1.10, middle = median(ratios);
  std::printf("median ratio of %zu sizes %.3f, at most %.2f\n", kCompared, middle, bound);
  return programs <= kMostPrograms && middle <= bound ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(parse(argc, argv));
  } catch (const ridge::Error& error) {
    std::fprintf(stderr, "ridge_recompile_storm: %s\n", error.what());
    return 2;
  }
}
