// Products on a real device, by cuBLASLt and by generated kernels, against sums in double precision.
// Every test is skipped, with one line, where there is none.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "ridge/base/knobs.h"
#include "ridge/base/random.h"
#include "ridge/core/device_copy.h"
#include "ridge/core/element_cast.h"
#include "ridge/driver/compile.h"
#include "ridge/ridge.h"
#include "ridge/runtime/cuda/cublaslt_api.h"
#include "ridge/runtime/cuda/cuda_runtime.h"
#include "ridge/runtime/cuda/driver_api.h"

namespace ridge::runtime::cuda::matmul_gpu_test {
namespace {

constexpr Device kDevice{DeviceKind::cuda, 0};

struct GpuCase {
  int64_t m, n, k, batch = 1;
};

constexpr GpuCase kShapes[] = {{128, 128, 64}, {256, 384, 512},  {1, 1000, 768},   {1000, 1, 300},
                               {1, 1, 513},    {33, 65, 127},    {129, 255, 31},   {7, 5, 1},
                               {64, 64, 4096}, {100, 200, 8, 3}, {64, 64, 32, 16}, {50, 70, 90, 5}};

enum class Path { library, generated };

class MatmulGpuTest : public testing::TestWithParam<Path> {
 protected:
  void SetUp() override {
    if (!register_cuda_runtime()) GTEST_SKIP() << cuda_availability().reason;
    const bool has_library = cublaslt_availability().is_available;
    if (GetParam() == Path::library && !has_library) GTEST_SKIP() << cublaslt_availability().reason;
    if (GetParam() == Path::generated) without_.emplace(Knob::disable, "cublaslt");
  }

