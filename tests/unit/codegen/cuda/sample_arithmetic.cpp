// Samples of what is computed: integers of all widths, booleans, doubles, functions, random bits.
#include "tests/unit/codegen/cuda/sample_kernels.h"

namespace ridge::codegen {
namespace {

constexpr Sample kArithmeticSamples[] = {
    {"integers",
     {96, 0},
     R"(kernel integers(a: i64[n] in, b: i32[n] in, c: u8[n] in, out: i64[4 * n] out, small: i8[n] out; n) {
  for i0 in n // 32 @gpu_block {
    for i1 in 32 @gpu_thread {
      let v0: i64 = a[32 * i0 + i1] * 6364136223846793005 + b[32 * i0 + i1]
      let v1: i64 = floor_div(a[32 * i0 + i1], b[32 * i0 + i1]) + mod(b[32 * i0 + i1], 7)
      let v2: i64 = mod(a[32 * i0 + i1], b[32 * i0 + i1]) - abs(b[32 * i0 + i1])
      let v3: i64 = max(c[32 * i0 + i1], 100) * sign(a[32 * i0 + i1]) + pow(c[32 * i0 + i1], 3)
      out[32 * i0 + i1] = v0
      out[n + 32 * i0 + i1] = v1
      out[2 * n + 32 * i0 + i1] = v2
      out[3 * n + 32 * i0 + i1] = v3
      small[32 * i0 + i1] = v0
    }
  }
}
)"},
    {"lane_integers", {0, 0}, R"(kernel lane_integers(x: i64[256] in, out: i64[256] out) {
  for i0 in 2 @gpu_block {
    for i1 in 32 @gpu_thread {
      for i2 in 4 @vector {
        let v0: i64 = (128 * i0 + 4 * i1 + i2) % 100
        var v1: i64 = 0
        for i3 in 3 {
          let v2: i64 = max(v0, x[128 * i0 + 4 * i1 + i2]) + i3
          v1 sum= v2
        }
        let v3: i64 = max(v0, i2) + v1 + integer(v0 < 50)
        out[128 * i0 + 4 * i1 + i2] = v3
      }
    }
  }
}
)"},
    {"booleans",
     {192, 0},
     R"(kernel booleans(x: f32[n] in, m: bool[n] in, out: bool[n] out, count: i64[n // 64] out; n) {
  for i0 in n // 64 @gpu_block {
    for i1 in 64 @gpu_thread {
      let v0: bool = x[64 * i0 + i1] < 0.5 && !m[64 * i0 + i1] || is_nan(x[64 * i0 + i1])
      var v1: bool = v0
      warp_reduce any v1
      var v2: i64 = integer(v0)
      block_reduce sum v2
      let v3: bool = v1 && m[64 * i0 + i1] || v0
      out[64 * i0 + i1] = v3
      if i1 == 0 {
        count[i0] = v2
      }
    }
  }
}
)"},
    {"doubles",
     {512, 0},
     R"(kernel doubles(x: f64[n] in, out: f64[n] out, narrow: bf16[n] out, sum: f64[1] out; n) {
  for i1 in 64 @gpu_thread {
    var v0: f64 = 0.0
    for i0 in n // 128 {
      for i2 in 2 @vector {
        let v1: f64 = exp(x[128 * i0 + 2 * i1 + i2]) / 3.0
        out[128 * i0 + 2 * i1 + i2] = v1
        narrow[128 * i0 + 2 * i1 + i2] = v1
        v0 sum= v1
      }
    }
    block_reduce sum v0
    if i1 == 0 {
      sum[0] = v0
    }
  }
}
)"},
    {"functions", {256, 0}, R"(kernel functions(x: f32[n] in, out: f32[8 * n] out; n) {
  for i0 in n // 64 @gpu_block {
    for i1 in 64 @gpu_thread {
      let v0: f32 = x[64 * i0 + i1]
      let v1: f32 = exp(v0) + log(abs(v0) + 1.0)
      let v2: f32 = sqrt(abs(v0)) + rsqrt(abs(v0) + 0.5)
      let v3: f32 = tanh(v0) + erf(v0)
      let v4: f32 = sin(v0)
      let v5: f32 = cos(cos(v0))
      let v6: f32 = floor(v0) + ceil(v0) * 3.0 + round(v0) * 7.0 + trunc(v0) * 11.0
      let v7: f32 = floor_div(v0, 0.75) + mod(v0, 0.75) + sign(v0)
      let v8: f32 = pow(abs(v0), 1.5) + select(v0 < 0.0, exp(v0) * v1, v1)
      out[8 * (64 * i0 + i1)] = v1
      out[8 * (64 * i0 + i1) + 1] = v2
      out[8 * (64 * i0 + i1) + 2] = v3
      out[8 * (64 * i0 + i1) + 3] = v4
      out[8 * (64 * i0 + i1) + 4] = v5
      out[8 * (64 * i0 + i1) + 5] = v6
      out[8 * (64 * i0 + i1) + 6] = v7
      out[8 * (64 * i0 + i1) + 7] = v8
    }
  }
}
)"},
    // Reals that integer types reach, and do not: each eighth thread has an infinity or NaN.
    {"conversions",
     {96, 0},
     R"(kernel conversions(x: f32[n] in, y: f64[n] in, a: i8[n] out, b: u8[n] out, c: i32[n] out, d: i64[n] out, e: u8[n] out, f: i32[n] out, g: i64[n] out, h: i64[n] out; n) {
  for i0 in n // 32 @gpu_block {
    for i1 in 32 @gpu_thread {
      let v0: f32 = x[32 * i0 + i1] * select(i1 % 4 == 1, 100.0, select(i1 % 4 == 2, 1.5e9, 1e25)) / select(i1 % 8 == 7, 0.0, 1.0)
      let v1: f64 = y[32 * i0 + i1] * select(i1 % 4 == 0, 100.0, select(i1 % 4 == 1, 1.5e9, 1e200)) / select(i1 % 8 == 5, 0.0, 1.0)
      let v2: f32 = select(i1 % 8 == 3, v0 / 0.0 - v0 / 0.0, v0)
      let v3: i64 = integer(v1) in f64
      a[32 * i0 + i1] = v2
      b[32 * i0 + i1] = v2
      c[32 * i0 + i1] = v2
      d[32 * i0 + i1] = v2
      e[32 * i0 + i1] = v1
      f[32 * i0 + i1] = v1
      g[32 * i0 + i1] = v1
      h[32 * i0 + i1] = v3
    }
  }
}
)"},
    {"random_mask",
     {1000, 0},
     R"(kernel random_mask(x: f32[n] in, state: i64[3] in, out: f32[n] out, mask: bool[n] out; n) {
  for i0 in (n + 255) // 256 @gpu_block {
    for i1 in 64 @gpu_thread {
      if 256 * i0 + 4 * i1 + 3 < n {
        for i2 in 4 @vector {
          let v0: i64 = philox(state[0], state[1], state[2], 256 * i0 + 4 * i1 + i2, i2 % 4)
          let v1: bool = v0 < 3000000000
          let v2: f32 = select(v1, x[256 * i0 + 4 * i1 + i2] / 0.7, 0.0)
          out[256 * i0 + 4 * i1 + i2] = v2
          mask[256 * i0 + 4 * i1 + i2] = v1
        }
      }
    }
  }
}
)"},
};

}  // namespace

std::span<const Sample> arithmetic_samples() { return kArithmeticSamples; }

}  // namespace ridge::codegen
