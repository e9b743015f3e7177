// Loops, conditions, and functions of integers.
#include <limits>

#include "tests/unit/codegen/run_generated.h"

namespace ridge::codegen::statement_test {
namespace {

TEST(CodegenStatement, ConditionsBecomeMasks) {
  const std::string_view text =
      R"(kernel masks(x: f32[n] in, y: i64[n] in, out: f32[n] out, count: i64[n] out; n) {
  for i0 in n @vector {
    var v0: f32 = 0.5
    var v1: i64 = 0
    if 0.0 < x[i0] {
      v0 = v0 + x[i0] in f32
      if y[i0] % 2 == 0 {
        let v2: i64 = 3
        v1 sum= v2
        for i1 in 4 {
          let v3: i64 = i1 * y[i0]
          v1 sum= v3
          if i1 == 2 {
            out[i0] = v0
          }
        }
      }
      if 1000 // y[i0] == 3 {
        v0 = 9.0 in f32
      }
    }
    if n < 0 {
      v0 = x[i0 + 100000000000] in f32
    }
    out[i0] = v0
    count[i0] = v1
  }
}
)";
  for (const int64_t n : {1, 16, 29, 70}) {
    SplitMix64 random(static_cast<uint64_t>(n));
    const auto x = random_vector(n, 8);
    std::vector<int64_t> y;
    for (int64_t i = 0; i < n; ++i) {
      // A divisor of zero, but only where the condition is false.
      y.push_back(x[static_cast<size_t>(i)] > 0 ? static_cast<int64_t>(random.next() % 500) - 1000
                                                : 0);
    }
    expect_like_interpreter(text, {n}, x, y, std::vector<float>(x.size()),
                            std::vector<int64_t>(x.size()));
    y.assign(y.size(), 0);
    expect_like_interpreter(text, {n}, x, y, std::vector<float>(x.size()),
                            std::vector<int64_t>(x.size()));
  }
}

TEST(CodegenStatement, ScalarLoops) {
  const std::string_view text = R"(kernel scan(x: f32[n * m] in, out: f32[n * m] out; n, m) {
  for i0 in n @cpu_thread {
    var v0: f32 = 0.0
    for i1 in m {
      let v1: f32 = select(0 < i1, x[m * i0 + i1 - 1], 0.0)
      v0 sum= v1
      if i1 % 3 != 1 {
        out[m * i0 + i1] = v0
      }
    }
  }
}
)";
  expect_like_interpreter(text, {7, 23}, random_vector(7 * 23, 5), std::vector<float>(7 * 23));
}

TEST(CodegenStatement, NestedThreadLoops) {
  const std::string_view text =
      R"(kernel transpose(x: i32[a * b * c] in, out: i32[a * b * c] out; a, b, c) grain 2 {
  for i0 in a @cpu_thread {
    for i1 in c @cpu_thread {
      for i2 in b @vector {
        let v0: i64 = x[(i0 * b + i2) * c + i1] * 3 - i1
        out[(i0 * c + i1) * b + i2] = v0
      }
    }
  }
}
)";
  std::vector<int32_t> x(5 * 19 * 3);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int32_t>(i * 2654435761u);
  expect_like_interpreter(text, {5, 19, 3}, x, std::vector<int32_t>(x.size()));
  expect_like_interpreter(text, {5, 0, 3}, x, std::vector<int32_t>(x.size(), 4));
}

TEST(CodegenStatement, PhiloxIsTheSameAsAnywhere) {
  const std::string_view text = R"(kernel random(state: i64[3] in, out: i64[n] out; n) {
  for i0 in n @vector {
    let v0: i64 = philox(state[0], state[1], state[2], i0 * 4611686018427387, i0 % 4) + philox(state[0], state[1], state[2], i0, 1)
    out[i0] = v0
  }
}
)";
  expect_like_interpreter(text, {67}, std::vector<int64_t>{0x123456789abcdef, -5, 1ll << 33},
                          std::vector<int64_t>(67));
}

TEST(CodegenStatement, IntegerFunctions) {
  const std::string_view text =
      R"(kernel integers(x: i64[n] in, y: i64[n] in, out: i64[12 * n] out; n) {
  for i0 in n @vector {
    let v0: i64 = x[i0]
    let v1: i64 = y[i0]
    let v2: i64 = v0 // v1
    let v3: i64 = v0 % v1
    let v4: i64 = v0 // 7 + v0 % 7 + v0 // 8 * 3 + v0 % 8
    let v5: i64 = abs(v0) + sign(v1)
    let v6: i64 = min(v0, v1) - max(v0, v1)
    let v7: i64 = pow(v0, abs(v1 % 70))
    let v8: i64 = pow(v0, 3) + -v1 * v0
    let v9: i64 = select(v0 < v1, 1, 0) + select(v0 <= v1, 2, 0) + select(v0 == v1, 4, 0) + select(v0 != v1, 8, 0)
    out[12 * i0] = v2
    out[12 * i0 + 1] = v3
    out[12 * i0 + 2] = v4
    out[12 * i0 + 3] = v5
    out[12 * i0 + 4] = v6
    out[12 * i0 + 5] = v7
    out[12 * i0 + 6] = v8
    out[12 * i0 + 7] = v9
  }
}
)";
  const int64_t lowest = std::numeric_limits<int64_t>::min();
  std::vector<int64_t> x = {lowest, lowest, lowest + 1, -1, 0, 0, 7, -7, 7, -7, 5, lowest};
  std::vector<int64_t> y = {-1, 1, -1, -1, 5, -5, 3, 3, -3, -3, 5, lowest};
  SplitMix64 random(9);
  for (int i = 0; i < 100; ++i) {
    x.push_back(static_cast<int64_t>(random.next()) >> (i % 60));
    y.push_back((static_cast<int64_t>(random.next()) >> (i % 50)) | 1);
  }
  const auto n = static_cast<int64_t>(x.size());
  expect_like_interpreter(text, {n}, x, y, std::vector<int64_t>(12 * x.size()));
  y[50] = 0;  // reported
  expect_like_interpreter(text, {n}, x, y, std::vector<int64_t>(12 * x.size()));
}

TEST(CodegenStatement, NegativeExponentIsReported) {
  const std::string_view text = R"(kernel power(x: i64[n] in, out: i64[n] out; n) {
  for i0 in n @vector {
    let v0: i64 = pow(3, x[i0])
    out[i0] = v0
  }
}
)";
  std::vector<int64_t> x(40, 2);
  expect_like_interpreter(text, {40}, x, std::vector<int64_t>(40));
  x[37] = -1;
  expect_like_interpreter(text, {40}, x, std::vector<int64_t>(40));
}

}  // namespace
}  // namespace ridge::codegen::statement_test
