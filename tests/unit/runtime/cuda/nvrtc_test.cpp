#include "ridge/runtime/cuda/nvrtc.h"

#include <gtest/gtest.h>

#include <thread>

#include "ridge/base/error.h"
#include "ridge/runtime/cuda/cubin.h"
#include "tests/nvrtc_checks.h"

namespace ridge::runtime::cuda::nvrtc_test {
namespace {

constexpr const char* kScale = R"(
extern "C" __global__ void scale(float* x, float by, int count) {
  __shared__ float staged[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  staged[threadIdx.x] = i < count ? x[i] : 0.0f;
  __syncthreads();
  if (i < count) x[i] = staged[255 - threadIdx.x] * by;
}
)";

class NvrtcTest : public testing::Test {
 protected:
  void SetUp() override { RIDGE_NEEDS_NVRTC(); }
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_F(NvrtcTest, CompilesForSeveralArchitectures) {
  for (const char* arch : {"sm_90a", "sm_80"}) {
    const CompiledCuda code =
        compile_cuda(kScale, {.name = "scale", .arch = arch, .want_ptx = true, .want_usage = true});
    EXPECT_TRUE(code.cubin.starts_with("\177ELF")) << arch;
    EXPECT_TRUE(has(code.ptx, std::string(".target ") + arch)) << code.ptx.substr(0, 400);
    ASSERT_EQ(code.usage.size(), 1u) << code.log;
    EXPECT_EQ(code.usage[0].kernel, "scale");
    EXPECT_GT(code.usage[0].registers, 0);
    EXPECT_EQ(code.usage[0].shared_bytes, 1024);
    EXPECT_EQ(code.usage[0].spill_store_bytes, 0);
    EXPECT_GT(code.compile_us, 0);
  }
}

TEST_F(NvrtcTest, EveryCutOfACubinIsSeen) {
  const CompiledCuda code = compile_cuda(kScale, {.name = "scale", .arch = "sm_90a"});
  EXPECT_EQ(cubin_problem(code.cubin), "");
  for (size_t size = 0; size < code.cubin.size(); size += 97) {
    const std::string problem = cubin_problem(std::string_view(code.cubin).substr(0, size));
    EXPECT_NE(problem, "") << size;
  }
  std::string other = code.cubin;
  other[0] = 'x';
  EXPECT_NE(cubin_problem(other), "");
}

TEST_F(NvrtcTest, ExtrasCostNothingUnlessAsked) {
  const CompiledCuda code = compile_cuda(kScale, {.name = "scale", .arch = "sm_80"});
  EXPECT_EQ(code.log, "");
  EXPECT_EQ(code.ptx, "");
  EXPECT_TRUE(code.usage.empty());
}

TEST_F(NvrtcTest, TakesHeadersFromMemory) {
  const std::string source =
      "#include \"twice.cuh\"\nextern \"C\" __global__ void k(float* x) { "
      "x[0] = twice(x[0]); }\n";
  const CudaHeader header{"twice.cuh", "inline float twice(float x) { return 2 * x; }\n"};
  EXPECT_FALSE(compile_cuda(source, {.arch = "sm_90a", .headers = {header}}).cubin.empty());
}

TEST_F(NvrtcTest, AFailureShowsTheLogAndTheSource) {
  const std::string source =
      "// a kernel with a mistake\nextern \"C\" __global__ void k(float* x) "
      "{ x[0] = undeclared; }\n";
  try {
    compile_cuda(source, {.name = "bad_kernel", .arch = "sm_90a"});
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::internal);
    EXPECT_EQ(error.expected(), "kernel `bad_kernel` to compile for sm_90a");
    EXPECT_TRUE(has(error.given(), "bad_kernel.cu(2): error")) << error.given();
    EXPECT_TRUE(has(error.given(), "undeclared")) << error.given();
    EXPECT_TRUE(has(error.hint(), "// a kernel with a mistake")) << error.hint();
  }
}

TEST_F(NvrtcTest, WrongOptionsAreNamed) {
  const auto fails_with = [](const NvrtcOptions& options, std::string_view part) {
    try {
      compile_cuda(kScale, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::value);
      return has(error.what(), part);
    }
    return false;
  };
  EXPECT_TRUE(fails_with({.arch = "hopper"}, "`hopper`"));
  EXPECT_TRUE(fails_with({.arch = ""}, "`sm_90a`"));
  EXPECT_TRUE(fails_with({.arch = "sm_11"}, "sm_11"));
  EXPECT_TRUE(fails_with({.arch = "sm_80", .options = {"--no-such-option"}}, "--no-such-option"));
}

TEST_F(NvrtcTest, CompilesFromSeveralThreads) {
  std::vector<std::thread> threads;
  std::vector<size_t> sizes(4);
  for (size_t i = 0; i < sizes.size(); ++i) {
    threads.emplace_back(
        [&, i] { sizes[i] = compile_cuda(kScale, {.arch = "sm_90a"}).cubin.size(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const size_t size : sizes) EXPECT_EQ(size, sizes[0]);
}

TEST(Nvrtc, AbsenceIsOneClearError) {
  const NvrtcAvailability& found = nvrtc_availability();
  EXPECT_EQ(found.reason.empty(), found.is_available);
  if (found.is_available) GTEST_SKIP() << "NVRTC is here";
  EXPECT_THROW(compile_cuda(kScale, {.arch = "sm_90a"}), Error);
}

TEST(Nvrtc, TheKnobNamesTheOnlyLibraryLookedFor) {
  const ScopedKnob knob(Knob::nvrtc, "/absent/libnvrtc.so.13");
  const LibrarySearch search = nvrtc_search();
  EXPECT_EQ(search.names, std::vector<std::string>{"/absent/libnvrtc.so.13"});
  EXPECT_TRUE(search.folders.empty());
  EntryTable none;
  const std::string problem = none.load(search);
  EXPECT_TRUE(has(problem, "/absent/libnvrtc.so.13")) << problem;
  EXPECT_TRUE(has(problem, "RIDGE_NVRTC")) << problem;
}

TEST(ResourceUsage, ReadsTheAssemblersLog) {
  const std::vector<ResourceUsage> usage = parse_ptxas_log(
      "k.cu(1): warning: 300 registers are mentioned here\n"
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'j' for 'sm_90a'\n"
      "ptxas info    : Function properties for j\n"
      "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers, used 0 barriers\n"
      "ptxas info    : Compile time = 1.894 ms\n"
      "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
      "ptxas info    : Function properties for k\n"
      "    768 bytes stack frame, 496 bytes spill stores, 532 bytes spill loads\n"
      "ptxas info    : Used 32 registers, used 1 barriers, 768 bytes cumulative stack size, 4096 "
      "bytes smem\n"
      "ptxas info    : Function properties for called_by_k\n"
      "    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n");
  ASSERT_EQ(usage.size(), 2u);
  EXPECT_EQ(usage[0], (ResourceUsage{.kernel = "j", .registers = 8}));
  EXPECT_EQ(usage[1], (ResourceUsage{.kernel = "k",
                                     .registers = 32,
                                     .shared_bytes = 4096,
                                     .stack_bytes = 768,
                                     .spill_store_bytes = 496,
                                     .spill_load_bytes = 532}));
  EXPECT_EQ(to_text(usage[0]), "j: 8 registers");
  EXPECT_EQ(to_text(usage[1]),
            "k: 32 registers, 4096 bytes of shared memory, a stack frame of 768 bytes, spills of "
            "496 bytes stored and 532 loaded");
}

TEST(ResourceUsage, PassesOverOtherText) {
  EXPECT_TRUE(parse_ptxas_log("").empty());
  EXPECT_TRUE(parse_ptxas_log("Used many registers\nbytes smem").empty());
}

}  // namespace
}  // namespace ridge::runtime::cuda::nvrtc_test
