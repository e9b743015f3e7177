// Kernels over tiles with one part replaced, and what the verifier says of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/loop/loop.h"
#include "tests/unit/loop/tile_samples.h"

namespace ridge::loop {

// Of one head: a chain of two dots, the second with an operand in registers; slots handed back late.
inline constexpr const char* kAttention =
    R"(kernel attention(q: bf16[n * 64] in, k: bf16[n * 64] in, v: bf16[n * 64] in, out: bf16[n * 64] out; n) threads 288 {
  view q_map = q[n, 64] strides 64, 1 box 128, 64 swizzle 128
  view k_map = k[n, 64] strides 64, 1 box 128, 64 swizzle 128
  view v_map = v[n, 64] strides 64, 1 box 128, 64 swizzle 128
  view out_map = out[n, 64] strides 64, 1 box 64, 64 swizzle 128
  ring queries slots 1
  ring keys slots 2
  ring values slots 2
  tile q_tile: bf16[128, 64] swizzle 128 in queries
  tile k_tile: bf16[64, 128] columns swizzle 128 in keys
  tile v_tile: bf16[128, 64] swizzle 128 in values
  tile scores: f32[64, 128] accumulator in math
  tile weights: bf16[64, 128] operand in math
  tile top: f32[64, 1] row_values in math
  tile result: f32[64, 64] accumulator in math
  tile out_tile: bf16[64, 64] swizzle 128 in math
  role math warpgroups 2 registers 240 index i5 {
    for i0, i1 in tiles((n + 127) // 128, 1) {
      fill result = 0.0
      fill top = -inf
      consume queries {
        for i2 in (n + 127) // 128 {
          consume keys {
            fill scores = 0.0
            dot async scores += q_tile[64 * i5, 0] * k_tile
            wait_dot 0 scores
          }
          fold top max= scores along columns within *, n - 128 * i2
          each i3, i4 of scores {
            read v0: f32 = scores
            read v1: f32 = top
            let v2: f32 = exp(v0 - v1)
            write scores = v2
          }
          barrier_arrive 2 threads 256
          move weights = scores
          barrier_sync 2 threads 256
          consume values lag 1 {
            dot async result += weights * v_tile
            wait_dot 0 result, weights
          }
        }
      }
      move out_tile = result
      copy out_map[128 * i0 + 64 * i5, 0] = out_tile
      wait_stores 0 read
    }
  }
  role load warps 1 registers 24 {
    for i0, i1 in tiles((n + 127) // 128, 1) {
      produce queries {
        copy q_tile = q_map[128 * i0, 0]
      }
      for i2 in (n + 127) // 128 {
        produce keys {
          copy k_tile = k_map[128 * i2, 0]
        }
        produce values {
          copy v_tile = v_map[128 * i2, 0]
        }
      }
    }
  }
}
)";

// A slot that is multiplied once, and tiles of every kind.
inline constexpr const char* kOneSlot =
    R"(kernel one_slot(x: bf16[m * 64] in, y: bf16[m * 64] out; m) threads 160 {
  view x_map = x[m, 64] strides 64, 1 box 64, 64 swizzle 128
  view y_map = y[m, 64] strides 64, 1 box 64, 64 swizzle 128
  ring stages slots 2
  tile x_tile: bf16[64, 64] swizzle 128 in stages
  tile left: bf16[64, 64] operand in math
  tile sum: f32[64, 64] accumulator in math
  tile spare: bf16[64, 64] swizzle 128 in math
  tile wide: f32[64, 32] swizzle 128 in math
  tile loose: bf16[64, 64] linear
  tile below: f32[1, 64] column_values in math
  tile count: i32[64, 64] accumulator in math
  role math warpgroups 1 {
    fill sum = 0.0
    fill left = 0.0
    fill spare = 0.0
    consume stages {
      dot async sum += left * x_tile
      wait_dot 0 sum, left
    }
    copy y_map[0, 0] = spare
    wait_stores 0
  }
  role load warps 1 {
    produce stages {
      copy x_tile = x_map[0, 0]
    }
  }
}
)";

// What the verifier says; empty if nothing.
inline std::string verifier_says(const std::string& text) {
  try {
    verify(parse(text));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

struct Slip {
  std::string part, by;         // of the sample
  std::string rule, statement;  // what the message names
};
inline void expect_refused(const std::string& sample, const std::vector<Slip>& slips) {
  for (const auto& [part, by, rule, statement] : slips) {
    const std::string message = verifier_says(replaced(sample, part, by));
    EXPECT_FALSE(rule.empty() || statement.empty()) << by;
    EXPECT_NE(message.find(rule), std::string::npos) << by << "\n" << message;
    EXPECT_NE(message.find(statement), std::string::npos) << by << "\n" << message;
  }
}

}  // namespace ridge::loop
