// Kernels that several probes of a CPU use: each of t tasks goes r times over n elements of its own,
// so that caches keep what they can and the launch is not what is measured.
#pragma once

#include <string_view>

namespace ridge::calibrate {

inline constexpr std::string_view kCopyKernel = R"(
kernel probe_copy(x: f32[n * t] in, out: f32[n * t] out; n, r, t) grain 1 {
  for i0 in t @thread {
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
  for i0 in t @thread {
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
