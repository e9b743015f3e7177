#include "tests/unit/codegen/cuda/sample_kernels.h"

namespace ridge::codegen {
namespace {

constexpr Sample kSamples[] = {
    {"plain_map", {1000, 0}, R"(# y = x * 2 + 1
# x f32[n]
kernel plain_map(x: f32[n] in, out: f32[n] out; n) {
  for i0 in (n + 63) // 64 @grid {
    for i1 in 64 @block {
      if i0 * 64 + i1 < n {
        let v0: f32 = x[i0 * 64 + i1] * 2.0 + 1.0  # scaled
        out[i0 * 64 + i1] = v0
      }
    }
  }
}
)"},
    {"wide_map", {0, 0}, R"(kernel wide_map(x: f32[1024] in, y: f32[1024] in, out: f32[1024] out) {
  for i0 in 4 @grid {
    for i1 in 64 @block {
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
  for i0 in n // 512 @grid {
    for i1 in 64 @block {
      for i2 in 8 @vector {
        let v0: f32 = x[512 * i0 + 8 * i1 + i2] + bias[(512 * i0 + 8 * i1 + i2) % 64]
        out[512 * i0 + 8 * i1 + i2] = v0
      }
    }
  }
}
)"},
    {"chosen_neighbors",
     {3, 0},
     R"(kernel chosen_neighbors(x: bf16[n * 256] in, y: bf16[64] in, out: bf16[n * 256] out; n) {
  for i0 in n @grid {
    for i1 in 32 @block {
      for i2 in 8 @vector {
        let v0: f32 = select(i1 % 2 < 1, -x[256 * i0 + 8 * i1 + i2 + 8], x[256 * i0 + 8 * i1 + i2 - 8])
        let v1: f32 = select(i1 < 8, select(i1 % 4 < 2, y[8 * i1 + i2], 1.0), 2.0)
        let v2: f32 = select(i1 < 4, y[8 * i1 + i2], y[i2])
        let v3: f32 = select(8 * i1 + i2 < 61, y[8 * i1 + i2 + 3], v0)
        let v4: f32 = v0 + v1 * v2 + v3
        out[256 * i0 + 8 * i1 + i2] = v4
      }
    }
  }
}
)"},
    {"two_rows_ahead",
     {5, 0},
     R"(kernel two_rows_ahead(x: bf16[n * 256] in, out: bf16[n * 256] out, last: f32[256] out; n) {
  shared x_next: bf16[512]
  local x_row: bf16[8]
  for i0 in 1 @grid {
    for i1 in 32 @block {
      for i2 in 8 @vector {
        stage x_next[8 * i1 + i2] = x[8 * i1 + i2]
      }
      await all but 1
      if 1 < n {
        for i2 in 8 @vector {
          stage x_next[256 + 8 * i1 + i2] = x[256 + 8 * i1 + i2]
        }
      }
      for i3 in n {
        await all but 1
        for i2 in 8 @vector {
          let v0: f32 = x_next[256 * (i3 % 2) + 8 * i1 + i2]
          x_row[i2] = v0
        }
        if i3 + 2 < n {
          for i2 in 8 @vector {
            stage x_next[256 * (i3 % 2) + 8 * i1 + i2] = x[256 * i3 + 512 + 8 * i1 + i2]
          }
        }
        var v1: f32 = 0.0
        for i2 in 8 @vector {
          let v2: f32 = x_row[i2]
          v1 sum= v2
        }
        v1 sum across lane
        for i2 in 8 @vector {
          let v3: f32 = x_row[i2]
          let v4: f32 = v3 + v1
          out[256 * i3 + 8 * i1 + i2] = v4
          last[8 * i1 + i2] = v4
        }
      }
    }
  }
}
)"},
    {"stream_f16",
     {0, 0},
     R"(kernel stream_f16(x: f16[1024] in, out: f16[1024] out, sums: f32[128] out) {
  for i0 in 2 @grid {
    for i1 in 64 @block {
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
    {"row_sum",
     {3, 333},
     R"(kernel row_sum(x: f32[n * m] in, out: f32[n] out, top: f32[n] out; n, m) {
  for i0 in n @grid {
    for i1 in 2 @block {
      for i2 in 32 @lane {
        var v0: f32 = 0.0  # sum
        var v1: f32 = -inf  # largest
        for i3 in (m - (32 * i1 + i2) + 63) // 64 {
          let v2: f32 = x[m * i0 + 64 * i3 + 32 * i1 + i2]
          v0 sum= v2
          v1 max= v2
        }
        v0 sum across block
        v1 max across block
        if 32 * i1 + i2 == 0 {
          out[i0] = v0
          top[i0] = v1
        }
      }
    }
  }
}
)"},
    {"short_rows",
     {0, 0},
     R"(kernel short_rows(x: f32[16 * 32] in, out: f32[16 * 32] out, largest: f32[4] out) {
  for i0 in 2 @grid {
    for i1 in 64 @block {
      var v0: f32 = 0.0
      var v1: f32 = 0.0
      for i2 in 4 @vector {
        let v2: f32 = x[256 * i0 + 4 * i1 + i2]
        v0 sum= v2
        v1 max= v2
      }
      v0 sum across lane 8
      v1 max across block 32
      for i2 in 4 @vector {
        let v3: f32 = x[256 * i0 + 4 * i1 + i2] - v0
        out[256 * i0 + 4 * i1 + i2] = v3
      }
      if i1 % 32 == 0 {
        largest[2 * i0 + i1 // 32] = v1
      }
    }
  }
}
)"},
    {"row_softmax",
     {3, 0},
     R"(kernel row_softmax(x: bf16[n * 2048] in, out: bf16[n * 2048] out; n) {
  local row: f32[16]
  for i0 in n @grid {
    for i1 in 128 @block {
      var v0: f32 = -inf  # largest
      for i2 in 2 {
        for i3 in 8 @vector {
          let v1: f32 = x[2048 * i0 + 1024 * i2 + 8 * i1 + i3]
          row[8 * i2 + i3] = v1
          v0 max= v1
        }
      }
      v0 max across block
      var v2: f32 = 0.0  # sum
      for i2 in 2 {
        for i3 in 8 @vector {
          let v3: f32 = exp(row[8 * i2 + i3] - v0)
          row[8 * i2 + i3] = v3
          v2 sum= v3
        }
      }
      v2 sum across block
      for i2 in 2 {
        for i3 in 8 @vector {
          let v4: f32 = row[8 * i2 + i3] / v2  # softmax
          out[2048 * i0 + 1024 * i2 + 8 * i1 + i3] = v4
        }
      }
    }
  }
}
)"},
    {"across_in_a_loop", {5, 0}, R"(kernel across_in_a_loop(x: f32[n * 64] in, out: f32[n] out; n) {
  for i1 in 64 @block {
    for i0 in n {
      var v0: f32 = x[64 * i0 + i1]
      v0 sum across block
      if i1 == 0 {
        out[i0] = v0
      }
    }
  }
}
)"},
    {"tile_transpose", {0, 0}, R"(kernel tile_transpose(x: f32[64 * 96] in, out: f32[96 * 64] out) {
  shared tile: f32[1056]
  for i0 in 2 @grid {
    for i1 in 3 @grid {
      for i2 in 8 @block {
        for i3 in 32 @lane {
          for i4 in 4 {
            let v0: f32 = x[96 * (32 * i0 + 8 * i4 + i2) + 32 * i1 + i3]
            tile[33 * (8 * i4 + i2) + i3] = v0
          }
          barrier
          for i4 in 4 {
            let v1: f32 = tile[33 * i3 + 8 * i4 + i2]
            out[64 * (32 * i1 + 8 * i4 + i2) + 32 * i0 + i3] = v1
          }
        }
      }
    }
  }
}
)"},
    {"column_sums", {7, 0}, R"(kernel column_sums(x: bf16[n * 512] in, out: f32[512] out; n) {
  for i0 in 2 @grid {
    for i1 in 32 @block {
      for i2 in 8 @vector {
        var v0: f32 = 0.0
        for i3 in n {
          let v1: f32 = x[512 * i3 + 256 * i0 + 8 * i1 + i2]
          v0 sum= v1
        }
        out[256 * i0 + 8 * i1 + i2] = v0
      }
    }
  }
}
)"},
    {"gather_rows",
     {9, 0},
     R"(kernel gather_rows(table: f32[20 * 128] in, ids: i64[n] in, out: f32[n * 128] out; n) {
  for i0 in n @grid {
    for i1 in 32 @block {
      let v0: i64 = checked_index(ids[i0], 20)  # row
      for i2 in 4 @vector {
        let v1: f32 = table[128 * v0 + 4 * i1 + i2]
        out[128 * i0 + 4 * i1 + i2] = v1
      }
    }
  }
}
)"},
    {"one_hot_rows",
     {23, 0},
     R"(kernel one_hot_rows(ids: i64[n] in, out: f32[n * 128] out; n) {
  for i0 in n @grid {
    for i1 in 32 @block {
      let v0: i64 = ids[i0]  # target
      for i2 in 4 @vector {
        let v1: bool = 4 * i1 + i2 == v0
        let v2: f32 = select(v1, 2.0, 1.0)
        out[128 * i0 + 4 * i1 + i2] = v2
      }
    }
  }
}
)"},
    {"random_mask",
     {1000, 0},
     R"(kernel random_mask(x: f32[n] in, state: i64[3] in, out: f32[n] out, mask: bool[n] out; n) {
  for i0 in (n + 255) // 256 @grid {
    for i1 in 64 @block {
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
    {"integers",
     {96, 0},
     R"(kernel integers(a: i64[n] in, b: i32[n] in, c: u8[n] in, out: i64[4 * n] out, small: i8[n] out; n) {
  for i0 in n // 32 @grid {
    for i1 in 32 @block {
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
    {"booleans",
     {192, 0},
     R"(kernel booleans(x: f32[n] in, m: bool[n] in, out: bool[n] out, count: i64[n // 64] out; n) {
  for i0 in n // 64 @grid {
    for i1 in 64 @block {
      let v0: bool = x[64 * i0 + i1] < 0.5 && !m[64 * i0 + i1] || is_nan(x[64 * i0 + i1])
      var v1: bool = v0
      v1 any across lane
      var v2: i64 = integer(v0)
      v2 sum across block
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
  for i1 in 64 @block {
    var v0: f64 = 0.0
    for i0 in n // 128 {
      for i2 in 2 @vector {
        let v1: f64 = exp(x[128 * i0 + 2 * i1 + i2]) / 3.0
        out[128 * i0 + 2 * i1 + i2] = v1
        narrow[128 * i0 + 2 * i1 + i2] = v1
        v0 sum= v1
      }
    }
    v0 sum across block
    if i1 == 0 {
      sum[0] = v0
    }
  }
}
)"},
    {"functions", {256, 0}, R"(kernel functions(x: f32[n] in, out: f32[8 * n] out; n) {
  for i0 in n // 64 @grid {
    for i1 in 64 @block {
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
    {"padded", {0, 0}, R"(kernel padded(x: f32[32 * 30] in, out: f32[32 * 32] out) {
  for i0 in 32 @grid {
    for i1 in 8 @block {
      for i2 in 4 @vector {
        let v0: f32 = select(0 < 4 * i1 + i2 && 4 * i1 + i2 < 31, x[30 * i0 + 4 * i1 + i2 - 1], 0.0)
        out[32 * i0 + 4 * i1 + i2] = v0
      }
    }
  }
}
)"},
    {"momentum",
     {0, 0},
     R"(kernel momentum(p: f32[1024] in_out, m: f32[1024] in_out, g: bf16[1024] in, rate: f32[1] in) {
  for i0 in 4 @grid {
    for i1 in 64 @block {
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
    {"plain_product",
     {0, 0},
     R"(kernel plain_product(a: f32[16 * 24] in, b: f32[24 * 8] in, bias: f32[8] in, out: f32[16 * 8] out) {
  for i0 in 16 @grid {
    contract v0: f32 over i1 in 1, i2 in 8, sum i3 in 24 of a[24 * (i0 + i1) + i3], b[8 * i3 + i2] {
      let v1: f32 = max(v0 + bias[i2], 0.0)
      out[8 * (i0 + i1) + i2] = v1
    }
  }
}
)"},
    {"long_sizes",
     {5, 77},
     R"(kernel long_sizes(x: f32[n * m] in, out: f32[n * m] out; n, m) {
  for i0 in n @grid {
    for i1 in 32 @block {
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
  for i0 in 8 @grid {
    for i1 in 32 @block {
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
    {"lane_integers", {0, 0}, R"(kernel lane_integers(x: i64[256] in, out: i64[256] out) {
  for i0 in 2 @grid {
    for i1 in 32 @block {
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
    // Rows of 1203 start anywhere: lanes before and behind them stand aside, and what is not aligned
    // like them is put together from words that are.
    {"shifted_rows",
     {5, 0},
     R"(kernel shifted_rows(x: bf16[n * 1203] in, w: bf16[1203] in, b: f32[1203] in, out: bf16[n * 1203] out; n) {
  local x_row: bf16[40]
  local w_row: bf16[40]
  for i0 in n @grid {
    for i1 in 32 @block {
      for i5 in 1 {
        for i4 in 8 @vector {
          if 3 * i0 % 8 < 8 * i1 + i4 + 1 {
            let v0: f32 = x[1200 * i0 + 8 * (3 * i0 // 8) + (8 * i1 + i4)]
            x_row[i4] = v0
            let v1: f32 = w[8 * i1 + i4 - 3 * i0 % 8]
            w_row[i4] = v1
          }
        }
      }
      for i6 in 3 {
        for i4 in 8 @vector {
          let v2: f32 = x[1200 * i0 + 8 * (3 * i0 // 8) + (8 * i1 + i4 + 256 * i6 + 256)]
          x_row[i4 + 8 * i6 + 8] = v2
          let v3: f32 = w[8 * i1 + i4 + 256 * i6 + 256 - 3 * i0 % 8]
          w_row[i4 + 8 * i6 + 8] = v3
        }
      }
      for i7 in 1 {
        for i4 in 8 @vector {
          if 8 * i1 + i4 < 3 * i0 % 8 + 179 {
            let v4: f32 = x[1200 * i0 + 8 * (3 * i0 // 8) + (8 * i1 + i4 + 1024)]
            x_row[i4 + 32] = v4
            let v5: f32 = w[8 * i1 + i4 + 1024 - 3 * i0 % 8]
            w_row[i4 + 32] = v5
          }
        }
      }
      var v6: f32 = 0.0  # sum
      for i5 in 1 {
        for i4 in 8 @vector {
          if 3 * i0 % 8 < 8 * i1 + i4 + 1 {
            let v7: f32 = x_row[i4]
            let v8: f32 = w_row[i4]
            let v9: f32 = abs(v7 * v8)
            v6 sum= v9
          }
        }
      }
      for i6 in 3 {
        for i4 in 8 @vector {
          let v10: f32 = x_row[i4 + 8 * i6 + 8]
          let v11: f32 = w_row[i4 + 8 * i6 + 8]
          let v12: f32 = abs(v10 * v11)
          v6 sum= v12
        }
      }
      for i7 in 1 {
        for i4 in 8 @vector {
          if 8 * i1 + i4 < 3 * i0 % 8 + 179 {
            let v13: f32 = x_row[i4 + 32]
            let v14: f32 = w_row[i4 + 32]
            let v15: f32 = abs(v13 * v14)
            v6 sum= v15
          }
        }
      }
      v6 sum across lane
      for i5 in 1 {
        for i4 in 8 @vector {
          if 3 * i0 % 8 < 8 * i1 + i4 + 1 {
            let v16: f32 = x_row[i4]
            let v17: f32 = w_row[i4]
            let v18: f32 = b[8 * i1 + i4 - 3 * i0 % 8]
            let v19: f32 = v16 * v17 / v6 + v18
            out[1200 * i0 + 8 * (3 * i0 // 8) + (8 * i1 + i4)] = v19
          }
        }
      }
      for i6 in 3 {
        for i4 in 8 @vector {
          let v20: f32 = x_row[i4 + 8 * i6 + 8]
          let v21: f32 = w_row[i4 + 8 * i6 + 8]
          let v22: f32 = b[8 * i1 + i4 + 256 * i6 + 256 - 3 * i0 % 8]
          let v23: f32 = v20 * v21 / v6 + v22
          out[1200 * i0 + 8 * (3 * i0 // 8) + (8 * i1 + i4 + 256 * i6 + 256)] = v23
        }
      }
      for i7 in 1 {
        for i4 in 8 @vector {
          if 8 * i1 + i4 < 3 * i0 % 8 + 179 {
            let v24: f32 = x_row[i4 + 32]
            let v25: f32 = w_row[i4 + 32]
            let v26: f32 = b[8 * i1 + i4 + 1024 - 3 * i0 % 8]
            let v27: f32 = v24 * v25 / v6 + v26
            out[1200 * i0 + 8 * (3 * i0 // 8) + (8 * i1 + i4 + 1024)] = v27
          }
        }
      }
    }
  }
}
)"},
};

}  // namespace

std::span<const Sample> samples() { return kSamples; }

}  // namespace ridge::codegen
