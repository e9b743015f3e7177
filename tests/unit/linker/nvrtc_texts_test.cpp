// Kernels that NVRTC compiles in one text: which, and that each is what it would be by itself.
#include <gtest/gtest.h>

#include <algorithm>

#include "ridge/base/random.h"
#include "ridge/linker/cuda_kernels.h"
#include "ridge/runtime/cuda/nvrtc.h"
#include "tests/nvrtc_checks.h"

namespace ridge::linker::nvrtc_texts_test {
namespace {

std::vector<size_t> random_sizes(size_t count, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<size_t> sizes;
  for (size_t i = 0; i < count; ++i) {
    sizes.push_back(static_cast<size_t>(random.integer(300, 12000)));
  }
  return sizes;
}

TEST(CudaPrograms, EachKernelIsInOne) {
  for (const int threads : {1, 2, 16, 64}) {
    for (const size_t count : {0, 1, 2, 7, 41, 300}) {
      std::vector<size_t> all;
      for (const auto& program : programs_of(random_sizes(count, count), threads)) {
        EXPECT_FALSE(program.empty());
        all.insert(all.end(), program.begin(), program.end());
      }
      std::ranges::sort(all);
      ASSERT_EQ(all.size(), count);
      for (size_t i = 0; i < count; ++i) EXPECT_EQ(all[i], i);
    }
  }
}

TEST(CudaPrograms, ManyShareTextsAndTheLongestBeginsFirst) {
  std::vector<size_t> sizes = random_sizes(41, 5);
  sizes[17] = 30000;
  const auto on_many = programs_of(sizes, 16);
  EXPECT_GE(on_many.size(), 8U);
  EXPECT_LE(on_many.size(), 24U);
  EXPECT_EQ(on_many.front(), std::vector<size_t>{17});
  // Two threads wait for the back end, not for the front end: all that is saved is texts.
  EXPECT_LE(programs_of(sizes, 2).size(), 6U);
}

TEST(CudaPrograms, FewKernelsOnManyThreadsStayApart) {
  EXPECT_EQ(programs_of(std::vector<size_t>{9000, 8000, 7000}, 16).size(), 3U);
  const std::vector<std::vector<size_t>> shared{{0}, {1, 2, 3}};
  EXPECT_EQ(programs_of(std::vector<size_t>{20000, 3000, 2800, 400}, 16), shared);
}

// Functions of one name that differ, and shared memory whose size the launch says.
std::string kernel_text(const std::string& symbol, const std::string& term) {
  return "namespace ridge {\n__device__ inline float f(float x) { return " + term +
         "; }\n}  // namespace ridge\n\nextern \"C\" __global__ void __launch_bounds__(64)\n" +
         symbol +
         "(float* x) {\n  extern __shared__ __align__(16) unsigned char shared_bytes[];\n"
         "  float* const row = reinterpret_cast<float*>(shared_bytes);\n"
         "  row[threadIdx.x] = ridge::f(x[threadIdx.x]);\n  __syncthreads();\n"
         "  x[threadIdx.x] = row[63 - threadIdx.x];\n}\n";
}

TEST(CudaPrograms, AJoinedTextHasTheKernelsOfItsParts) {
  RIDGE_NEEDS_NVRTC();
  const std::vector<std::string> texts = {kernel_text("first", "x * x"),
                                          kernel_text("second", "expf(sinf(x)) / x")};
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const auto usage = [](const std::string& text) {
    auto found = runtime::cuda::compile_cuda(
                     text, {.arch = "sm_90a", .is_self_contained = true, .want_usage = true})
                     .usage;
    std::ranges::sort(found, {}, &runtime::cuda::ResourceUsage::kernel);
    return found;
  };
  const auto joined = usage(joined_text(views));
  ASSERT_EQ(joined.size(), 2U);
  EXPECT_EQ(joined[0], usage(texts[0]).at(0));
  EXPECT_EQ(joined[1], usage(texts[1]).at(0));
  EXPECT_NE(joined[0].registers, joined[1].registers);
}

}  // namespace
}  // namespace ridge::linker::nvrtc_texts_test
