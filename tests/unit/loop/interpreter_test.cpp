#include "ridge/loop/interpreter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ridge/core/dtype.h"
#include "ridge/expr/evaluate.h"
#include "tests/unit/loop/run_kernel.h"
#include "tests/unit/loop/sample_kernels.h"

namespace ridge::loop::interpreter_test {
namespace {

constexpr float kUnit = std::numeric_limits<float>::epsilon();

TEST(LoopInterpreter, SoftmaxOfRows) {
  const int64_t n = 5, m = 37;
  const auto x = random_vector(n * m, 1, -8, 8);
  for (const int lanes : {1, 4, 8, 64}) {
    for (const bool reverse : {false, true}) {
      std::vector<float> out(x.size(), NAN);
      const Counts counts =
          run_text(kSoftmax, {n, m}, {.lanes = lanes, .reverse_tasks = reverse}, x, out);
      EXPECT_EQ(counts.status, KernelStatus::ok);
      EXPECT_EQ(counts.loads.elements, 3 * n * m);
      EXPECT_EQ(counts.loads.bytes, 3 * n * m * 4);
      EXPECT_EQ(counts.stores.elements, n * m);
      for (int64_t i = 0; i < n; ++i) {
        const float* const row = x.data() + i * m;
        const double largest = *std::max_element(row, row + m);
        double sum = 0;
        for (int64_t j = 0; j < m; ++j) sum += std::exp(row[j] - largest);
        for (int64_t j = 0; j < m; ++j) {
          const double expected = std::exp(row[j] - largest) / sum;
          // The difference is up to 16, so its rounding moves exp by 16 ulp; then m additions.
          EXPECT_NEAR(out[static_cast<size_t>(i * m + j)], expected, expected * (16 + m) * kUnit);
        }
      }
    }
  }
}

// Each lane of a vector loop keeps a partial: with these numbers the order shows.
TEST(LoopInterpreter, PartialsAreKeptByLaneAndCombinedInOrder) {
  const std::string_view text = R"(kernel sum(x: f32[n] in, out: f32[1] out; n) {
  var v0: f32 = 1.0
  for i0 in n @vector {
    let v1: f32 = x[i0]
    v0 sum= v1
  }
  out[0] = v0
}
)";
  const auto x = random_vector(1000, 3, 1, 2);
  const auto expected = [&](size_t lanes) {
    std::vector<float> partials(lanes);
    for (size_t i = 0; i < x.size(); ++i) partials[i % lanes] += x[i];
    float sum = 1;
    for (const float partial : partials) sum += partial;
    return sum;
  };
  for (const int lanes : {1, 8, 32}) {
    std::vector<float> out(1);
    run_text(text, {1000}, {.lanes = lanes}, x, out);
    EXPECT_EQ(out[0], expected(static_cast<size_t>(lanes))) << lanes;
  }
  EXPECT_NE(expected(1), expected(8));
}

TEST(LoopInterpreter, ColumnSums) {
  const std::string_view text = R"(kernel column_sum(x: f64[n * m] in, out: f64[m] out; n, m) {
  for i0 in (m + 15) // 16 @cpu_thread {
    for i1 in 16 @vector {
      if i0 * 16 + i1 < m {
        var v0: f64 = 0.0
        for i2 in n {
          let v1: f64 = x[m * i2 + i0 * 16 + i1]
          v0 sum= v1
        }
        out[i0 * 16 + i1] = v0
      }
    }
  }
}
)";
  const int64_t n = 9, m = 21;
  const auto x = random_vector<double>(n * m, 4);
  std::vector<double> out(m, NAN);
  run_text(text, {n, m}, {}, x, out);
  for (size_t j = 0; j < m; ++j) {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) sum += x[i * m + j];
    EXPECT_EQ(out[j], sum);  // the same order, all in double
  }
}

