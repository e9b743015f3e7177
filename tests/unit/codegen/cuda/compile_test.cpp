// Every sample through NVRTC, for the newest and the oldest device we write for.
#include <gtest/gtest.h>

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

INSTANTIATE_TEST_SUITE_P(Samples, CudaCompile, testing::ValuesIn(samples()),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace ridge::codegen
