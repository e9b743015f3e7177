// Samples that combine many elements into one: by one thread, by lanes, by a block, in a product.
#include "tests/unit/codegen/cuda/sample_kernels.h"

namespace ridge::codegen {
namespace {

constexpr Sample kReductionSamples[] = {
    {"row_sum",
     {3, 333},
     R"(kernel row_sum(x: f32[n * m] in, out: f32[n] out, top: f32[n] out; n, m) {
  for i0 in n @gpu_block {
    for i1 in 2 @gpu_thread {
      for i2 in 32 @gpu_thread {
        var v0: f32 = 0.0  # sum
        var v1: f32 = -inf  # largest
        for i3 in (m - (32 * i1 + i2) + 63) // 64 {
          let v2: f32 = x[m * i0 + 64 * i3 + 32 * i1 + i2]
          v0 sum= v2
          v1 max= v2
        }
        block_reduce sum v0
        block_reduce max v1
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
  for i0 in 2 @gpu_block {
    for i1 in 64 @gpu_thread {
      var v0: f32 = 0.0
      var v1: f32 = 0.0
      for i2 in 4 @vector {
        let v2: f32 = x[256 * i0 + 4 * i1 + i2]
        v0 sum= v2
        v1 max= v2
      }
      warp_reduce sum v0 width 8
      block_reduce max v1 width 32
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
  for i0 in n @gpu_block {
    for i1 in 128 @gpu_thread {
      var v0: f32 = -inf  # largest
      for i2 in 2 {
        for i3 in 8 @vector {
          let v1: f32 = x[2048 * i0 + 1024 * i2 + 8 * i1 + i3]
          row[8 * i2 + i3] = v1
          v0 max= v1
        }
      }
      block_reduce max v0
      var v2: f32 = 0.0  # sum
      for i2 in 2 {
        for i3 in 8 @vector {
          let v3: f32 = exp(row[8 * i2 + i3] - v0)
          row[8 * i2 + i3] = v3
          v2 sum= v3
        }
      }
      block_reduce sum v2
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
  for i1 in 64 @gpu_thread {
    for i0 in n {
      var v0: f32 = x[64 * i0 + i1]
      block_reduce sum v0
      if i1 == 0 {
        out[i0] = v0
      }
    }
  }
}
)"},
    {"column_sums", {7, 0}, R"(kernel column_sums(x: bf16[n * 512] in, out: f32[512] out; n) {
  for i0 in 2 @gpu_block {
    for i1 in 32 @gpu_thread {
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
    {"plain_product",
     {0, 0},
     R"(kernel plain_product(a: f32[16 * 24] in, b: f32[24 * 8] in, bias: f32[8] in, out: f32[16 * 8] out) {
  for i0 in 16 @gpu_block {
    contract v0: f32 over i1 in 1, i2 in 8, sum i3 in 24 of a[24 * (i0 + i1) + i3], b[8 * i3 + i2] {
      let v1: f32 = max(v0 + bias[i2], 0.0)
      out[8 * (i0 + i1) + i2] = v1
    }
  }
}
)"},
};

}  // namespace

std::span<const Sample> reduction_samples() { return kReductionSamples; }

}  // namespace ridge::codegen
