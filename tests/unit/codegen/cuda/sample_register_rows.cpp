// Samples whose rows are register-resident, or whose next rows are prefetched.
#include "tests/unit/codegen/cuda/sample_kernels.h"

namespace ridge::codegen {
namespace {

constexpr Sample kRegisterRowSamples[] = {
    {"two_rows_ahead",
     {5, 0},
     R"(kernel two_rows_ahead(x: bf16[n * 256] in, out: bf16[n * 256] out, last: f32[256] out; n) {
  shared x_next: bf16[512]
  local x_row: bf16[8]
  for i0 in 1 @gpu_block {
    for i1 in 32 @gpu_thread {
      for i2 in 8 @vector {
        async_copy x_next[8 * i1 + i2] = x[8 * i1 + i2]
      }
      wait_copies 1
      if 1 < n {
        for i2 in 8 @vector {
          async_copy x_next[256 + 8 * i1 + i2] = x[256 + 8 * i1 + i2]
        }
      }
      for i3 in n {
        wait_copies 1
        for i2 in 8 @vector {
          let v0: f32 = x_next[256 * (i3 % 2) + 8 * i1 + i2]
          x_row[i2] = v0
        }
        if i3 + 2 < n {
          for i2 in 8 @vector {
            async_copy x_next[256 * (i3 % 2) + 8 * i1 + i2] = x[256 * i3 + 512 + 8 * i1 + i2]
          }
        }
        var v1: f32 = 0.0
        for i2 in 8 @vector {
          let v2: f32 = x_row[i2]
          v1 sum= v2
        }
        warp_reduce sum v1
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
    // Rows of 1203 are misaligned: lanes before and behind them are masked off, and arrays of another alignment are
    // loaded by aligned words.
    {"misaligned_rows",
     {5, 0},
     R"(kernel misaligned_rows(x: bf16[n * 1203] in, w: bf16[1203] in, b: f32[1203] in, out: bf16[n * 1203] out; n) {
  local x_row: bf16[40]
  local w_row: bf16[40]
  for i0 in n @gpu_block {
    for i1 in 32 @gpu_thread {
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
      warp_reduce sum v6
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

std::span<const Sample> register_row_samples() { return kRegisterRowSamples; }

}  // namespace ridge::codegen
