#include "tests/gpu/tile_kernel_checks.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "tests/gpu/golden_set.h"
#include "tests/gpu/tile_kernel.h"
#include "tools/ridge/child_process.h"

namespace ridge::golden {
namespace {

using runtime::cuda::cuda_runtime;

// Pitches of operands are multiples of 16 bytes; all else is ragged. The first are of one tile and one slot, then of
// several slots, then of several tiles.
constexpr ProductSizes kSizes[] = {{8, 8, 8},       {16, 16, 16},    {64, 64, 64},
                                   {64, 64, 256},   {128, 128, 64},  {136, 264, 72},
                                   {520, 392, 200}, {264, 1160, 24}, {8, 8, 1048}};
constexpr ProductSizes kOddSizes[] = {{1, 1, 8}, {131, 261, 72}};
constexpr ProductSizes kRepeated{1000, 1160, 712};
constexpr int kRuns = 10;

constexpr int kWrong = 1, kSkipped = 77;
// Without a word: compiling takes some of them.
constexpr double kSecondsOfSilence = 30;

void say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

void say_before(const TileKernel& kernel, const ProductSizes& sizes, const char* what) {
  say(concat(kernel.name(), " of ", sizes.to_text(), ", ", what));
}

// Empty if all elements are right.
std::string wrong_of(const TileKernel& kernel, const ProductSizes& s, bool is_exact) {
  const runtime::cuda::OwnStream owner;
  SplitMix64 random(static_cast<uint64_t>(s.m + s.n + s.k));
  // Sums of integers up to 256 are exact in 16 bits.
  TileOperands operands(kernel, s, owner.stream, [&] {
    return is_exact ? static_cast<double>(random.integer(-1, 1)) : random.uniform(-1, 1);
  });
  kernel.launch(s, operands.buffers(kernel), owner.stream);
  operands.out.fetch(owner.stream);
  std::vector<TileOperands::Expected> expected;
  for (int64_t i = 0; i < s.m * s.n; ++i) {
    expected.push_back(operands.expected(kernel, s, i / s.n, i % s.n));
  }
  const auto at = [&](int64_t row, int64_t column) -> const TileOperands::Expected& {
    return expected[static_cast<size_t>(row * s.n + column)];
  };
  const auto given = [&](int64_t row, int64_t column) { return operands.out[row * s.n + column]; };
  const bool has_room = !is_exact || kernel.has_gelu();
  return describe_wrong({.rows = s.m,
                         .columns = s.n,
                         .expected = [&](int64_t i, int64_t j) { return at(i, j).value; },
                         .given = given,
                         .is_right =
                             [&](int64_t i, int64_t j) {
                               const double room = has_room ? tolerance(kernel, at(i, j)) : 0;
                               return std::abs(given(i, j) - at(i, j).value) <= room;
                             }},
                        kernel.geometry());
}

// The same bits in ten runs, each over what the one before left in shared memory.
std::string difference_of_runs(const TileKernel& kernel) {
  const runtime::cuda::OwnStream owner;
  SplitMix64 random(3);
  const ProductSizes& s = kRepeated;
  TileOperands operands(kernel, s, owner.stream, [&] { return random.uniform(-1, 1); });
  std::vector<double> first;
  for (int run = 0; run < kRuns; ++run) {
    kernel.launch(s, operands.buffers(kernel), owner.stream);
    operands.out.fetch(owner.stream);
    if (run == 0) first = operands.out.values();
    const auto at = [&](int64_t row, int64_t column) {
      return first[static_cast<size_t>(row * s.n + column)];
    };
    const auto given = [&](int64_t row, int64_t column) {
      return operands.out[row * s.n + column];
    };
    const std::string wrong = describe_wrong(
        {s.m, s.n, at, given, [&](int64_t i, int64_t j) { return at(i, j) == given(i, j); }},
        kernel.geometry());
    if (!wrong.empty()) return concat("run ", run, " differs from run 0: ", wrong);
  }
  return {};
}

std::string check_all(const TileKernel& kernel) {
  std::vector<ProductSizes> exact(std::begin(kSizes), std::end(kSizes));
  if (kernel.is_odd()) exact.insert(exact.end(), std::begin(kOddSizes), std::end(kOddSizes));
  for (const bool is_exact : {true, false}) {
    for (const ProductSizes& sizes : exact) {
      say_before(kernel, sizes, is_exact ? "integers" : "random numbers");
      std::string wrong = wrong_of(kernel, sizes, is_exact);
      if (!wrong.empty()) return wrong;
    }
  }
  say_before(kernel, kRepeated, "ten runs");
  return difference_of_runs(kernel);
}

std::string why_not() {
  using namespace runtime::cuda;
  if (!register_cuda_runtime()) return cuda_availability().reason;
  if (!nvrtc_availability().is_available) return nvrtc_availability().reason;
  return arch_name(device_properties(0)) == "sm_90a" ? "" : "kernels are for sm_90a";
}

// This program again, for one kernel.
int run_program(const std::string& kernel, const std::string& golden_folder, int out) {
  dup2(out, STDOUT_FILENO);
  const std::string folder = "--golden=" + golden_folder, what = "--tile-kernel=" + kernel;
  execl("/proc/self/exe", "ridge_gpu_tests", folder.c_str(), what.c_str(), nullptr);
  std::perror("execl");
  return kWrong;
}

void run_apart(const std::string& kernel, const std::string& golden_folder) {
  std::vector<std::string> lines;
  const command::ChildEnd end = command::run_child(
      [&](int out) { return run_program(kernel, golden_folder, out); }, kSecondsOfSilence,
      [&](const std::string& line) { lines.push_back(line); });
  if (end.is_success()) return;
  const bool is_skipped = end.kind == command::ChildEnd::Kind::exited && end.code == kSkipped;
  if (is_skipped) GTEST_SKIP() << join(lines, "\n");
  ADD_FAILURE() << kernel << " " << end.to_text() << "; the last lines say where:\n"
                << join(lines, "\n");
}

}  // namespace

std::vector<std::string> tile_kernels() {
  std::vector<std::string> names = codegen::mapped_samples();
  const auto is_plain = [](const std::string& name) {
    return name == "ping_pong_128x128" || name.starts_with("cooperative");
  };
  const auto has_epilogue = [](const std::string& name) { return name.starts_with("bias"); };
  std::ranges::stable_sort(names, {}, [&](const std::string& name) {
    return is_plain(name) ? 0 : has_epilogue(name) ? 2 : 1;
  });
  return names;
}

int check_tile_kernel(const std::string& name) {
  const std::string reason = why_not();
  if (!reason.empty()) {
    say(reason);
    return kSkipped;
  }
  say(concat("compiling ", name));
  const TileKernel kernel(name);
  const std::string wrong = check_all(kernel);
  if (!wrong.empty()) say(wrong);
  return wrong.empty() ? 0 : kWrong;
}

void add_tile_kernel_tests(const std::string& golden_folder) {
  for (const std::string& name : tile_kernels()) {
    add_test("TileKernelsDeathTest", name, [=] { run_apart(name, golden_folder); });
  }
}

}  // namespace ridge::golden
