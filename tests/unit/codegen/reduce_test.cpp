// Reductions inside and around vector loops.
#include <algorithm>
#include <limits>

#include "ridge/base/knobs.h"
#include "ridge/base/text.h"
#include "tests/unit/codegen/run_generated.h"

namespace ridge::codegen::reduce_test {
namespace {

constexpr double kUnit = std::numeric_limits<float>::epsilon();

std::string row_reduction(std::string_view type, std::string_view combine,
                          std::string_view initial) {
  return concat("kernel reduce(x: ", type, "[n * m] in, out: ", type,
                "[n] out; n, m) {\n  for i0 in n @cpu_thread {\n    var v0: ", type, " = ", initial,
                "\n    for i1 in m @vector {\n      let v1: ", type, " = x[i0 * m + i1]\n      v0 ",
                combine, "= v1\n    }\n    out[i0] = v0\n  }\n}\n");
}

TEST(CodegenReduce, SumsOfEveryLength) {
  for (const CpuTarget& target : targets()) {
    const Runnable kernel(row_reduction("f32", "sum", "0.0"), target);
    for (int64_t m = 0; m <= 140; ++m) {
      const auto x = random_vector(3 * m, 7);
      std::vector<float> out(3, NAN);
      ASSERT_EQ(kernel({3, m}, x, out), KernelStatus::ok);
      for (size_t row = 0; row < 3; ++row) {
        double sum = 0;
        double magnitude = 0;
        for (size_t i = 0; i < static_cast<size_t>(m); ++i) {
          sum += double(x[row * static_cast<size_t>(m) + i]);
          magnitude += std::abs(double(x[row * static_cast<size_t>(m) + i]));
        }
        ASSERT_NEAR(out[row], sum, magnitude * kUnit * double(m + 1)) << m;
      }
    }
  }
}

// Exact whatever the order: integers, booleans, the largest and the smallest.
TEST(CodegenReduce, ExactCombinations) {
  for (const int64_t m : {0, 1, 5, 16, 33, 100}) {
    auto reals = random_vector(4 * m, 3);
    std::vector<int64_t> integers;
    std::vector<uint8_t> flags;
    SplitMix64 random(static_cast<uint64_t>(m));
    for (int64_t i = 0; i < 4 * m; ++i) {
      integers.push_back(static_cast<int64_t>(random.next()));
      flags.push_back(static_cast<uint8_t>(random.next() % 20 < 19 ? i % 8 < 4 : i % 2));
    }
    const auto check = [&](std::string_view type, std::string_view combine,
                           std::string_view initial, const auto& x) {
      using Vector = std::remove_cvref_t<decltype(x)>;
      expect_like_interpreter(row_reduction(type, combine, initial), {4, m}, x, Vector(4));
    };
    check("f32", "max", "-inf", reals);
    check("f32", "min", "inf", reals);
    check("i64", "sum", "5", integers);
    check("i64", "prod", "3", integers);
    check("i64", "max", "-9223372036854775807", integers);
    check("i64", "min", "9223372036854775807", integers);
    check("bool", "any", "false", flags);
    check("bool", "all", "true", flags);
    // NaN in the middle of a row comes out of it.
    if (m > 2) reals[static_cast<size_t>(m + m / 2)] = NAN;
    std::vector<float> out(4);
    for (const std::string_view combine : {"max", "min"}) {  // matches: ways to combine
      ASSERT_EQ(Runnable(row_reduction("f32", combine, "1.0"))({4, m}, reals, out),
                KernelStatus::ok);
      EXPECT_EQ(std::isnan(out[1]), m > 2);
      EXPECT_FALSE(std::isnan(out[0]) || std::isnan(out[2]));
    }
  }
}

TEST(CodegenReduce, Doubles) {
  const Runnable kernel(row_reduction("f64", "sum", "0.25"));
  for (const int64_t m : {1, 7, 8, 100, 1000}) {
    const auto x = random_vector<double>(2 * m, 4);
    std::vector<double> out(2);
    ASSERT_EQ(kernel({2, m}, x, out), KernelStatus::ok);
    for (size_t row = 0; row < 2; ++row) {
      long double sum = 0.25L;
      for (size_t i = 0; i < static_cast<size_t>(m); ++i)
        sum += x[row * static_cast<size_t>(m) + i];
      EXPECT_NEAR(out[row], double(sum), double(2 * m + 1) * double(m + 1) * 0x1p-52);
    }
  }
}

// A vector loop around a serial one: a sum for each lane, in order, so the interpreter agrees.
TEST(CodegenReduce, ColumnSums) {
  const std::string_view text = R"(kernel columns(x: f32[n * m] in, out: f32[m] out; n, m) {
  for i0 in m @vector {
    var v0: f32 = 0.0
    for i1 in n {
      let v1: f32 = x[i1 * m + i0]
      v0 sum= v1
    }
    out[i0] = v0
  }
}
)";
  for (const int64_t m : {1, 15, 16, 40, 64, 70, 130}) {
    expect_like_interpreter(text, {50, m}, random_vector(50 * m, 6),
                            std::vector<float>(static_cast<size_t>(m)));
  }
}

TEST(CodegenReduce, Softmax) {
  const Runnable kernel(R"(kernel softmax(x: f32[n * m] in, out: f32[n * m] out; n, m) grain 2 {
  for i0 in n @cpu_thread {
    var v0: f32 = -inf
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
      let v4: f32 = exp(x[m * i0 + i1] - v0) / v2
      out[m * i0 + i1] = v4
    }
  }
}
)");
  for (const int64_t m : {1, 10, 64, 100}) {
    const int64_t n = 9;
    const auto x = random_vector(n * m, 1, -8, 8);
    std::vector<float> one(x.size(), NAN);
    std::vector<float> two(x.size(), NAN);
    {
      const ScopedKnob threads(Knob::threads, 1);
      ASSERT_EQ(kernel({n, m}, x, one), KernelStatus::ok);
    }
    {
      const ScopedKnob threads(Knob::threads, 2);
      ASSERT_EQ(kernel({n, m}, x, two), KernelStatus::ok);
    }
    EXPECT_EQ(0, std::memcmp(one.data(), two.data(), one.size() * sizeof(float)));
    for (int64_t i = 0; i < n; ++i) {
      const float* const row = x.data() + i * m;
      const double largest = *std::max_element(row, row + m);
      double sum = 0;
      for (int64_t j = 0; j < m; ++j) sum += std::exp(double(row[j]) - largest);
      for (int64_t j = 0; j < m; ++j) {
        const double expected = std::exp(double(row[j]) - largest) / sum;
        ASSERT_NEAR(one[static_cast<size_t>(i * m + j)], expected,
                    expected * double(16 + m) * kUnit);
      }
    }
  }
}

// A condition that differs from lane to lane keeps the others out of the sum.
TEST(CodegenReduce, MaskedSum) {
  const std::string_view text = R"(kernel positives(x: f32[n] in, out: i64[2] out; n) {
  var v0: i64 = 0
  var v1: i64 = 100
  for i0 in n @vector {
    if 0.0 < x[i0] {
      let v2: i64 = i0
      v0 sum= v2
      v1 min= v2
    }
  }
  out[0] = v0
  out[1] = v1
}
)";
  for (const int64_t n : {0, 1, 9, 16, 50, 200}) {
    expect_like_interpreter(text, {n}, random_vector(n, 11), std::vector<int64_t>(2));
  }
}

}  // namespace
}  // namespace ridge::codegen::reduce_test
