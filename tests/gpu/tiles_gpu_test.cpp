// How fast the golden kernels over mapped tiles are beside cuBLASLt, one launch after the other. Whole programs are
// measured by `ridge products`; this is for a kernel before any program has it:
//
//   ridge_gpu_tests --gtest_also_run_disabled_tests --gtest_filter='*TilesGpuTest*'
#include <chrono>
#include <cmath>
#include <cstdio>

#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/runtime/cuda/cublaslt_api.h"
#include "ridge/runtime/cuda/matmul.h"
#include "tests/gpu/tile_kernel.h"
#include "tests/gpu/tile_kernel_checks.h"

namespace ridge::runtime::cuda::tiles_gpu_test {
namespace {

using golden::ProductSizes;
using golden::TileKernel;
using golden::TileOperands;

class TilesGpuTest : public CudaGpuTest {
 protected:
  void SetUp() override {
    CudaGpuTest::SetUp();
    if (IsSkipped()) return;
    if (arch_name(device_properties(0)) != "sm_90a") GTEST_SKIP() << "kernels are for sm_90a";
  }
};

// Alone for over a second, of which the second half counts: at the power limit, what ran before decides.
double seconds_each(const std::function<void()>& launch, Stream stream) {
  using Clock = std::chrono::steady_clock;
  const auto seconds_since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  constexpr double kHalf = 0.7;
  constexpr int kBatch = 50;
  double result = 0;
  for (int half = 0; half < 2; ++half) {
    const auto begin = Clock::now();
    int64_t count = 0;
    while (seconds_since(begin) < kHalf) {
      for (int i = 0; i < kBatch; ++i) launch();
      cuda_runtime().synchronize(stream);
      count += kBatch;
    }
    result = seconds_since(begin) / static_cast<double>(count);
  }
  return result;
}

void expect_near(const TileKernel& kernel, const TileOperands& operands, const ProductSizes& s,
                 int64_t m, int64_t n) {
  const TileOperands::Expected expected = operands.expected(kernel, s, m, n);
  ASSERT_NEAR(operands.out[m * s.n + n], expected.value, golden::tolerance(kernel, expected))
      << kernel.name() << " at " << m << ", " << n;
}

TEST_F(TilesGpuTest, DISABLED_SpeedBesideTheLibrary) {
  if (!cublaslt_availability().is_available) GTEST_SKIP() << cublaslt_availability().reason;
  const OwnStream owner;
  for (const ProductSizes& s : {ProductSizes{4096, 4096, 4096}, ProductSizes{16384, 3072, 768}}) {
    const double flops =
        2.0 * static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k);
    SplitMix64 random(7);
    const TileKernel plain("ping_pong_128x128");
    TileOperands operands(plain, s, owner.stream, [&] { return random.uniform(-1, 1); });
    const MatmulShape shape{.m = s.m,
                            .n = s.n,
                            .k = s.k,
                            .lhs = {DataType::bf16, s.k, 1},
                            .rhs = {DataType::bf16, 1, s.k},
                            .out = {DataType::bf16, s.n, 1}};
    const auto plan = matmul_plan(0, shape);
    ASSERT_NE(plan, nullptr);
    const Block workspace(std::max<size_t>(256, plan->workspace_bytes()), owner.stream);
    const auto report = [&](const std::string& name, double seconds) {
      std::printf("%-26s %-22s %8.1f us  %6.1f TFLOP/s\n", name.c_str(), s.to_text().c_str(),
                  seconds * 1e6, flops / seconds * 1e-12);
    };
    const auto time_library = [&] {
      report("cuBLASLt",
             seconds_each(
                 [&] {
                   plan->launch({operands.lhs.data(), operands.rhs.data(), operands.out.data(),
                                 workspace.as<void>(), owner.stream});
                 },
                 owner.stream));
    };
    time_library();
    for (const std::string& name : golden::tile_kernels()) {
      const TileKernel kernel(name);
      if (kernel.dtype() != bf16) continue;
      report(name, seconds_each([&] { kernel.launch(s, operands.buffers(kernel), owner.stream); },
                                owner.stream));
      operands.out.fetch(owner.stream);
      for (int i = 0; i < 200; ++i) {
        expect_near(kernel, operands, s, random.integer(0, s.m - 1), random.integer(0, s.n - 1));
        if (HasFatalFailure()) return;
      }
    }
    time_library();
  }
}

}  // namespace
}  // namespace ridge::runtime::cuda::tiles_gpu_test
