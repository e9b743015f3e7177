#include "ridge/calibrate/plain_sweep.h"

#include <gtest/gtest.h>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/calibrate/cuda_kernels.h"
#include "ridge/runtime/cuda/nvrtc.h"

namespace ridge::calibrate::plain_sweep_test {
namespace {

constexpr int64_t kMegabyte = 1 << 20;

// Vectors and share of each array, read and then written.
std::string text_of(const SweepSteps& steps) {
  std::string text = concat(steps.count, ":");
  for (const auto& array : steps.read) text += concat(" r", array.vectors, "/", array.share);
  for (const auto& array : steps.written) text += concat(" w", array.vectors, "/", array.share);
  return text;
}

TEST(PlainSweepSteps, ArraysOfOneSizeHaveAVectorEach) {
  EXPECT_EQ(text_of(sweep_steps({{kMegabyte, kMegabyte}, {kMegabyte}})),
            "65536: r65536/1 r65536/1 w65536/1");
  EXPECT_EQ(text_of(sweep_steps({{kMegabyte}, {}})), "65536: r65536/1");
  EXPECT_EQ(text_of(sweep_steps({{}, {16}})), "1: w1/1");
}

TEST(PlainSweepSteps, LargerArraysHaveMoreOfEachStep) {
  EXPECT_EQ(text_of(sweep_steps({{kMegabyte}, {2 * kMegabyte}})), "65536: r65536/1 w131072/2");
  // 3.1 times as large: three vectors a step, and steps enough for all of it.
  EXPECT_EQ(text_of(sweep_steps({{1600}, {4960}})), "104: r100/1 w310/3");
  EXPECT_EQ(text_of(sweep_steps({{160}, {1920}})), "15: r10/1 w120/8");
}

TEST(PlainSweepSteps, SmallArraysDoNotCount) {
  EXPECT_EQ(text_of(sweep_steps({{kMegabyte, 6144}, {kMegabyte, 100}})),
            "65536: r65536/1 w65536/1");
}

TEST(PlainSweepSteps, RefusesWhatThereIsNoKernelFor) {
  EXPECT_THROW(sweep_steps({}), Error);
  EXPECT_THROW(sweep_steps({{8}, {}}), Error);
  EXPECT_THROW(sweep_steps({std::vector<int64_t>(9, kMegabyte), {}}), Error);
}

TEST(PlainSweepSteps, TheSweepIsFixed) {
  const std::vector<SweepVariant> variants = sweep_variants();
  EXPECT_EQ(variants.size(), 32u);
  const SweepSteps steps = sweep_steps({{kMegabyte}, {2 * kMegabyte}});
  EXPECT_EQ(join(sweep_definitions(steps, {4, 256, true}), " "),
            "-DREADS=1 -DWRITES=1 -DREAD_SHARES=1 -DWRITE_SHARES=2 -DREAD_VECTORS=1 -DVECTORS=4 "
            "-DHINTS=1");
  EXPECT_EQ(join(sweep_definitions(sweep_steps({{}, {kMegabyte}}), {1, 128, false}), " "),
            "-DREADS=0 -DWRITES=1 -DREAD_SHARES=1 -DWRITE_SHARES=1 -DREAD_VECTORS=1 -DVECTORS=1 "
            "-DHINTS=0");
}

TEST(PlainSweepText, NamesWhatIsMissing) {
  EXPECT_FALSE(cuda_text("cuda_probes.cu").empty());
  EXPECT_THROW(cuda_text("nosuch.cu"), Error);
}

class PlainSweepNvrtc : public testing::Test {
 protected:
  void SetUp() override {
    const auto& found = runtime::cuda::nvrtc_availability();
    if (!found.is_available) GTEST_SKIP() << found.reason;
  }
  static void compile(std::string_view file, const std::vector<std::string>& definitions) {
    const auto code =
        runtime::cuda::compile_cuda(std::string(cuda_text(file)), {.name = std::string(file),
                                                                   .arch = "sm_90a",
                                                                   .options = definitions,
                                                                   .headers = device_headers(),
                                                                   .want_usage = true});
    EXPECT_FALSE(code.usage.empty());
    for (const auto& usage : code.usage) {
      EXPECT_EQ(usage.stack_bytes + usage.spill_store_bytes, 0) << to_text(usage);
    }
  }
};

TEST_F(PlainSweepNvrtc, WidestVariantsKeepAllLoadsInRegisters) {
  const std::vector<int64_t> four(4, kMegabyte), three(3, kMegabyte);
  for (const TouchedArrays& arrays :
       {TouchedArrays{four, three}, TouchedArrays{{kMegabyte}, {}}, TouchedArrays{{}, three}}) {
    compile("plain_sweep.cu", sweep_definitions(sweep_steps(arrays), {8, 128, true}));
  }
  compile("random_fill.cu", {});
  compile("cuda_probes.cu", {});
}

}  // namespace
}  // namespace ridge::calibrate::plain_sweep_test