TEST(LoopInterpreter, MaskedTailsDoNotCount) {
  const std::string_view text = R"(kernel masked(x: f32[n] in, out: f32[2] out; n) {
  var v0: f32 = inf
  var v1: f32 = 1.0
  for i0 in (n + 7) // 8 * 8 @vector {
    if i0 < n {
      let v2: f32 = x[i0]
      v0 min= v2
    }
    let v3: f32 = select(i0 < n, x[i0], 1.0)
    v1 prod= v3
  }
  out[0] = v0
  out[1] = v1
}
)";
  const auto x = random_vector(13, 5, 0.5, 1.5);
  std::vector<float> out(2);
  const Counts counts = run_text(text, {13}, {}, x, out);
  EXPECT_EQ(out[0], *std::min_element(x.begin(), x.end()));
  double product = 1;
  for (const float value : x) product *= value;
  EXPECT_NEAR(out[1], product, product * 21 * kUnit);
  EXPECT_EQ(counts.loads.elements, 2 * 13);
}

constexpr std::string_view kGather =
    R"(kernel gather(x: f32[m] in, ids: i64[n] in, out: f32[n] out; n, m) {
  for i0 in n @cpu_thread {
    let v0: f32 = x[checked_index(ids[i0], m)]
    out[i0] = v0
  }
}
)";

TEST(LoopInterpreter, GatherReportsABadIndex) {
  const auto x = random_vector(4, 6);
  std::vector<int64_t> ids = {3, 0, 2};
  std::vector<float> out(3);
  EXPECT_EQ(run_text(kGather, {3, 4}, {}, x, ids, out).status, KernelStatus::ok);
  EXPECT_EQ(out, (std::vector{x[3], x[0], x[2]}));
  for (const int64_t bad : {int64_t{4}, int64_t{-1}}) {
    ids[1] = bad;
    EXPECT_EQ(run_text(kGather, {3, 4}, {}, x, ids, out).status, KernelStatus::index_out_of_range);
    EXPECT_EQ(out[2], x[2]);  // the rest is done all the same
  }
  // Nothing to fall back to: the loads are left out.
  EXPECT_EQ(run_text(kGather, {3, 0}, {}, x, ids, out).status, KernelStatus::index_out_of_range);
}

TEST(LoopInterpreter, IntegerErrorsAreReported) {
  const auto status = [](std::string_view expression, int64_t value) {
    const std::string text =
        "kernel k(ids: i64[1] in, out: i64[1] out) {\n  let v0: i64 = " + std::string(expression) +
        "\n  out[0] = v0\n}\n";
    std::vector<int64_t> ids = {value}, out = {7};
    const KernelStatus result = run_text(text, {}, {}, ids, out).status;
    EXPECT_TRUE(result == KernelStatus::ok || out[0] == 0);
    return result;
  };
  EXPECT_EQ(status("5 // ids[0]", 0), KernelStatus::division_by_zero);
  EXPECT_EQ(status("5 % ids[0]", 0), KernelStatus::division_by_zero);
  EXPECT_EQ(status("5 % ids[0]", -3), KernelStatus::ok);
  EXPECT_EQ(status("pow(2, ids[0])", -1), KernelStatus::negative_exponent);
  // The first one stays, and a side that is not chosen reports nothing.
  EXPECT_EQ(status("checked_index(ids[0], 2) + 1 // (ids[0] - 5)", 5),
            KernelStatus::index_out_of_range);
  EXPECT_EQ(status("select(ids[0] == 0, 1, 5 // ids[0])", 0), KernelStatus::ok);
}

TEST(LoopInterpreter, AccessesOutOfBoundsAreFound) {
  const std::string_view text = R"(kernel shift(x: f32[n] in, out: f32[n] out; n, by) {
  for i0 in n {
    let v0: f32 = x[i0]
    out[i0 + by] = v0
  }
}
)";
  const auto x = random_vector(4, 7);
  std::vector<float> out(4);
  EXPECT_EQ(refusal([&] { run_text(text, {4, 0}, {}, x, out); }), "");
  const std::string message = refusal([&] { run_text(text, {4, 2}, {}, x, out); });
  expect_part(message, "shift: ");
  expect_part(message, "stores within the 4 elements of out");
  expect_part(message, "out[4]");
  expect_part(refusal([&] { run_text(text, {4, -1}, {}, x, out); }), "out[-1]");
}

