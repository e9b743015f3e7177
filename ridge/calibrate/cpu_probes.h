// The probes of a CPU.
#pragma once

#include <string_view>

#include "ridge/calibrate/cpu_shape.h"
#include "ridge/calibrate/probe.h"

namespace ridge::calibrate {

// Bandwidth of each level, read, written and copied; elements one by one.
void add_memory_probes(std::vector<Probe>& probes, const CpuShape& shape);
// FMA and plain arithmetic, products, and functions.
void add_arithmetic_probes(std::vector<Probe>& probes, const CpuShape& shape);
// What is left of a shared cache, and the reach of the TLB.
void add_capacity_probes(std::vector<Probe>& probes, const CpuShape& shape);
// The shape with sizes of caches that were measured, where the system's word is not borne out.
CpuShape checked_shape(const CpuShape& said);
// A launch, a task, a loop.
void add_overhead_probes(std::vector<Probe>& probes, const CpuShape& shape);

// Kernels that several probes of a CPU use: each of t tasks goes r times over n elements of its own,
// so that caches keep what they can and the launch is not what is measured.

inline constexpr std::string_view kCopyKernel = R"(
kernel probe_copy(x: f32[n * t] in, out: f32[n * t] out; n, r, t) grain 1 {
  for i0 in t @cpu_thread {
    for i1 in r {
      for i2 in n @vector {
        let v0: f32 = x[n * i0 + i2]
        out[n * i0 + i2] = v0
      }
    }
  }
}
)";
// Elements one by one, at the places `at`.
inline constexpr std::string_view kGatherKernel = R"(
kernel probe_gather(at: i64[n * t] in, x: f32[m] in, out: f32[t] out; n, r, t, m) grain 1 {
  for i0 in t @cpu_thread {
    var v0: f32 = 0.0
    for i1 in r {
      for i2 in n @vector {
        let v1: i64 = at[n * i0 + i2]
        let v2: f32 = x[v1]
        v0 sum= v2
      }
    }
    out[i0] = v0
  }
}
)";

}  // namespace ridge::calibrate
