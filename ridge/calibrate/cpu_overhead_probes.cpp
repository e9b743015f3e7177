#include <algorithm>

#include "ridge/calibrate/cpu_probes.h"
#include "ridge/calibrate/footprint.h"
#include "ridge/calibrate/probe_kernel.h"

namespace ridge::calibrate {
namespace {

constexpr std::string_view kTasks = R"(
kernel probe_tasks(x: f32[t] in, out: f32[t] out; t) grain 1 {
  for i0 in t @cpu_thread {
    let v0: f32 = x[i0]
    out[i0] = v0
  }
}
)";
constexpr std::string_view kRows = R"(
kernel probe_rows(x: f32[n * m] in, out: f32[n] out; n, m) grain 1 {
  for i0 in n {
    var v0: f32 = 0.0
    for i1 in m @vector {
      let v1: f32 = x[m * i0 + i1]
      v0 sum= v1
    }
    out[i0] = v0
  }
}
)";
// Some microseconds for each task.
constexpr std::string_view kWork = R"(
kernel probe_work(x: f32[n] in, out: f32[n * t] out; n, t) grain 1 {
  for i0 in t @cpu_thread {
    for i1 in n @vector {
      let v0: f32 = exp(x[i1])
      out[n * i0 + i1] = v0
    }
  }
}
)";
// Down the columns of 256 rows: each addition waits for the one before.
constexpr std::string_view kColumns = R"(
kernel probe_columns(x: f32[8192] in, out: f32[32] out) grain 1 {
  for i0 in 32 @vector {
    var v0: f32 = 0.0
    for i1 in 256 {
      let v1: f32 = x[32 * i1 + i0]
      v0 sum= v1
    }
    out[i0] = v0
  }
}
)";
constexpr std::string_view kCopiedRows = R"(
kernel probe_copied_rows(x: f32[n * m] in, out: f32[n * m] out; n, m) grain 1 {
  for i0 in n {
    for i1 in m @vector {
      let v0: f32 = x[m * i0 + i1]
      out[m * i0 + i1] = v0
    }
  }
}
)";
constexpr double kLeniency = 4;

struct Bench {
  explicit Bench(const CpuShape& shape)
      : out(ProbeMemory::of_random(static_cast<size_t>(overhead_floats(shape)))) {}

  double time_each(const ProbeKernel& kernel, const std::vector<int64_t>& sizes, int count) const {
    return kernel.time_each({x.data(), out.data()}, sizes, count);
  }

  ProbeKernel tasks{kTasks}, work{kWork}, rows{kRows}, copied_rows{kCopiedRows}, columns{kColumns};
  ProbeMemory x = ProbeMemory::of_random(1 << 16), out;
};

}  // namespace

void add_overhead_probes(std::vector<Probe>& probes, const CpuShape& shape) {
  const auto bench = std::make_shared<Bench>(shape);
  probes.push_back(
      {"launch", cost::Unit::seconds, [=] { return bench->time_each(bench->tasks, {1}, 20000); }});
  if (shape.threads > 1) {
    // The same work for each thread: what it takes longer than on one.
    probes.push_back({"task", cost::Unit::seconds,
                      [=] {
                        const double all =
                            bench->time_each(bench->work, {kWorkElements, shape.threads}, 200);
                        const double one = bench->time_each(bench->work, {kWorkElements, 1}, 200);
                        return std::max(all - one, 1e-9);
                      },
                      kLeniency});
  }
  // One vector of elements in each row: what is left is entering and leaving, and adding up lanes.
  const auto each_row = [=](const ProbeKernel& kernel) {
    return bench->time_each(kernel, {kLoopRows, shape.lanes}, 500) / kLoopRows;
  };
  probes.push_back({"vector.latency", cost::Unit::seconds,
                    [=] { return bench->time_each(bench->columns, {}, 500) / kLoopRows; }});
  probes.push_back({"loop", cost::Unit::seconds, [=] { return each_row(bench->copied_rows); }});
  probes.push_back({"combine", cost::Unit::seconds,
                    [=] { return each_row(bench->rows) - each_row(bench->copied_rows); },
                    kLeniency});
}

}  // namespace ridge::calibrate