// Position of the first largest element, and NaN counts as the largest.
TEST(LoopInterpreter, ArgmaxByAssign) {
  const std::string_view text = R"(kernel argmax(x: f32[n * m] in, out: i64[n] out; n, m) {
  for i0 in n @cpu_thread {
    var v0: f32 = x[m * i0]
    var v1: i64 = 0
    for i1 in m {
      let v2: f32 = x[m * i0 + i1]
      if v0 < v2 || is_nan(v2) && !is_nan(v0) {
        v0 = v2
        v1 = i1
      }
    }
    out[i0] = v1
  }
}
)";
  const std::vector<float> x = {1, 5, 5, -2, -3, -1, -7, -1, 0, NAN, 9, NAN};
  std::vector<int64_t> out(3);
  run_text(text, {3, 4}, {.reverse_tasks = true}, x, out);
  EXPECT_EQ(out, (std::vector<int64_t>{1, 1, 1}));
}

TEST(LoopInterpreter, ContractionWithEpilogue) {
  const int64_t n = 7, m = 11, k = 19;
  const auto a = random_vector<BFloat16>(n * k, 8);
  const auto b = random_vector<BFloat16>(k * m, 9);
  const auto bias = random_vector(m, 10);
  std::vector<BFloat16> out(static_cast<size_t>(n * m));
  const Counts counts = run_text(kMatmul, {n, m, k}, {}, a, b, bias, out);
  EXPECT_EQ(counts.buffers[0].loads.elements, n * m * k);
  EXPECT_EQ(counts.buffers[2].loads.elements, n * m);
  EXPECT_EQ(counts.stores.bytes, n * m * 2);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < m; ++j) {
      float sum = 0;  // products of bf16 are exact in f32, so this is all the rounding there is
      for (size_t l = 0; l < k; ++l) {
        sum += static_cast<float>(a[i * k + l]) * static_cast<float>(b[l * m + j]);
      }
      const float expected = std::max(sum + bias[j], 0.0f);
      EXPECT_EQ(out[i * m + j], BFloat16(static_cast<double>(expected)));
    }
  }
}

TEST(LoopInterpreter, IntegerContraction) {
  const std::string_view text = R"(kernel dot(a: i8[n * k] in, b: u8[k] in, out: i32[n] out; n, k) {
  contract v0: i64 over i0 in n, i1 in 1, sum i2 in k of a[i0 * k + i2], b[i2] {
    out[i0 + i1] = v0
  }
}
)";
  const std::vector<int8_t> a = {-128, 127, 3, 5, -6, 7};
  const std::vector<uint8_t> b = {255, 200, 1};
  std::vector<int32_t> out(2);
  run_text(text, {2, 3}, {}, a, b, out);
  EXPECT_EQ(out, (std::vector<int32_t>{-128 * 255 + 127 * 200 + 3, 5 * 255 - 6 * 200 + 7}));
}

// Loads widen, stores convert: i32 and i8 wrap, a real is truncated, bool is "not zero".
TEST(LoopInterpreter, ElementTypes) {
  const std::string_view text =
      R"(kernel convert(h: f16[n] in, i: i32[n] in, b: bool[n] in, half: f16[n] out, small: i8[n] out, flag: bool[n] out, wide: f64[n] out; n) {
  for i0 in n @vector {
    let v0: f32 = h[i0] * 3.0
    let v1: i64 = i[i0] * 1000
    let v2: f64 = real(v1) / 3.0 + select(b[i0], 0.5, 0.25)
    half[i0] = v0
    small[i0] = v1
    flag[i0] = v0
    wide[i0] = v2
  }
}
)";
  const auto h = random_vector<Half>(19, 12);
  std::vector<int32_t> i;
  for (const float value : random_vector(19, 13, -1e9, 1e9))
    i.push_back(static_cast<int32_t>(value));
  std::vector<uint8_t> b;  // bytes other than 0 and 1 are true as well
  for (int j = 0; j < 19; ++j) b.push_back(static_cast<uint8_t>(j % 3));
  std::vector<Half> half(19);
  std::vector<int8_t> small(19);
  std::vector<uint8_t> flag(19);
  std::vector<double> wide(19);
  run_text(text, {19}, {}, h, i, b, half, small, flag, wide);
  for (size_t j = 0; j < 19; ++j) {
    const float tripled = static_cast<float>(h[j]) * 3.0f;
    const int64_t thousand = int64_t{i[j]} * 1000;
    EXPECT_EQ(half[j], Half(static_cast<double>(tripled)));
    EXPECT_EQ(small[j], static_cast<int8_t>(thousand));
    EXPECT_EQ(flag[j], tripled != 0 ? 1 : 0);
    EXPECT_EQ(wide[j], static_cast<double>(thousand) / 3.0 + (b[j] != 0 ? 0.5 : 0.25));
  }
}

