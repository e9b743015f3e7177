#include "read_speed.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>

#include "ridge/calibrate/cpu_shape.h"
#include "ridge/ridge.h"

namespace ridge::command {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;
constexpr int64_t kLeastBytes = 64 * kMiB, kMostBytes = 256 * kMiB;
constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

int64_t cache_bytes(Device device) {
#if RIDGE_HAS_LLVM  // without it nothing is calibrated
  if (device.kind != DeviceKind::cpu) return kMostBytes;
  try {
    return static_cast<int64_t>(calibrate::this_cpu_shape().l3);
  } catch (const Error&) {
    return kMostBytes;  // not known
  }
#else
  static_cast<void>(device);
  return kMostBytes;
#endif
}

int64_t number_in(const char* path, int64_t otherwise) {
  int64_t number = 0;
  return std::ifstream(path) >> number ? number : otherwise;
}

// Of this machine, or of what it gives to this container.
int64_t free_bytes() {
  int64_t bytes = kUnlimited;
  std::ifstream lines("/proc/meminfo");
  for (std::string key; lines >> key;) {
    int64_t kilobytes = 0;
    if (key == "MemAvailable:" && lines >> kilobytes) bytes = 1024 * kilobytes;
  }
  const int64_t limit = number_in("/sys/fs/cgroup/memory.max", kUnlimited);
  return std::min(bytes, limit - number_in("/sys/fs/cgroup/memory.current", 0));
}

// 0 if less is free than the measurement and others need.
int64_t measured_bytes(Device device) {
  const int64_t cache = std::min(cache_bytes(device), kMostBytes);
  const int64_t wanted = std::clamp(4 * cache, kLeastBytes, kMostBytes);
  const int64_t bytes =
      device.kind == DeviceKind::cpu ? std::min(wanted, free_bytes() / 4) : wanted;
  return bytes < std::max(kLeastBytes, wanted / 2) ? 0 : bytes;
}

}  // namespace

double read_speed(Device device) try {
  constexpr int64_t kColumns = 32768;
  constexpr int kRuns = 20;
  const int64_t rows = measured_bytes(device) / (4 * kColumns);
  if (rows == 0) return 0;
  const Tensor x = full({rows, kColumns}, 1.0, f32, device);
  auto sums = compile([](const Tensor& t) { return sum(t, {1}); }, {.name = "read_speed"});
  double best = 0;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    to_device(sums(x), kCpu);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::max(best, static_cast<double>(4 * rows * kColumns) / taken.count());
  }
  return best;
} catch (const Error& error) {
  if (error.code() == ErrorCode::memory) return 0;
  throw;
}

}  // namespace ridge::command
