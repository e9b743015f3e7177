// Kernels that several tests of this folder use, as text.
#pragma once

#include <string_view>

namespace ridge::loop {

inline constexpr std::string_view kSoftmax = R"(# softmax over rows
# x f32[n, m]
kernel softmax(x: f32[n * m] in, out: f32[n * m] out; n, m) grain 64 {
  for i0 in n @cpu_thread {
    var v0: f32 = -inf  # largest
    for i1 in m @vector {
      let v1: f32 = x[m * i0 + i1]
      v0 max= v1
    }
    var v2: f32 = 0.0
    for i1 in m @vector {
      let v3: f32 = exp(x[m * i0 + i1] - v0)
      v2 sum= v3
    }
    for i1 in m @vector {
      let v4: f32 = exp(x[m * i0 + i1] - v0) / v2  # softmax
      out[m * i0 + i1] = v4
    }
  }
}
)";

// bf16 operands, f32 sums, a bias and a relu on the way out.
inline constexpr std::string_view kMatmul =
    R"(kernel matmul_bias_relu(a: bf16[n * k] in, b: bf16[k * m] in, bias: f32[m] in, out: bf16[n * m] out; n, m, k) {
  for i3 in (n + 3) // 4 @cpu_thread {
    contract v0: f32 over i0 in min(4, n - i3 * 4), i1 in m, sum i2 in k of a[(i3 * 4 + i0) * k + i2], b[i2 * m + i1] {  # product
      let v1: f32 = max(v0 + bias[i1], 0.0)
      out[(i3 * 4 + i0) * m + i1] = v1
    }
  }
}
)";

// The row sums of a matrix: one block of 64 threads for each row, halving through shared memory.
inline constexpr std::string_view kBlockSum =
    R"(kernel row_sum(x: f32[n * m] in, out: f32[n] out; n, m) {
  shared tile: f32[64]
  for i0 in n @gpu_block {
    for i1 in 2 @gpu_thread {
      for i2 in 32 @gpu_thread {
        var v0: f32 = 0.0
        for i3 in (m - (32 * i1 + i2) + 63) // 64 {
          let v1: f32 = x[m * i0 + 64 * i3 + 32 * i1 + i2]
          v0 sum= v1
        }
        tile[32 * i1 + i2] = v0
        barrier
        for i4 in 6 {
          if 32 * i1 + i2 < 32 // pow(2, i4) {
            let v2: f32 = tile[32 * i1 + i2] + tile[32 * i1 + i2 + 32 // pow(2, i4)]
            tile[32 * i1 + i2] = v2
          }
          barrier
        }
        if 32 * i1 + i2 == 0 {
          let v3: f32 = tile[0]
          out[i0] = v3
        }
      }
    }
  }
}
)";

// Every kind of statement and leaf, and names that need quotes.
inline constexpr std::string_view kMixture =
    R"(kernel "odd name"("let": i32[n] in, x0: f64[n] in, "v0": bool[n] out, sum.of: i64[1] in_out; n) grain n // 8 + 1 {
  var v0: i64 = 0
  for i0 in n {
    let v1: f64 = x0[i0] * 0.1 + -0.0
    let v2: f32 = x0[i0] * 0.1 in f64 as bf16  # narrow
    let v3: bool = real(v0) < v1 || !is_nan(v2) && i0 % 2 == 1
    if v3 && -5 <= "let"[i0] {
      let v4: i64 = select(v3, "let"[i0], "let"[0]) as i8
      v0 prod= v4
      v0 = v0 - (v4 - 1) in f64
    }
    "v0"[i0] = v3
  }
  sum.of[0] = v0
}
)";

}  // namespace ridge::loop
