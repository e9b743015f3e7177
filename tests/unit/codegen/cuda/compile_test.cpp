// Every sample through NVRTC, for the newest and the oldest device we write for.
#include <gtest/gtest.h>

#include "ridge/base/text.h"
#include "ridge/codegen/cuda/generate.h"
#include "tests/unit/codegen/cuda/nvrtc.h"
#include "tests/unit/codegen/cuda/sample_kernels.h"

namespace ridge::codegen {
namespace {

class CudaCompile : public testing::TestWithParam<Sample> {};

void expect_registers_only(const Compiled& compiled, const std::string& source) {
  EXPECT_TRUE(compiled.is_ok) << compiled.log << source;
  EXPECT_EQ(compiled.log.find("warning"), std::string::npos) << compiled.log;
  // Of the kernel, and of the functions that are not inlined.
  size_t frames = 0;
  const std::string_view none = "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads";
  for (size_t at = compiled.log.find("stack frame"); at != std::string::npos;
       at = compiled.log.find("stack frame", at + 1)) {
    ++frames;
  }
  size_t clean = 0;
  for (size_t at = compiled.log.find(none); at != std::string::npos;
       at = compiled.log.find(none, at + 1)) {
    // "10 bytes" ends like "0 bytes".
    clean += at == 0 || compiled.log[at - 1] < '0' || compiled.log[at - 1] > '9' ? 1 : 0;
  }
  EXPECT_EQ(frames, clean) << compiled.log;
}

TEST_P(CudaCompile, WithoutStackOrSpills) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC on this machine";
  const Sample& sample = GetParam();
  const loop::Kernel kernel = loop::parse(sample.text);
  loop::verify(kernel);
  for (const int arch : {90, 80}) {
    const CudaTarget target{
        .arch = arch, .fits_32_bits = sample.fits_32_bits, .streams = sample.streams};
    const std::string source = generate(kernel, target).source;
    expect_registers_only(compile_cuda(source, arch == 90 ? "sm_90a" : "sm_80"), source);
  }
}

TEST(CudaCompileCluster, WithoutStackOrSpills) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC on this machine";
  for (const bool is_in_loop : {false, true}) {
    const std::string text =
        concat("kernel rows(x: f32[n * 512] in, out: f32[n] out, any: bool[n] out; n) {\n",
               "for i0 in n @grid {\nfor i1 in 4 @cluster {\nfor i2 in 128 @block {\n",
               is_in_loop ? "for i3 in 3 {\n" : "if i0 < 5 {\n",
               "var v0: f32 = x[512 * i0 + 128 * i1 + i2]\nvar v1: bool = v0 < 0.0\n",
               "v0 sum across cluster\nv1 any across cluster\n}\nvar v2: f64 = 1.0\n",
               "v2 sum across cluster\n}\n}\n}\n}\n");
    const loop::Kernel kernel = loop::parse(text);
    loop::verify(kernel);
    EXPECT_FALSE(can_generate(kernel, {.arch = 80}).verdict);
    const CudaKernel generated = generate(kernel, {.fits_32_bits = true});
    EXPECT_EQ(generated.cluster, 4);
    expect_registers_only(compile_cuda(generated.source, "sm_90a"), generated.source);
    // Whether or not the first exchange comes, everybody arrives once for each time it waits.
    EXPECT_EQ(generated.source.find("for the other blocks to start"), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, CudaCompile, testing::ValuesIn(samples()),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace ridge::codegen
