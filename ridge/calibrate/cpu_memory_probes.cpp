#include <algorithm>
#include <cmath>

#include "ridge/base/text.h"
#include "ridge/calibrate/cpu_kernels.h"
#include "ridge/calibrate/cpu_probes.h"
#include "ridge/calibrate/probe_kernel.h"

namespace ridge::calibrate {
namespace {

// Each of t tasks goes r times over n elements of its own, so that caches keep what they can and
// the launch is not what is measured.
constexpr std::string_view kRead = R"(
kernel probe_read(x: f32[n * t] in, out: f32[t] out; n, r, t) grain 1 {
  for i0 in t @thread {
    var v0: f32 = 0.0
    for i1 in r {
      for i2 in n @vector {
        let v1: f32 = x[n * i0 + i2]
        v0 sum= v1
      }
    }
    out[i0] = v0
  }
}
)";
constexpr std::string_view kWrite = R"(
kernel probe_write(x: f32[r] in, out: f32[n * t] out; n, r, t) grain 1 {
  for i0 in t @thread {
    for i1 in r {
      let v0: f32 = x[i1]
      for i2 in n @vector {
        out[n * i0 + i2] = v0
      }
    }
  }
}
)";
// Four places at once: more bytes under way than one stream of loads has.
constexpr std::string_view kReadFour = R"(
kernel probe_read_four(x: f32[4 * n * t] in, out: f32[t] out; n, r, t) grain 1 {
  for i0 in t @thread {
    var v0: f32 = 0.0
    for i1 in r {
      for i2 in n @vector {
        let v1: f32 = x[4 * n * i0 + i2] + x[4 * n * i0 + n + i2]
        let v2: f32 = x[4 * n * i0 + 2 * n + i2] + x[4 * n * i0 + 3 * n + i2]
        let v3: f32 = v1 + v2
        v0 sum= v3
      }
    }
    out[i0] = v0
  }
}
)";
// Long enough for the clock, short enough for many rounds.
constexpr double kSeconds = 4e-3;
constexpr double kGuessedBandwidth = 20e9;

struct Level {
  const char* name;
  double bytes;  // that one thread works on
};

int64_t repeats(double bytes) {
  return std::max<int64_t>(1, std::llround(kSeconds * kGuessedBandwidth / bytes));
}

std::string key_of(std::string_view level, std::string_view what, int tasks, int threads) {
  return concat(level, ".", what, tasks == threads ? "" : ".one");
}

struct Kernels {
  ProbeKernel read{kRead}, read_four{kReadFour}, write{kWrite}, copy{kCopyKernel},
      gather{kGatherKernel};
};

}  // namespace

void add_memory_probes(std::vector<Probe>& probes, const CpuShape& shape) {
  const auto kernels = std::make_shared<Kernels>();
  const Level levels[] = {{"l1", shape.l1 / 2},
                          {"l2", shape.l2 / 2},
                          {"l3", std::min(shape.l3 / 4, 6 * shape.l2)},
                          {"dram", 3 * shape.l3 / shape.threads}};
  const double most = levels[3].bytes * shape.threads;
  const auto floats = static_cast<size_t>(most / 4);
  const ProbeMemory x = ProbeMemory::of_random(floats), y = ProbeMemory::of_random(floats);
  for (const Level& level : levels) {
    const auto lines = static_cast<size_t>(level.bytes / shape.line);
    const ProbeMemory at = ProbeMemory::of_lines(lines, static_cast<size_t>(shape.line) / 4);
    for (const int tasks : {1, shape.threads}) {
      const double share = level.bytes * (tasks == 1 && level.name[0] == 'd' ? shape.threads : 1);
      const auto n = static_cast<int64_t>(share / 4);
      const int64_t r = repeats(share);
      const double bytes = static_cast<double>(4 * n * r * tasks);
      const auto add = [&](const char* what, ProbeKernel Kernels::* kernel, int64_t count,
                           double amount) {
        probes.push_back(
            {key_of(level.name, what, tasks, shape.threads), cost::Unit::bytes_per_second, [=] {
               return amount / ((*kernels).*kernel).time({x.data(), y.data()}, {count, r, tasks});
             }});
      };
      const bool is_dram = level.name[0] == 'd';
      add(is_dram ? "stream" : "read", &Kernels::read, n, bytes);
      if (is_dram) add("read", &Kernels::read_four, n / 4, bytes);
      add("write", &Kernels::write, n, bytes);
      add("copy", &Kernels::copy, n / 2, bytes);  // half is read, half written
      const auto lookups = static_cast<int64_t>(lines) / tasks;
      const int64_t again = std::max<int64_t>(1, 400000 / lookups);
      const double count = static_cast<double>(lookups * again * tasks);
      const auto m = static_cast<int64_t>(level.bytes / 4);
      probes.push_back({concat("gather.", level.name, tasks == shape.threads ? "" : ".one"),
                        cost::Unit::ops_per_second, [=] {
                          return count / kernels->gather.time({at.data(), x.data(), y.data()},
                                                              {lookups, again, tasks, m});
                        }});
      if (shape.threads == 1) break;
    }
  }
}

}  // namespace ridge::calibrate
