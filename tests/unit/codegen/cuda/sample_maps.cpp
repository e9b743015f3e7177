// Samples that make each element from those at the same place: how wide, how long, with what between.
#include "tests/unit/codegen/cuda/sample_kernels.h"

namespace ridge::codegen {
namespace {

constexpr Sample kMapSamples[] = {
    {"plain_map", {1000, 0}, R"(# y = x * 2 + 1
# x f32[n]
kernel plain_map(x: f32[n] in, out: f32[n] out; n) {
  for i0 in (n + 63) // 64 @gpu_block {
    for i1 in 64 @gpu_thread {
      if i0 * 64 + i1 < n {
        let v0: f32 = x[i0 * 64 + i1] * 2.0 + 1.0  # scaled
        out[i0 * 64 + i1] = v0
      }
    }
  }
}
)"},
    {"wide_map", {0, 0}, R"(kernel wide_map(x: f32[1024] in, y: f32[1024] in, out: f32[1024] out) {
  for i0 in 4 @gpu_block {
    for i1 in 64 @gpu_thread {
      for i2 in 4 @vector {
        let v0: f32 = x[256 * i0 + 4 * i1 + i2] * y[256 * i0 + 4 * i1 + i2]
        let v1: f32 = max(v0, 0.25) - min(v0, y[i2])
        out[256 * i0 + 4 * i1 + i2] = v1
      }
    }
  }
}
)"},
    {"wide_bf16",
     {2048, 0},
     R"(kernel wide_bf16(x: bf16[n] in, bias: f32[64] in, out: bf16[n] out; n) {
  for i0 in n // 512 @gpu_block {
    for i1 in 64 @gpu_thread {
      for i2 in 8 @vector {
        let v0: f32 = x[512 * i0 + 8 * i1 + i2] + bias[(512 * i0 + 8 * i1 + i2) % 64]
        out[512 * i0 + 8 * i1 + i2] = v0
      }
    }
  }
}
)"},
    {"stream_f16",
     {0, 0},
     R"(kernel stream_f16(x: f16[1024] in, out: f16[1024] out, sums: f32[128] out) {
  for i0 in 2 @gpu_block {
    for i1 in 64 @gpu_thread {
      var v0: f32 = 0.0
      for i2 in 8 @vector {
        let v1: f32 = x[512 * i0 + 8 * i1 + i2] * 3.0 as f16
        out[512 * i0 + 8 * i1 + i2] = v1
        v0 sum= v1
      }
      sums[64 * i0 + i1] = v0
    }
  }
}
)",
     true,
     true},
    {"momentum",
     {0, 0},
     R"(kernel momentum(p: f32[1024] in_out, m: f32[1024] in_out, g: bf16[1024] in, rate: f32[1] in) {
  for i0 in 4 @gpu_block {
    for i1 in 64 @gpu_thread {
      let v4: f32 = rate[0]
      for i2 in 4 @vector {
        let v0: f32 = g[256 * i0 + 4 * i1 + i2]
        let v1: f32 = m[256 * i0 + 4 * i1 + i2] * 0.9 + v0 * 0.1
        m[256 * i0 + 4 * i1 + i2] = v1
        let v2: f32 = p[256 * i0 + 4 * i1 + i2] - v4 * v1
        p[256 * i0 + 4 * i1 + i2] = v2
      }
    }
  }
}
)"},
    {"long_sizes",
     {5, 77},
     R"(kernel long_sizes(x: f32[n * m] in, out: f32[n * m] out; n, m) {
  for i0 in n @gpu_block {
    for i1 in 32 @gpu_thread {
      for i2 in (m + 31) // 32 {
        if 32 * i2 + i1 < m {
          let v0: f32 = x[(m * i0 + 32 * i2 + i1) // m * m + (m * i0 + 32 * i2 + i1) % m]
          let v1: i64 = 3 * i0 + i2
          let v2: f32 = v0 + real(v1)
          out[m * i0 + 32 * i2 + i1] = v2
        }
      }
    }
  }
}
)",
     false},
    {"uniform_parts",
     {0, 0},
     R"(kernel uniform_parts(x: f32[8 * 128] in, k: i64[8] in, out: f32[8 * 128] out) {
  for i0 in 8 @gpu_block {
    for i1 in 32 @gpu_thread {
      for i2 in 4 @vector {
        let v0: i64 = checked_index(k[i0], 8)
        let v1: f32 = x[128 * v0 + 4 * i1 + i2]
        var v2: f32 = v1
        if v0 < 4 {
          let v3: f32 = x[128 * i0 + 4 * i1 + i2]
          v2 = v2 + v3
        }
        if v1 < 0.0 {
          v2 = v2 * 2.0
        }
        out[128 * i0 + 4 * i1 + i2] = v2
      }
    }
  }
}
)"},
};

}  // namespace

std::span<const Sample> map_samples() { return kMapSamples; }

}  // namespace ridge::codegen
