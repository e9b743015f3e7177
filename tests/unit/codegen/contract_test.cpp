// Contractions against plain sums, at sizes around every edge of a tile.
#include <limits>

#include "ridge/base/knobs.h"
#include "ridge/base/text.h"
#include "ridge/core/dtype.h"
#include "tests/unit/codegen/run_generated.h"

namespace ridge::codegen::contract_test {
namespace {

struct Sizes {
  int64_t m, n, k;
};

// How the operands lie in memory, as index expressions.
struct Layout {
  std::string_view lhs, rhs;
};
constexpr Layout kPlain{"i0 * k + i2", "i2 * n + i1"};
constexpr Layout kRhsTransposed{"i0 * k + i2", "i1 * k + i2"};
constexpr Layout kLhsTransposed{"i2 * m + i0", "i2 * n + i1"};
// As a reshaped transpose has them: 16 of k, then those of the next row.
constexpr Layout kInPieces{"16 * i0 + 16 * m * (i2 // 16) + i2 % 16", "i2 * n + i1"};
constexpr Layout kOdd{"(i0 * k + i2) * 2", "(i2 * n + i1) * 2"};

std::string text_of(Layout layout, std::string_view type, std::string_view accumulator,
                    std::string_view factor = "") {
  return concat("kernel product(a: ", type, "[2 * m * k] in, b: ", type,
                "[2 * k * n] in, out: ", accumulator,
                "[m * n] out; m, n, k) {\n  contract v0: ", accumulator,
                " over i0 in m, i1 in n, sum i2 in k of a[", layout.lhs, "]", factor, ", b[",
                layout.rhs, "]", factor, " {\n    out[i0 * n + i1] = v0\n  }\n}\n");
}

int64_t lhs_at(const Layout& layout, Sizes s, int64_t i, int64_t t) {
  if (layout.lhs == kLhsTransposed.lhs) return t * s.m + i;
  if (layout.lhs == kInPieces.lhs) return 16 * i + 16 * s.m * (t / 16) + t % 16;
  return (i * s.k + t) * (layout.lhs == kOdd.lhs ? 2 : 1);
}
int64_t rhs_at(const Layout& layout, Sizes s, int64_t t, int64_t j) {
  if (layout.rhs == kRhsTransposed.rhs) return j * s.k + t;
  return (t * s.n + j) * (layout.rhs == kOdd.rhs ? 2 : 1);
}

template <class T, class Sum>
void expect_product(const Runnable& kernel, const Layout& layout, Sizes s, double unit) {
  const auto a = random_vector<T>(2 * s.m * s.k, 1, -9, 9);
  const auto b = random_vector<T>(2 * s.k * s.n, 2, -9, 9);
  std::vector<Sum> out(static_cast<size_t>(s.m * s.n) + 3, Sum(77));
  ASSERT_EQ(kernel({s.m, s.n, s.k}, a, b, out), KernelStatus::ok);
  for (int64_t i = 0; i < s.m; ++i) {
    for (int64_t j = 0; j < s.n; ++j) {
      double expected = 0;
      double magnitude = 0;
      for (int64_t t = 0; t < s.k; ++t) {
        const double product = double(a[static_cast<size_t>(lhs_at(layout, s, i, t))]) *
                               double(b[static_cast<size_t>(rhs_at(layout, s, t, j))]);
        expected += product;
        magnitude += std::abs(product);
      }
      const double actual = double(out[static_cast<size_t>(i * s.n + j)]);
      ASSERT_LE(std::abs(actual - expected), magnitude * unit * double(s.k + 1))
          << s.m << " x " << s.n << " x " << s.k << " at " << i << ", " << j;
    }
  }
  for (size_t i = static_cast<size_t>(s.m * s.n); i < out.size(); ++i) EXPECT_EQ(out[i], Sum(77));
}

const std::vector<Sizes> kSizes = {
    {1, 1, 1},    {1, 40, 3},   {2, 16, 16}, {3, 17, 5},  {7, 33, 300},  {8, 32, 256}, {9, 31, 257},
    {16, 16, 16}, {70, 70, 70}, {300, 5, 2}, {5, 100, 0}, {13, 64, 600}, {10, 600, 40}};

TEST(CodegenContract, EveryLayoutAndEdge) {
  for (const CpuTarget& target : targets()) {
    for (const Layout& layout : {kPlain, kRhsTransposed, kLhsTransposed, kOdd}) {
      const Runnable kernel(text_of(layout, "f32", "f32"), target);
      for (const Sizes& sizes : kSizes) {
        expect_product<float, float>(kernel, layout, sizes, 0x1p-23);
      }
    }
  }
}

TEST(CodegenContract, RowsInPiecesAreNoRuns) {
  for (const CpuTarget& target : targets()) {
    const Runnable floats(text_of(kInPieces, "f32", "f32"), target);
    const Runnable doubles(text_of(kInPieces, "f64", "f64"), target);
    for (const Sizes& sizes : {Sizes{2, 2, 32}, {5, 3, 48}, {9, 31, 256}, {70, 70, 80}}) {
      expect_product<float, float>(floats, kInPieces, sizes, 0x1p-23);
      expect_product<double, double>(doubles, kInPieces, sizes, 0x1p-52);
    }
  }
}

TEST(CodegenContract, SizesThatAreKnown) {
  for (const Layout& layout : {kRhsTransposed, kLhsTransposed}) {
    for (const Sizes& s : kSizes) {
      std::string text = text_of(layout, "f32", "f32");
      text.replace(text.find("i0 in m"), 7, concat("i0 in ", s.m));
      text.replace(text.find("i1 in n"), 7, concat("i1 in ", s.n));
      text.replace(text.find("i2 in k"), 7, concat("i2 in ", s.k));
      expect_product<float, float>(Runnable(text), layout, s, 0x1p-23);
    }
  }
}

TEST(CodegenContract, OtherTypes) {
  for (const CpuTarget& target : targets()) {
    const Runnable doubles(text_of(kPlain, "f64", "f64"), target);
    const Runnable brains(text_of(kRhsTransposed, "bf16", "f32"), target);
    const Runnable halves(text_of(kPlain, "f16", "f32"), target);
    const Runnable integers(text_of(kPlain, "i64", "i64"), target);
    const Runnable bytes(text_of(kRhsTransposed, "i8", "i64"), target);
    for (const Sizes& sizes : kSizes) {
      expect_product<double, double>(doubles, kPlain, sizes, 0x1p-52);
      expect_product<BFloat16, float>(brains, kRhsTransposed, sizes, 0x1p-23);
      expect_product<Half, float>(halves, kPlain, sizes, 0x1p-23);
      expect_product<int64_t, int64_t>(integers, kPlain, sizes, 0);
      expect_product<int8_t, int64_t>(bytes, kRhsTransposed, sizes, 0);
    }
  }
}

// A batch of products over threads with a bias and a relu on the way out, 1 and 2 threads.
TEST(CodegenContract, BatchWithBody) {
  const Runnable kernel(
      R"(kernel batch(a: bf16[c * n * k] in, b: f32[c * k * n] in, bias: f32[n] in, out: bf16[c * n * n] out; c, n, k) {
  for i3 in c @cpu_thread {
    for i4 in (n + 15) // 16 @cpu_thread {
      contract v0: f32 over i0 in min(16, n - 16 * i4), i1 in n, sum i2 in k of exp(a[i3 * n * k + (16 * i4 + i0) * k + i2]), b[i3 * k * n + i2 * n + i1] {
        let v1: f32 = max(v0 + bias[i1], 0.0)
        if i1 != 3 {
          out[i3 * n * n + (16 * i4 + i0) * n + i1] = v1
        }
      }
    }
  }
}
)");
  const int64_t c = 5, n = 37, k = 23;
  const auto a = random_vector<BFloat16>(c * n * k, 1);
  const auto b = random_vector(c * k * n, 2);
  const auto bias = random_vector(n, 3, -20, 20);
  std::vector<BFloat16> one(static_cast<size_t>(c * n * n), BFloat16(-1.0));
  std::vector<BFloat16> two = one;
  {
    const ScopedKnob threads(Knob::threads, 1);
    ASSERT_EQ(kernel({c, n, k}, a, b, bias, one), KernelStatus::ok);
  }
  {
    const ScopedKnob threads(Knob::threads, 2);
    ASSERT_EQ(kernel({c, n, k}, a, b, bias, two), KernelStatus::ok);
  }
  for (int64_t batch = 0; batch < c; ++batch) {
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        const auto at = static_cast<size_t>((batch * n + i) * n + j);
        ASSERT_EQ(one[at].bits, two[at].bits);
        double sum = bias[static_cast<size_t>(j)];
        double magnitude = std::abs(sum);
        for (int64_t t = 0; t < k; ++t) {
          const double product = std::exp(double(a[static_cast<size_t>((batch * n + i) * k + t)])) *
                                 double(b[static_cast<size_t>((batch * k + t) * n + j)]);
          sum += product;
          magnitude += std::abs(product);
        }
        const double expected = j == 3 ? -1 : std::max(sum, 0.0);
        ASSERT_NEAR(double(one[at]), expected, std::abs(expected) * 0x1p-8 + magnitude * 0x1p-18);
      }
    }
  }
}

// Elements are summed in order of k, in blocks that accumulate: with a depth of several blocks and
// numbers that cancel, any other order shows.
TEST(CodegenContract, SumsInOrder) {
  const Runnable kernel(text_of(kPlain, "f32", "f32"));
  const Sizes s{3, 20, 1000};
  std::vector<float> a(static_cast<size_t>(2 * s.m * s.k), 1.0f);
  const auto b = random_vector(2 * s.k * s.n, 5, -1e4, 1e4);
  std::vector<float> out(static_cast<size_t>(s.m * s.n));
  ASSERT_EQ(kernel({s.m, s.n, s.k}, a, b, out), KernelStatus::ok);
  for (int64_t j = 0; j < s.n; ++j) {
    float sum = 0;
    for (int64_t t = 0; t < s.k; ++t) sum += b[static_cast<size_t>(t * s.n + j)];
    EXPECT_EQ(out[static_cast<size_t>(j)], sum);
  }
}

}  // namespace
}  // namespace ridge::codegen::contract_test
