// Pointwise kernels: tails, strides, masks, every storage dtype.
#include <limits>

#include "ridge/base/text.h"
#include "ridge/core/half.h"
#include "tests/unit/codegen/run_generated.h"

namespace ridge::codegen {
namespace {

TEST(CodegenPointwise, EveryTail) {
  const Runnable kernel(R"(kernel axpy(x: f32[n] in, y: f32[n] in, out: f32[n] out; n) {
  for i0 in n @vector {
    let v0: f32 = 2.5 * x[i0] + y[i0]
    out[i0] = v0
  }
}
)");
  for (int64_t n = 0; n <= 70; ++n) {
    const auto x = random_vector(n, 1);
    const auto y = random_vector(n, 2);
    std::vector<float> out(static_cast<size_t>(n) + 8, 77);
    ASSERT_EQ(kernel({n}, x, y, out), KernelStatus::ok);
    for (size_t i = 0; i < out.size(); ++i) {
      const float expected = i < x.size() ? std::fma(2.5f, x[i], y[i]) : 77;
      ASSERT_NEAR(out[i], expected, 1e-6f) << n << " at " << i;
    }
  }
}

// Tails of every length in every storage type, through the interpreter's eyes.
TEST(CodegenPointwise, EveryStorageDtype) {
  for (const DType dtype : complete_dtypes()) {
    const std::string type(name(dtype));
    const std::string text = concat("kernel copy(x: ", type, "[n] in, out: ", type,
                                    "[n] out; n) {\n  for i0 in n @vector {\n    let v0: ",
                                    is_floating(dtype) ? (dtype == f64 ? "f64" : "f32")
                                    : dtype == boolean ? "bool"
                                                       : "i64",
                                    " = x[i0]\n    out[i0] = v0\n  }\n}\n");
    for (const int64_t n : {0, 1, 3, 15, 16, 17, 31, 33, 40, 64, 65, 127, 130}) {
      // Every bit pattern of the narrow types; no signaling NaN in the wide ones.
      SplitMix64 random(static_cast<uint64_t>(n) + 5);
      std::vector<uint8_t> x(bytes_for(dtype, n));
      for (uint8_t& byte : x) {
        byte = static_cast<uint8_t>(dtype == boolean ? random.next() & 1 : random.next());
      }
      if (is_floating(dtype)) {
        for (size_t i = dtype.bits / 8u - 1; i < x.size(); i += dtype.bits / 8u) x[i] &= 0xbb;
      }
      expect_like_interpreter(text, {n}, x, std::vector<uint8_t>(x.size(), 0xcc));
    }
  }
}

// From each register type to each storage type, with values at and beyond the ends.
TEST(CodegenPointwise, ConversionsBetweenTypes) {
  const double big = 0x1p63;
  std::vector<double> values = {0.0,
                                -0.0,
                                0.5,
                                -0.5,
                                1.5,
                                -1.5,
                                127.5,
                                -128.7,
                                255.9,
                                256.0,
                                300.2,
                                -1.9,
                                -300.9,
                                65504.0,
                                65519.9,
                                65520.0,
                                65536.0,
                                1e-8,
                                6e-8,
                                -3e-8,
                                1e-40,
                                2147483647.0,
                                2147483648.0,
                                -2147483649.0,
                                4294967296.0,
                                1e18,
                                big,
                                -big,
                                big * 1.5,
                                -big * 3,
                                0x1p64,
                                0x1.8p70,
                                -0x1.23456789abp66,
                                1e300,
                                -1e300,
                                INFINITY,
                                -INFINITY,
                                NAN,
                                1 + 0x1p-8,
                                1 + 0x1.8p-8,
                                1 + 0x1p-8 + 0x1p-40,
                                1 + 0x1p-11,
                                1 + 0x1.8p-10,
                                1 + 0x1p-11 + 0x1p-50,
                                3.4028235e38,
                                3.39e38,
                                -3.4e38};
  SplitMix64 random(3);
  while (values.size() < 203) values.push_back(random.uniform(-3000, 3000));
  const auto n = static_cast<int64_t>(values.size());
  for (const std::string_view arithmetic : {"f32", "f64", "i64", "bool"}) {
    for (const DType dtype : complete_dtypes()) {
      const std::string text =
          concat("kernel store(x: f64[n] in, out: ", name(dtype),
                 "[n] out; n) {\n  for i0 in n @vector {\n    let v0: ", arithmetic, " = x[i0]",
                 arithmetic == "f32" ? "" : " in f64", "\n    out[i0] = v0\n  }\n}\n");
      if (arithmetic == "bool" || arithmetic == "i64") {
        // Stored types are reached through an explicit conversion.
        const std::string cast = arithmetic == "bool" ? "boolean(x[i0])" : "integer(x[i0])";
        std::string converted = text;
        converted.replace(converted.find("x[i0]"), 5, cast);
        expect_like_interpreter(converted, {n}, values,
                                std::vector<uint8_t>(bytes_for(dtype, n), 1));
      } else {
        expect_like_interpreter(text, {n}, values, std::vector<uint8_t>(bytes_for(dtype, n), 1));
      }
    }
  }
}

TEST(CodegenPointwise, RoundsWhereALetSaysSo) {
  for (const std::string_view type : {"bf16", "f16"}) {
    const std::string text = concat(
        "kernel rounds(x: f32[n] in, out: f32[n] out; n) {\n  for i0 in n @vector {\n"
        "    let v0: f32 = x[i0] as ",
        type, "\n    out[i0] = v0\n  }\n}\n");
    expect_like_interpreter(text, {1000}, random_vector(1000, 4, -70000, 70000),
                            std::vector<float>(1000));
  }
}

// Positions: reversed, strided by a constant and by a param, not linear, and loaded.
TEST(CodegenPointwise, Gathers) {
  const std::string_view text =
      R"(kernel gathers(x: f32[5 * n] in, h: bf16[5 * n] in, index: i32[n] in, out: f32[3 * n] out; n, stride) {
  for i0 in n @vector {
    let v0: f32 = x[n - 1 - i0] + x[3 * i0 + 1]
    let v1: f32 = x[stride * i0] - h[i0 * 2]
    let v2: f32 = x[checked_index(index[i0], 5 * n)] + h[checked_index(index[i0], n)] + x[i0 // 3] + x[(i0 * 7) % n]
    out[3 * i0] = v0
    out[3 * i0 + 1] = v1
    out[2 + i0 * 3] = v2
  }
}
)";
  for (const int64_t n : {1, 2, 15, 16, 17, 40, 100}) {
    SplitMix64 random(static_cast<uint64_t>(n));
    std::vector<int32_t> index;
    for (int64_t i = 0; i < n; ++i) {
      index.push_back(static_cast<int32_t>(random.next() % static_cast<uint64_t>(n)));
    }
    expect_like_interpreter(text, {n, 4}, random_vector(5 * n, 1),
                            random_vector<BFloat16>(5 * n, 2), index,
                            std::vector<float>(static_cast<size_t>(3 * n)));
    index[static_cast<size_t>(n / 2)] = n % 2 == 0 ? -1 : static_cast<int32_t>(5 * n);
    expect_like_interpreter(text, {n, 4}, random_vector(5 * n, 1),
                            random_vector<BFloat16>(5 * n, 2), index,
                            std::vector<float>(static_cast<size_t>(3 * n)));
  }
}