 private:
  std::optional<ScopedKnob> without_;
};

Tensor random_tensor(const Shape& shape, DType dtype, SplitMix64& random) {
  Tensor tensor = Tensor::empty(shape, dtype);
  const int64_t count = numel(shape).value();
  for (int64_t i = 0; i < count; ++i) {
    const double value = random.uniform(-1, 1);
    store_element(dtype, tensor.raw_data(), i,
                  is_floating(dtype) ? expr::Number::of(value)
                                     : expr::Number::of(static_cast<int64_t>(50 * value)));
  }
  return tensor;
}

double element(const Tensor& tensor, int64_t index) {
  return load_element(tensor.dtype(), tensor.raw_data(), index).as_real();
}

// As doubles, once: a sum reads each of them often.
std::vector<double> elements(const Tensor& tensor) {
  std::vector<double> values(static_cast<size_t>(numel(tensor.shape()).value()));
  for (size_t i = 0; i < values.size(); ++i) values[i] = element(tensor, static_cast<int64_t>(i));
  return values;
}

struct Layout {
  bool is_lhs_transposed, is_rhs_transposed;
};

Shape matrix(const GpuCase& c, int64_t rows, int64_t columns, bool is_transposed) {
  if (is_transposed) std::swap(rows, columns);
  return c.batch == 1 ? Shape{rows, columns} : Shape{c.batch, rows, columns};
}

// Errors of a sum grow with the root of its length, at worst with the length; rounded once more where
// it is stored.
void expect_product(const GpuCase& c, const Layout& layout, const Tensor& lhs, const Tensor& rhs,
                    const Tensor& out, DType sum) {
  const std::vector<double> lhs_values = elements(lhs), rhs_values = elements(rhs);
  const double rounding = epsilon(out.dtype()), summing = is_floating(sum) ? epsilon(sum) : 0;
  for (int64_t i = 0; i < c.batch * c.m * c.n; ++i) {
    const int64_t n = i % c.n, m = i / c.n % c.m, b = i / c.n / c.m;
    double expected = 0, magnitude = 0;
    for (int64_t k = 0; k < c.k; ++k) {
      const int64_t left = layout.is_lhs_transposed ? k * c.m + m : m * c.k + k;
      const int64_t right = layout.is_rhs_transposed ? n * c.k + k : k * c.n + n;
      const double product = lhs_values[static_cast<size_t>(b * c.m * c.k + left)] *
                             rhs_values[static_cast<size_t>(b * c.k * c.n + right)];
      expected += product;
      magnitude += std::abs(product);
    }
    const double bound =
        is_floating(out.dtype())
            ? rounding * std::abs(expected) + 2 * summing * static_cast<double>(c.k) * magnitude
            : 0;
    ASSERT_NEAR(element(out, i), expected, bound)
        << c.m << " x " << c.n << " x " << c.k << " at " << i << ", " << name(out.dtype());
  }
}

void check(const GpuCase& c, const Layout& layout, DType lhs_dtype, DType rhs_dtype) {
  SplitMix64 random(static_cast<uint64_t>(c.m * 31 + c.n * 7 + c.k));
  const Tensor lhs =
      random_tensor(matrix(c, c.m, c.k, layout.is_lhs_transposed), lhs_dtype, random);
  const Tensor rhs =
      random_tensor(matrix(c, c.k, c.n, layout.is_rhs_transposed), rhs_dtype, random);
  const auto product = compile([&](const Tensor& x, const Tensor& y) {
    return matmul(layout.is_lhs_transposed ? transpose(x, -1, -2) : x,
                  layout.is_rhs_transposed ? transpose(y, -1, -2) : y);
  });
  const Tensor out = to_device(product(to_device(lhs, kDevice), to_device(rhs, kDevice)), kCpu);
  expect_product(c, layout, lhs, rhs, out,
                 out.dtype() == f64 || !is_floating(out.dtype()) ? out.dtype() : f32);
}

TEST_P(MatmulGpuTest, ShapesAndTypes) {
  for (const GpuCase& c : kShapes) {
    for (const DType dtype : {f32, bf16, f16, f64}) {
      check(c, {false, false}, dtype, dtype);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(MatmulGpuTest, Transposes) {
  for (const GpuCase& c : {kShapes[1], kShapes[5], kShapes[9]}) {
    for (const DType dtype : {f32, bf16}) {
      for (const Layout& layout : {Layout{true, false}, {false, true}, {true, true}}) {
        check(c, layout, dtype, dtype);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(MatmulGpuTest, TypesThatTheLibraryLacks) {
  check({.m = 65, .n = 40, .k = 33}, {false, false}, i64, i64);
  check({.m = 65, .n = 40, .k = 33}, {false, true}, bf16, f32);
}

TEST_P(MatmulGpuTest, ASumOfNothing) {
  const auto product = compile([](const Tensor& x, const Tensor& y) { return matmul(x, y); });
  const Tensor x = Tensor::empty({3, 0}, f32, kDevice), y = Tensor::empty({0, 5}, f32, kDevice);
  const Tensor out = to_device(product(x, y), kCpu);
  for (int64_t i = 0; i < 15; ++i) EXPECT_EQ(element(out, i), 0);
}

// Work around a product, and a view that starts off the alignment.
TEST_P(MatmulGpuTest, WithWorkAroundItAndUnalignedInputs) {
  SplitMix64 random(5);
  const Tensor x = random_tensor({64, 96}, f32, random), w = random_tensor({80, 95}, f32, random);
  const Tensor bias = random_tensor({80}, f32, random);
  const auto layer = compile(
      [](const Tensor& a, const Tensor& b, const Tensor& c) { return tanh(linear(a, b, c)); });
  const Tensor view = slice(to_device(x, kDevice), 1, 1, 96);
  const Tensor out = to_device(layer(view, to_device(w, kDevice), to_device(bias, kDevice)), kCpu);
  for (int64_t i = 0; i < 64 * 80; ++i) {
    double sum = element(bias, i % 80), magnitude = 0;
    for (int64_t k = 0; k < 95; ++k) {
      const double product = element(x, i / 80 * 96 + k + 1) * element(w, i % 80 * 95 + k);
      sum += product;
      magnitude += std::abs(product);
    }
    ASSERT_NEAR(element(out, i), std::tanh(sum), 4 * 95 * epsilon(f32) * magnitude + 1e-6);
  }
}

TEST_P(MatmulGpuTest, HeadsOfAttention) {
  SplitMix64 random(6);
  const Tensor q = random_tensor({2, 9, 3, 16}, bf16, random);
  const Tensor k = random_tensor({2, 9, 3, 16}, bf16, random);
  const auto scores = compile([](const Tensor& a, const Tensor& b) {
    return matmul(transpose(a, 1, 2), transpose(transpose(b, 1, 2), -1, -2));
  });
  const Tensor out = to_device(scores(to_device(q, kDevice), to_device(k, kDevice)), kCpu);
  for (int64_t i = 0; i < 2 * 3 * 9 * 9; ++i) {
    const int64_t column = i % 9, row = i / 9 % 9, head = i / 81 % 3, batch = i / 243;
    double sum = 0;
    for (int64_t d = 0; d < 16; ++d) {
      sum += element(q, ((batch * 9 + row) * 3 + head) * 16 + d) *
             element(k, ((batch * 9 + column) * 3 + head) * 16 + d);
    }
    ASSERT_NEAR(element(out, i), sum, epsilon(bf16) * std::abs(sum) + 1e-5);
  }
}

TEST_P(MatmulGpuTest, TheSameBitsEveryTime) {
  SplitMix64 random(8);
  const Tensor x = to_device(random_tensor({64, 8192}, bf16, random), kDevice);
  const Tensor y = to_device(random_tensor({8192, 64}, bf16, random), kDevice);
  const auto product = compile([](const Tensor& a, const Tensor& b) { return matmul(a, b); });
  const Tensor first = to_device(product(x, y), kCpu);
  for (int turn = 0; turn < 20; ++turn) {
    const Tensor again = to_device(product(x, y), kCpu);
    for (int64_t i = 0; i < 64 * 64; ++i) ASSERT_EQ(element(again, i), element(first, i));
  }
}

INSTANTIATE_TEST_SUITE_P(Paths, MatmulGpuTest, testing::Values(Path::library, Path::generated),
                         [](const auto& parameter) {
                           return parameter.param == Path::library ? "cublaslt" : "generated";
                         });

}  // namespace
}  // namespace ridge::runtime::cuda::matmul_gpu_test
