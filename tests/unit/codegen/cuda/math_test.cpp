// Our own sin and cos, as they stand in generated text: less than 2 units in the last place off for
// every float, and no reduction where none is needed.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "tests/unit/codegen/cuda/run_on_host.h"

namespace ridge::codegen::math_test {
namespace {

constexpr int64_t kElements = 64 * 1024;

CudaKernel kernel_of(std::string_view name, std::string_view e) {
  return generate(loop::parse(concat("kernel ", name, "(x: f32[65536] in, out: f32[65536] out) {\n",
                                     "for i0 in 1024 @gpu_block {\nfor i1 in 64 @gpu_thread {\n",
                                     "let v0: f32 = x[64 * i0 + i1]\nlet v1: f32 = ", e,
                                     "\nout[64 * i0 + i1] = v1\n}\n}\n}\n")),
                  {});
}

// How many units in the last place of the exact result.
double error_of(float given, double exact) {
  const float nearest = std::abs(static_cast<float>(exact));
  const double unit = static_cast<double>(std::nextafter(nearest, INFINITY)) - nearest;
  return std::abs(given - exact) / unit;
}

template <class Exact>
void expect_accurate(const HostLibrary& library, const CudaKernel& kernel,
                     const std::vector<float>& x, const Exact& exact) {
  std::vector<float> given = x, out(x.size());
  library.run(kernel, std::vector<void*>{given.data(), out.data()}, {});
  double worst = 0;
  float where = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double error = error_of(out[i], exact(static_cast<double>(x[i])));
    if (error > worst) where = x[i];
    worst = std::max(worst, error);
  }
  EXPECT_LT(worst, 2.0) << kernel.symbol << " of " << where;
}

TEST(CudaMath, SinAndCos) {
  if (!has_host_compiler()) GTEST_SKIP() << "no C++ compiler on this machine";
  const std::vector<CudaKernel> kernels = {
      kernel_of("any_sin", "sin(v0)"), kernel_of("any_cos", "cos(v0)"),
      kernel_of("small_sin", "sin(min(max(v0, -48000.0), 48000.0))"),
      kernel_of("near_sin", "sin(min(max(v0, -1.0), 1.0))"),
      kernel_of("near_cos", "cos(min(max(v0, -1.0), 1.0))")};
  const HostLibrary library(kernels);
  SplitMix64 random(3);
  std::vector<float> any, small, near;  // of all magnitudes that are finite; bounded
  while (any.size() < kElements) {
    const auto x = std::bit_cast<float>(static_cast<uint32_t>(random.next()));
    if (std::isfinite(x)) any.push_back(x);
  }
  for (int64_t i = 0; i < kElements; ++i) {
    small.push_back(static_cast<float>(random.uniform(-48000, 48000)));
    near.push_back(static_cast<float>(random.uniform(-1, 1)));
  }
  const auto sine = [](double x) { return std::sin(x); };
  const auto cosine = [](double x) { return std::cos(x); };
  expect_accurate(library, kernels[0], any, sine);
  expect_accurate(library, kernels[0], small, sine);
  expect_accurate(library, kernels[1], any, cosine);
  expect_accurate(library, kernels[1], small, cosine);
  expect_accurate(library, kernels[2], small, sine);
  expect_accurate(library, kernels[3], near, sine);
  expect_accurate(library, kernels[4], near, cosine);
}

TEST(CudaMath, SinAndCosOfWhatIsNoAngle) {
  if (!has_host_compiler()) GTEST_SKIP() << "no C++ compiler on this machine";
  const std::vector<CudaKernel> kernels = {kernel_of("odd_sin", "sin(v0)"),
                                           kernel_of("odd_cos", "cos(v0)")};
  const HostLibrary library(kernels);
  std::vector<float> x(kElements), sines(kElements), cosines(kElements);
  x[0] = INFINITY, x[1] = -INFINITY, x[2] = NAN, x[3] = -0.0f;
  library.run(kernels[0], std::vector<void*>{x.data(), sines.data()}, {});
  library.run(kernels[1], std::vector<void*>{x.data(), cosines.data()}, {});
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(std::isnan(sines[i])) << i;
    EXPECT_TRUE(std::isnan(cosines[i])) << i;
  }
  EXPECT_EQ(sines[3], 0.0f);
  EXPECT_TRUE(std::signbit(sines[3]));
  EXPECT_EQ(cosines[3], 1.0f);
}

// What may be off by 2^-14, of arguments that have 16 bits themselves. Sums that cancel are no worse.
TEST(CudaMath, FunctionsFor16Bits) {
  if (!has_host_compiler()) GTEST_SKIP() << "no C++ compiler on this machine";
  struct Case {
    std::string_view name, text;
    double (*exact)(double);
    double largest;
  };
  const Case cases[] = {
      {"sin_16", "sin(v0)", [](double x) { return std::sin(x); }, 48000},
      {"cos_16", "cos(v0)", [](double x) { return std::cos(x); }, 48000},
      {"large_sin_16", "sin(v0)", [](double x) { return std::sin(x); }, 1e30},
      {"tanh_16", "tanh(v0)", [](double x) { return std::tanh(x); }, 20},
      {"small_tanh_16", "tanh(v0)", [](double x) { return std::tanh(x); }, 0.1},
      {"one_plus_tanh", "1.0 + tanh(v0)", [](double x) { return 2 / (1 + std::exp(-2 * x)); }, 40},
      {"one_plus_erf", "1.0 + erf(v0)", [](double x) { return std::erfc(-x); }, 9}};
  std::vector<CudaKernel> kernels;
  for (const Case& c : cases) kernels.push_back(kernel_of(c.name, concat(c.text, " for half")));
  const HostLibrary library(kernels);
  SplitMix64 random(7);
  for (size_t k = 0; k < kernels.size(); ++k) {
    const auto& [name, text, exact, largest] = cases[k];
    EXPECT_NE(kernels[k].source.find("16"), std::string::npos) << name;
    std::vector<float> x(kElements), out(kElements);
    for (float& value : x) {
      const auto any = static_cast<float>(random.uniform(-largest, largest));
      value = std::bit_cast<float>(std::bit_cast<uint32_t>(any) & 0xffff0000);
    }
    library.run(kernels[k], std::vector<void*>{x.data(), out.data()}, {});
    for (size_t i = 0; i < x.size(); ++i) {
      const double expected = exact(static_cast<double>(x[i]));
      ASSERT_LE(std::abs(out[i] - expected), 0x1p-14 * std::abs(expected))
          << name << " of " << x[i];
    }
  }
}

}  // namespace
}  // namespace ridge::codegen::math_test
