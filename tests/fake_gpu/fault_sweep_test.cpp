// Each call of the driver, and each compilation, that may fail fails in turn: a clear error, or the right
// result some other way; inputs are as they were; the next calls work; nothing leaks.
#include <gtest/gtest.h>

#include "ridge/base/knobs.h"
#include "ridge/base/text.h"
#include "ridge/runtime/cuda/cuda_runtime.h"
#include "tests/fake_gpu/library/fake_gpu.h"
#include "tests/fake_gpu/sums.h"

namespace ridge {
namespace {

// Reproductions of compilations that fail, and warnings that they did, are not for the terminal.
class FaultSweepTest : public testing::Test {
 protected:
  void SetUp() override {
    fake_gpu::set_kernel(add_all);
    testing::internal::CaptureStderr();
  }
  void TearDown() override {
    fake_gpu::set_kernel({});
    fake_gpu::fail_nth(0);
    fake_gpu::refuse_nth(0);
    testing::internal::GetCapturedStderr();
  }

  static size_t bytes_in_use() {
    runtime::cuda::cuda_runtime().allocator(kGpu).trim();
    return fake_gpu::used_bytes();
  }
};

// Empty if it succeeds.
template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
    return "";
  } catch (const Error& error) {
    const bool is_of_device =
        error.code() == ErrorCode::device || error.code() == ErrorCode::memory;
    EXPECT_TRUE(is_of_device) << error.what();
    return error.what();
  }
}

// The first calls of a function: they load kernels, launch them one by one, then capture and launch them as
// a graph.
TEST_F(FaultSweepTest, CallsOfTheDriver) {
  const ScopedKnob unfused(Knob::disable, "fuse");
  constexpr int kCalls = 3, kSums = 3;
  const Tensor x = on_gpu(1), y = on_gpu(2);
  const auto run = [&](const auto& chain) {
    Tensor result;
    for (int i = 0; i < kCalls; ++i) result = chain(x, y);
    return result;
  };
  fake_gpu::fail_nth(0);
  EXPECT_EQ(values(run(chain_of(kSums))), expected(1, 2, kSums));
  const int64_t count = fake_gpu::fallible_calls();
  ASSERT_GT(count, 10);
  int failures = 0;
  for (int64_t number = 1; number <= count; ++number) {
    SCOPED_TRACE(concat("call ", number, " of ", count));
    const size_t bytes = bytes_in_use();
    const int64_t graphs = fake_gpu::counts().live_graphs;
    {
      const auto chain = chain_of(kSums);
      fake_gpu::fail_nth(number);
      const std::string message = message_of([&] { run(chain); });
      fake_gpu::fail_nth(0);
      failures += message.empty() ? 0 : 1;
      EXPECT_EQ(values(x), expected(1, 2, 0)) << message;
      EXPECT_EQ(values(run(chain)), expected(1, 2, kSums)) << message;
    }
    EXPECT_EQ(bytes_in_use(), bytes) << "leaked";
    EXPECT_EQ(fake_gpu::counts().live_graphs, graphs) << "leaked";
  }
  EXPECT_GT(failures, 0);
}

// What NVRTC refuses once is compiled by itself, which then succeeds; a kernel is kept only if it is
// there.
TEST_F(FaultSweepTest, Compilations) {
  const ScopedKnob unfused(Knob::disable, "fuse");
  fake_gpu::set_kernel({});
  // Kernels of sizes that nobody else has, so that they are compiled here.
  const auto make = [](int64_t rows) {
    const auto f =
        compile([](const Tensor& x) { return std::pair(sum(exp(x) * 2, {1}), max(x + 1, {0})); },
                {.name = "f", .dynamic = Dynamic::never});
    return [f, rows] { f(Tensor::empty({rows, 24}, f32, kGpu)); };
  };
  fake_gpu::refuse_nth(0);
  make(100)();
  const int64_t count = fake_gpu::compilations();
  ASSERT_GE(count, 1);
  for (int64_t number = 1; number <= count; ++number) {
    SCOPED_TRACE(concat("compilation ", number, " of ", count));
    const auto call = make(100 + number);
    fake_gpu::refuse_nth(number);
    call();
    EXPECT_GT(fake_gpu::compilations(), number) << "was tried again";
    fake_gpu::refuse_nth(0);
    call();
    EXPECT_EQ(fake_gpu::compilations(), 0) << "is kept";
  }
}

}  // namespace
}  // namespace ridge