// The same sum of three in f32, in f64, in f64 with an f32 result, and through bf16.
TEST(LoopInterpreter, ArithmeticAndRounding) {
  const std::string_view text = R"(kernel round(x: f64[3] in, out: f64[5] out) {
  let v0: f32 = x[0] + x[1] * 0.1 - x[2]
  let v1: f64 = x[0] + x[1] * 0.1 - x[2]
  let v2: f32 = x[0] + x[1] * 0.1 - x[2] in f64
  let v3: f32 = x[0] + x[1] * 0.1 - x[2] in f64 as bf16
  let v4: f64 = v1 * 3.0 in f32
  out[0] = v0
  out[1] = v1
  out[2] = v2
  out[3] = v3
  out[4] = v4
}
)";
  for (uint64_t seed = 20; seed < 40; ++seed) {
    const auto x = random_vector<double>(3, seed, 1, 1000);
    std::vector<double> out(5);
    run_text(text, {}, {}, x, out);
    const auto narrow = [&](size_t i) { return static_cast<float>(x[i]); };
    const float product = narrow(1) * 0.1f;
    const float sum = narrow(0) + product;
    const double wide = x[0] + x[1] * 0.1 - x[2];
    EXPECT_EQ(out[0], sum - narrow(2));
    EXPECT_EQ(out[1], wide);
    EXPECT_EQ(out[2], static_cast<float>(wide));
    EXPECT_EQ(out[3], static_cast<double>(BFloat16(wide)));
    EXPECT_EQ(out[4], static_cast<float>(wide) * 3.0f);
  }
}

TEST(LoopInterpreter, LogicAndIntegerReductions) {
  const std::string_view text = R"(kernel logic(x: i32[n] in, out: i64[6] out; n) {
  var v0: bool = false
  var v1: bool = true
  var v2: i64 = 100
  var v3: i64 = -100
  var v4: i64 = 0
  for i0 in n @vector {
    let v5: i64 = x[i0]
    let v6: bool = v5 == 3
    v0 any= v6
    let v7: bool = v5 < 9
    v1 all= v7
    v2 min= v5
    v3 max= v5
    v4 sum= v5
  }
  out[0] = v0
  out[1] = v1
  out[2] = v2
  out[3] = v3
  out[4] = v4
  let v8: i64 = philox(7, 0, 3, 5, 1)
  out[5] = v8
}
)";
  const std::vector<int32_t> x = {4, -2, 8, 3, 7, 1, 0, 5, 6, 2, 8};
  std::vector<int64_t> out(6);
  run_text(text, {11}, {}, x, out);
  EXPECT_EQ(out, (std::vector<int64_t>{1, 1, -2, 8, 42, expr::philox(7, 0, 3, 5, 1)}));
  run_text(text, {3}, {}, x, out);
  EXPECT_EQ(out[0], 0);
  run_text(text, {0}, {}, x, out);
  EXPECT_EQ(out, (std::vector<int64_t>{0, 1, 100, -100, 0, expr::philox(7, 0, 3, 5, 1)}));
}

