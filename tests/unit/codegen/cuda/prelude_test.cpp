// The device helpers of ridge/kernels/cuda, as a kernel carries them.
#include "ridge/codegen/cuda/prelude.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/kernels/cuda_headers.h"
#include "tests/nvrtc_checks.h"

namespace ridge::codegen::prelude_test {
namespace {

using cuda::device_helpers;
using cuda::DeviceHelper;
using cuda::prelude_text;

TEST(CudaPrelude, EachHelperStandsOnceAndAfterWhatItNeeds) {
  std::set<std::string_view> before;
  for (const DeviceHelper& helper : device_helpers()) {
    for (const std::string_view needed : helper.needs) {
      EXPECT_TRUE(before.contains(needed)) << helper.name << " needs " << needed;
    }
    EXPECT_TRUE(before.insert(helper.name).second) << helper.name;
    EXPECT_FALSE(helper.text.empty()) << helper.name;
    EXPECT_TRUE(helper.text.ends_with("\n")) << helper.name;
    EXPECT_FALSE(helper.text.ends_with("\n\n")) << helper.name;
  }
  EXPECT_GT(before.size(), 80u);
}

TEST(CudaPrelude, EveryHeaderIsPartOfIt) {
  const auto headers = kernels::cuda_headers();
  const auto all = std::ranges::find(headers, "prelude.cuh", &kernels::CudaHeader::file);
  ASSERT_NE(all, headers.end());
  for (const kernels::CudaHeader& header : headers) {
    if (header.file == all->file) continue;
    EXPECT_NE(all->text.find(concat("/", header.file, "\"")), all->text.npos) << header.file;
  }
}

TEST(CudaPrelude, CarriesWhatIsUsedAndWhatThatNeeds) {
  EXPECT_EQ(prelude_text({}), "");
  const std::string text = prelude_text({"exp_16"});
  EXPECT_TRUE(text.starts_with("namespace ridge {\n#ifdef RIDGE_ON_HOST")) << text;
  EXPECT_NE(text.find("ex2.approx.ftz.f32"), text.npos);
  EXPECT_NE(text.find("float exp_16(float x)"), text.npos);
  EXPECT_EQ(text.find("tanh"), text.npos);
}

// Together, and each with nothing but what it says it needs.
TEST(CudaPrelude, CompilesThroughNvrtc) {
  RIDGE_NEEDS_NVRTC();
  std::set<std::string> names;
  std::string source;
  for (const DeviceHelper& helper : device_helpers()) {
    names.emplace(helper.name);
    source += concat("namespace only_", helper.name, " {\n",
                     prelude_text({std::string(helper.name)}), "}\n");
  }
  source += prelude_text(names) + "extern \"C\" __global__ void nothing() {}\n";
  const auto compiled = runtime::cuda::compile_cuda(source, {.arch = "sm_90a", .want_usage = true});
  EXPECT_EQ(runtime::cuda::complaints(compiled.log), "");
}

}  // namespace
}  // namespace ridge::codegen::prelude_test
