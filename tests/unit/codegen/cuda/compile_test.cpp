// Every sample through NVRTC, for the newest and the oldest device we write for.
#include <gtest/gtest.h>

#include "ridge/base/text.h"
#include "ridge/codegen/cuda/generate.h"
#include "tests/nvrtc_checks.h"
#include "tests/unit/codegen/cuda/sample_kernels.h"

namespace ridge::codegen::compile_test {
namespace {

using runtime::cuda::compile_cuda;
using runtime::cuda::expect_registers_only;

class CudaCompile : public testing::TestWithParam<Sample> {};

TEST(CompileLog, ComplaintsAreFound) {
  using runtime::cuda::complaints;
  const std::string clean =
      "ptxas info    : Function properties for k\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 40 registers, used 0 barriers\n";
  EXPECT_EQ(complaints(clean), "");
  const std::string frame = "    40 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n";
  EXPECT_EQ(complaints(clean + frame), frame);
  EXPECT_EQ(complaints(clean + frame, true), "");
  const std::string spill = "    0 bytes stack frame, 0 bytes spill stores, 4 bytes spill loads\n";
  EXPECT_EQ(complaints(clean + spill), spill);
  const std::string serial =
      "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async\n";
  EXPECT_EQ(complaints(serial + clean, true), serial);
  const std::string warning = "k.cu(1): warning #177-D: variable \"x\" was declared but not used\n";
  EXPECT_EQ(complaints(warning + clean), warning);
  EXPECT_EQ(complaints("k.cu(1): warning #39-D: division by zero\nRemark: warnings can be off\n"),
            "");
}

TEST_P(CudaCompile, WithoutStackOrSpills) {
  RIDGE_NEEDS_NVRTC();
  const Sample& sample = GetParam();
  const loop::Kernel kernel = loop::parse(sample.text);
  loop::verify(kernel);
  for (const int arch : {90, 80}) {
    const CudaTarget target{.arch = arch,
                            .fits_32_bits = sample.fits_32_bits,
                            .streaming_loads = sample.streaming_loads};
    expect_registers_only(generate(kernel, target).source, arch == 90 ? "sm_90a" : "sm_80");
  }
}

size_t count_of(const std::string& text, std::string_view word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

// The FMAs of a kernel are those of its text: bits must not depend on who stands in one expression.
TEST(CudaCompileFma, OnlyWhereItIsWritten) {
  RIDGE_NEEDS_NVRTC();
  const loop::Kernel kernel =
      loop::parse(R"(kernel apart(x: f32[n] in, y: f64[n] in, out: f32[n] out; n) {
  for i0 in n @gpu_block {
    for i1 in 32 @gpu_thread {
      let v0: f32 = x[i0] * x[i1] + x[i0]
      let v1: f32 = v0 * v0
      let v2: f32 = v1 - x[i1]
      let v3: f64 = y[i0] * y[i1] + y[i0]
      let v4: f32 = fma(v2, v3, v0)
      out[32 * i0 + i1] = v4
    }
  }
}
)");
  const std::string source = generate(kernel, {.arch = 90}).source;
  const std::string ptx = compile_cuda(source, {.arch = "sm_90a", .want_ptx = true}).ptx;
  EXPECT_EQ(count_of(ptx, "fma.rn.f32"), 1u) << ptx;
  EXPECT_EQ(count_of(ptx, "fma.rn.f64"), 0u) << ptx;
  EXPECT_GE(count_of(ptx, "mul.rn.f32") + count_of(ptx, "mul.f32"), 2u) << ptx;
}

TEST(CudaCompileCluster, WithoutStackOrSpills) {
  RIDGE_NEEDS_NVRTC();
  for (const bool is_in_loop : {false, true}) {
    const std::string text = concat(
        "kernel rows(x: f32[n * 512] in, out: f32[n] out, any: bool[n] out; n) {\n",
        "for i0 in n @gpu_block {\nfor i1 in 4 @gpu_cluster_block {\nfor i2 in 128 @gpu_thread {\n",
        is_in_loop ? "for i3 in 3 {\n" : "if i0 < 5 {\n",
        "var v0: f32 = x[512 * i0 + 128 * i1 + i2]\nvar v1: bool = v0 < 0.0\n",
        "cluster_reduce sum v0\ncluster_reduce any v1\n}\nvar v2: f64 = 1.0\n",
        "cluster_reduce sum v2\n}\n}\n}\n}\n");
    const loop::Kernel kernel = loop::parse(text);
    loop::verify(kernel);
    EXPECT_FALSE(can_generate(kernel, {.arch = 80}).verdict);
    const CudaKernel generated = generate(kernel, {.fits_32_bits = true});
    EXPECT_EQ(generated.cluster, 4);
    expect_registers_only(generated.source, "sm_90a");
    // Whether or not the first exchange comes, everybody arrives once for each time it waits.
    EXPECT_EQ(generated.source.find("for the other blocks to start"), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, CudaCompile, testing::ValuesIn(samples()),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace ridge::codegen::compile_test
