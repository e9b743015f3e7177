// Samples that take elements from other places: neighbors, rows by number, transposed, padded.
#include "tests/unit/codegen/cuda/sample_kernels.h"

namespace ridge::codegen {
namespace {

constexpr Sample kMoveSamples[] = {
    {"chosen_neighbors",
     {3, 0},
     R"(kernel chosen_neighbors(x: bf16[n * 256] in, y: bf16[64] in, out: bf16[n * 256] out; n) {
  for i0 in n @gpu_block {
    for i1 in 32 @gpu_thread {
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
    {"gather_rows",
     {9, 0},
     R"(kernel gather_rows(table: f32[20 * 128] in, ids: i64[n] in, out: f32[n * 128] out; n) {
  for i0 in n @gpu_block {
    for i1 in 32 @gpu_thread {
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
  for i0 in n @gpu_block {
    for i1 in 32 @gpu_thread {
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
    {"padded", {0, 0}, R"(kernel padded(x: f32[32 * 30] in, out: f32[32 * 32] out) {
  for i0 in 32 @gpu_block {
    for i1 in 8 @gpu_thread {
      for i2 in 4 @vector {
        let v0: f32 = select(0 < 4 * i1 + i2 && 4 * i1 + i2 < 31, x[30 * i0 + 4 * i1 + i2 - 1], 0.0)
        out[32 * i0 + 4 * i1 + i2] = v0
      }
    }
  }
}
)"},
    {"tile_transpose", {0, 0}, R"(kernel tile_transpose(x: f32[64 * 96] in, out: f32[96 * 64] out) {
  shared tile: f32[1056]
  for i0 in 2 @gpu_block {
    for i1 in 3 @gpu_block {
      for i2 in 8 @gpu_thread {
        for i3 in 32 @gpu_thread {
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
};

}  // namespace

std::span<const Sample> move_samples() { return kMoveSamples; }

}  // namespace ridge::codegen