// A concatenation reads outside of both operands but for the guard. The operands end where a page
// ends, so that a lane which touches memory it did not choose is a fault.
TEST(CodegenPointwise, SelectGuardsItsLoads) {
  const std::string_view text =
      R"(kernel concat(x: f32[n] in, y: f32[m] in, out: f32[n + m] out; n, m, far) {
  for i0 in n + m @vector {
    let v0: f32 = select(i0 < n, x[i0], y[i0 - n]) + select(far < 0, x[far], 1.0) + select(i0 < 0, x[i0 * far], 0.0)
    out[i0] = v0
  }
}
)";
  for (const int64_t n : {1, 7, 16, 33}) {
    for (const int64_t m : {1, 16, 20}) {
      expect_like_interpreter(text, {n, m, int64_t{1} << 40}, random_vector(n, 1),
                              random_vector(m, 2), std::vector<float>(static_cast<size_t>(n + m)));
    }
  }
}

TEST(CodegenPointwise, ConditionsBecomeMasks) {
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

TEST(CodegenPointwise, ScalarLoops) {
  const std::string_view text = R"(kernel scan(x: f32[n * m] in, out: f32[n * m] out; n, m) {
  for i0 in n @thread {
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

TEST(CodegenPointwise, NestedThreadLoops) {
  const std::string_view text =
      R"(kernel transpose(x: i32[a * b * c] in, out: i32[a * b * c] out; a, b, c) grain 2 {
  for i0 in a @thread {
    for i1 in c @thread {
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

TEST(CodegenPointwise, PhiloxIsTheSameAsAnywhere) {
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

TEST(CodegenPointwise, IntegerFunctions) {
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

TEST(CodegenPointwise, NegativeExponentIsReported) {
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

TEST(CodegenPointwise, SameKernelSameBytes) {
  const std::string_view text = R"(kernel same(x: f32[n] in, out: f32[n] out; n) {
  for i0 in n @thread {
    for i1 in 40 @vector {
      let v0: f32 = sin(x[i0]) + exp(x[i1]) * select(x[i1] < 0.0, tanh(x[i0 % 5]), 1.0)
      out[i1] = v0
    }
  }
}
)";
  const loop::Kernel kernel = loop::parse(text);
  const Generated first = generate(kernel, host_target(), true);
  const Generated second = generate(loop::parse(text), host_target());
  EXPECT_EQ(first.object, second.object);
  const Generated again = generate_from_ir(first.ir, first.symbol, host_target());
  EXPECT_FALSE(again.object.empty());
  EXPECT_NE(assembly(kernel, host_target()).find("same"), std::string::npos);
}

}  // namespace
}  // namespace ridge::codegen
