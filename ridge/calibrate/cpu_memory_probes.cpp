#include "ridge/base/text.h"
#include "ridge/calibrate/cpu_probes.h"
#include "ridge/calibrate/footprint.h"
#include "ridge/calibrate/probe_kernel.h"

namespace ridge::calibrate {
namespace {

// Each of t tasks goes r times over n elements of its own, so that caches keep what they can and
// the launch is not what is measured.
constexpr std::string_view kRead = R"(
kernel probe_read(x: f32[n * t] in, out: f32[t] out; n, r, t) grain 1 {
  for i0 in t @cpu_thread {
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
  for i0 in t @cpu_thread {
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
  for i0 in t @cpu_thread {
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
struct MemoryBench {
  explicit MemoryBench(int64_t floats)
      : x(ProbeMemory::of_random(static_cast<size_t>(floats))),
        y(ProbeMemory::of_random(static_cast<size_t>(floats))) {}

  ProbeKernel read{kRead}, read_four{kReadFour}, write{kWrite}, copy{kCopyKernel},
      gather{kGatherKernel};
  ProbeMemory x, y;
};
using MemoryBenchRef = std::shared_ptr<const MemoryBench>;

void add_streams(std::vector<Probe>& probes, const MemoryBenchRef& bench, const Footprint& f,
                 std::string_view ending) {
  const double bytes = static_cast<double>(4 * f.all_floats() * f.repeats);
  const auto add = [&](const char* what, ProbeKernel MemoryBench::* kernel, int64_t count) {
    probes.push_back({concat(f.level, ".", what, ending), cost::Unit::bytes_per_second, [=] {
                        const std::vector<void*> buffers{bench->x.data(), bench->y.data()};
                        return bytes /
                               ((*bench).*kernel).time(buffers, {count, f.repeats, f.tasks});
                      }});
  };
  const bool is_dram = f.level == "dram";
  add(is_dram ? "stream" : "read", &MemoryBench::read, f.floats);
  if (is_dram) add("read", &MemoryBench::read_four, f.floats / 4);
  add("write", &MemoryBench::write, f.floats);
  add("copy", &MemoryBench::copy, f.floats / 2);  // half is read, half written
}

void add_gather(std::vector<Probe>& probes, const MemoryBenchRef& bench, const Footprint& f,
                std::string_view ending) {
  const ProbeMemory at =
      ProbeMemory::of_lines(static_cast<size_t>(f.tasks), static_cast<size_t>(f.lines),
                            static_cast<size_t>(f.floats / f.lines));
  const double count = static_cast<double>(f.lines * f.gather_repeats * f.tasks);
  probes.push_back({concat("gather.", f.level, ending), cost::Unit::ops_per_second, [=] {
                      return count / bench->gather.time(
                                         {at.data(), bench->x.data(), bench->y.data()},
                                         {f.lines, f.gather_repeats, f.tasks, f.all_floats()});
                    }});
}

}  // namespace

void add_memory_probes(std::vector<Probe>& probes, const CpuShape& shape) {
  const std::vector<Footprint> footprints = memory_footprints(shape);
  const auto bench = std::make_shared<const MemoryBench>(floats_for(footprints));
  for (const Footprint& one : footprints) {
    const std::string_view ending = one.tasks == shape.threads ? "" : ".one";
    add_streams(probes, bench, one, ending);
    add_gather(probes, bench, one, ending);
  }
}

}  // namespace ridge::calibrate