// A side that a lane does not choose may be out of bounds, and a value shared by two sides of
// different selects is computed where it is needed only.
TEST(LoopInterpreter, SelectEvaluatesTheChosenSideOnly) {
  const std::string_view text = R"(kernel pad(x: f32[n] in, out: f32[n + 4] out; n) {
  for i0 in n + 4 @vector {
    let v0: f32 = select(i0 < 2, 0.5, select(i0 < n + 2, x[i0 - 2], -0.5)) + select(i0 < 2 || n + 2 <= i0, 0.0, x[i0 - 2] * 2.0)
    out[i0] = v0
  }
}
)";
  const auto x = random_vector(9, 14);
  std::vector<float> out(13);
  const Counts counts = run_text(text, {9}, {.lanes = 4}, x, out);
  for (size_t i = 0; i < 13; ++i) {
    const float expected = i < 2 ? 0.5f : i < 11 ? x[i - 2] + x[i - 2] * 2.0f : -0.5f;
    EXPECT_EQ(out[i], expected) << i;
  }
  EXPECT_EQ(counts.loads.elements, 9);
}

TEST(LoopInterpreter, RacesBetweenTasksAreFound) {
  const auto text = [](std::string_view statements) {
    return "kernel tasks(x: f32[n] in, out: f32[n] in_out; n) {\n  for i0 in n @cpu_thread {\n" +
           std::string(statements) + "  }\n}\n";
  };
  const auto x = random_vector(6, 15);
  std::vector<float> out(6);
  const auto message = [&](std::string_view statements, Options options = {}) {
    return refusal([&] { run_text(text(statements), {6}, options, x, out); });
  };
  EXPECT_EQ(message("let v0: f32 = out[i0] + x[0]\nout[i0] = v0\n"), "");
  expect_part(message("let v0: f32 = x[i0]\nout[i0 // 2] = v0\n"),
              "a race at out[0] between task 0 and task 1");
  const std::string_view neighbor = "let v0: f32 = out[(i0 + 1) % n]\nout[i0] = v0\n";
  expect_part(message(neighbor), "a race at out[1] between task 0 and task 1");
  expect_part(message(neighbor, {.reverse_tasks = true}),
              "a race at out[5] between task 5 and task 4");
  const Counts counted = run_text(text(neighbor), {6}, {.on_race = OnRace::count}, x, out);
  EXPECT_EQ(counted.races, 6);
  EXPECT_EQ(run_text(text(neighbor), {6}, {.on_race = OnRace::ignore}, x, out).races, 0);
}

TEST(LoopInterpreter, RacesBetweenLanesAreFound) {
  const std::string_view text = R"(kernel lanes(x: f32[n] in, out: f32[n] in_out; n, by) {
  for i0 in n @vector {
    let v0: f32 = x[i0]
    out[i0 // by] = v0
  }
  for i0 in n @vector {
    let v1: f32 = out[n - 1 - i0]
  }
}
)";
  const auto x = random_vector(6, 16);
  std::vector<float> out(6);
  EXPECT_EQ(refusal([&] { run_text(text, {6, 1}, {}, x, out); }), "");
  expect_part(refusal([&] { run_text(text, {6, 2}, {}, x, out); }),
              "between iteration 0 of task 0 and iteration 1 of task 0");
}

// A chain of selects over shared values, each twice as large as the one before if copied.
TEST(LoopInterpreter, SharedSidesDoNotGrow) {
  Expr e = expr::load(0, expr::Type::real, {expr::axis(0)});
  for (int i = 0; i < 60; ++i) e = expr::select(expr::axis(0) < i, e + 1.0, e * 0.5);
  Kernel kernel = parse(
      "kernel chain(x: f64[64] in, out: f64[64] out) {\n  for i0 in 64 @vector {\n    let v0: f64 "
      "= "
      "x[i0]\n    out[i0] = v0\n  }\n}\n");
  std::get<Let>(std::get<Loop>(kernel.body[0].kind).body[0].kind).expression = e;
  const auto x = random_vector<double>(64, 17);
  std::vector<double> out(64);
  const std::vector<void*> buffers = {const_cast<double*>(x.data()), out.data()};
  const Counts counts = run(kernel, buffers, {});
  for (size_t j = 0; j < 64; ++j) {
    double expected = x[j];
    for (size_t i = 0; i < 60; ++i) expected = j < i ? expected + 1.0 : expected * 0.5;
    EXPECT_EQ(out[j], expected);
  }
  EXPECT_EQ(counts.loads.elements, 64);
}

}  // namespace
}  // namespace ridge::loop::interpreter_test
