// What goes wrong on a GPU, on the fake one: clear errors, and programs that run afterwards.
#include <gtest/gtest.h>

#include <filesystem>

#include "ridge/base/files.h"
#include "ridge/base/knobs.h"
#include "ridge/base/log.h"
#include "ridge/driver/entry.h"
#include "ridge/runtime/cuda/cuda_runtime.h"
#include "tests/fake_gpu/library/fake_gpu.h"
#include "tests/fake_gpu/sums.h"

namespace ridge {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class FaultsTest : public testing::Test {
 protected:
  void SetUp() override { fake_gpu::set_kernel(add_all); }
  void TearDown() override {
    fake_gpu::set_kernel({});
    fake_gpu::refuse_source("");
    fake_gpu::set_memory_bytes(size_t{140} << 30);
    fake_gpu::fail_call("cuLaunchKernelEx", 0);
    fake_gpu::fail_call("cuGraphLaunch", 0);
  }

  template <class Call>
  static Error error_of(const Call& call) {
    try {
      call();
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "no error";
    return Error({});
  }

  static void use_exactly_the_memory_there_is() {
    auto& allocator = runtime::cuda::cuda_runtime().allocator(kGpu);
    allocator.trim();
    fake_gpu::set_memory_bytes(fake_gpu::used_bytes());
  }
};

TEST_F(FaultsTest, AFusedKernelThatDoesNotCompileRunsUnfused) {
  const auto folder = create_own_folder(std::filesystem::temp_directory_path(), "ridge_fake_gpu");
  std::filesystem::remove_all(folder);
  const ScopedKnob dump(Knob::dump, folder.string());
  testing::internal::CaptureStderr();
  fake_gpu::refuse_source("\nfused_");
  const auto chain = chain_of(3);
  const Tensor x = on_gpu(1), y = on_gpu(0.5);
  EXPECT_EQ(values(chain(x, y)), expected(1, 0.5, 3));
  const std::string warned = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(has(warned, "expected kernel `fused_add")) << warned;
  EXPECT_TRUE(has(warned, "the fake compiler refuses")) << warned;
  EXPECT_TRUE(has(warned, "reproduce: ridge repro " + folder.string())) << warned;
  int reproductions = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    reproductions += std::filesystem::exists(entry.path() / "graph.ir") ? 1 : 0;
  }
  EXPECT_EQ(reproductions, 1);
  EXPECT_EQ(chain.programs()[0]->compiled->program()->kernel_count(), 3u);
  std::filesystem::remove_all(folder);
}

TEST_F(FaultsTest, AKernelThatCompilesInNoFormIsAnError) {
  const auto folder = create_own_folder(std::filesystem::temp_directory_path(), "ridge_fake_gpu");
  const ScopedKnob dump(Knob::dump, folder.string());
  testing::internal::CaptureStderr();
  fake_gpu::refuse_source("__global__");
  const auto chain = chain_of(5);
  fake_gpu::set_kernel({});
  // Of another size than in other tests, whose kernels are kept.
  const auto call = [&] {
    return chain(Tensor::empty({9}, f32, kGpu), Tensor::empty({9}, f32, kGpu));
  };
  const Error error = error_of(call);
  EXPECT_EQ(error.code(), ErrorCode::internal);
  EXPECT_TRUE(has(error.what(), "reproduce: ridge repro")) << error.what();
  EXPECT_TRUE(has(testing::internal::GetCapturedStderr(), "kernels of their own"));
  fake_gpu::refuse_source("");
  EXPECT_NO_THROW(call());
  std::filesystem::remove_all(folder);
}

TEST_F(FaultsTest, OutOfMemoryLeavesInputsAsTheyWere) {
  const ScopedKnob unfused(Knob::disable, "fuse");
  const auto step = compile(
      [](Tensor& x, const Tensor& y) {
        add_(x, y);
        return ((x + y) + y) + y;
      },
      {.dynamic = Dynamic::never});  // the kernels of sums.h take buffers alone
  Tensor x = on_gpu(1);
  const Tensor y = on_gpu(2);
  fake_gpu::set_kernel({});
  // Compiled for larger tensors than there will be memory for.
  const auto large = [] { return Tensor::empty({1 << 20}, f32, kGpu); };
  {
    Tensor a = large();
    const Tensor b = large();
    step(a, b);
    use_exactly_the_memory_there_is();
    const uint32_t version = a.version();
    fake_gpu::reset_counts();
    const Error error = error_of([&] { step(a, b); });
    EXPECT_EQ(error.code(), ErrorCode::memory);
    EXPECT_TRUE(has(error.what(), "free of")) << error.what();
    EXPECT_EQ(fake_gpu::counts().kernels, 0);
    EXPECT_EQ(a.version(), version);
  }
  fake_gpu::set_kernel(add_all);
  const Tensor sum = step(x, y);  // smaller, in what the large ones have left
  EXPECT_EQ(x.version(), 1u);
  EXPECT_EQ(values(sum).size(), 4u);
}

TEST_F(FaultsTest, GraphsLetGoOfTheirArenasWhenMemoryRunsOut) {
  const ScopedKnob unfused(Knob::disable, "fuse");
  fake_gpu::set_kernel({});
  const auto chain = chain_of(6);
  const Tensor x = Tensor::empty({1 << 20}, f32, kGpu);
  Tensor result;
  for (int run = 0; run < 3; ++run) result = chain(x, x);
  const int64_t graphs = fake_gpu::counts().live_graphs;
  EXPECT_GE(graphs, 1);
  use_exactly_the_memory_there_is();
  const Tensor fits = Tensor::empty({1 << 20}, f32, kGpu);  // where the arena was
  EXPECT_LT(fake_gpu::counts().live_graphs, graphs);
  fake_gpu::set_memory_bytes(size_t{140} << 30);
  for (int run = 0; run < 3; ++run) result = chain(x, x);
  EXPECT_GE(fake_gpu::counts().live_graphs, 1);
}

TEST_F(FaultsTest, ReportsSayWhoseFiguresStandInForAnUnknownGpu) {
  const auto chain = chain_of(2);
  chain(on_gpu(1), on_gpu(2));
  const std::string stands_in = "there is no sheet of Fake GPU of the tests, so figures of h200";
  EXPECT_TRUE(has(kernel_table(chain), stands_in)) << kernel_table(chain);
  EXPECT_TRUE(has(explain(chain), stands_in)) << explain(chain);
}

TEST_F(FaultsTest, ALaunchThatFailsNamesKernelOrGraph) {
  const ScopedKnob unfused(Knob::disable, "fuse");
  const auto chain = chain_of(4);
  const Tensor x = on_gpu(1), y = on_gpu(2);
  constexpr int kOutOfResources = 701;
  chain(x, y);
  fake_gpu::fail_call("cuLaunchKernelEx", kOutOfResources);
  const Error launch = error_of([&] { chain(x, y); });
  EXPECT_EQ(launch.code(), ErrorCode::device);
  EXPECT_TRUE(has(launch.what(), "cuLaunchKernelEx of `add")) << launch.what();
  fake_gpu::fail_call("cuLaunchKernelEx", 0);
  EXPECT_EQ(values(chain(x, y)), expected(1, 2, 4));
  fake_gpu::fail_call("cuGraphLaunch", kOutOfResources);
  const Error graph = error_of([&] { chain(x, y); });
  EXPECT_TRUE(has(graph.what(), "cuGraphLaunch of `chain`")) << graph.what();
  fake_gpu::fail_call("cuGraphLaunch", 0);
  EXPECT_EQ(values(chain(x, y)), expected(1, 2, 4));
}

}  // namespace
}  // namespace ridge
