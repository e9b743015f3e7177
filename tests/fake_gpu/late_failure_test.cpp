// An index out of range in a kernel, on the fake GPU: no run waits for it, and whoever looks is told.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "ridge/base/knobs.h"
#include "ridge/base/log.h"
#include "ridge/runtime/cuda/cuda_runtime.h"
#include "tests/fake_gpu/library/fake_gpu.h"
#include "tests/fake_gpu/sums.h"

namespace ridge {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

template <class Call>
Error error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error({});
}

class LateFailureTest : public testing::Test {
 protected:
  // Lookups find what `is_bad_` says; a kernel stores a status only where it has one.
  void SetUp() override {
    fake_gpu::set_kernel([this](const std::string& symbol, const std::vector<void*>& arguments) {
      const bool looks_up =
          contains(symbol, "gather") || contains(symbol, "embedding");  // matches: names of kernels
      if (looks_up && is_bad_) *static_cast<int32_t*>(arguments.back()) = 1;
    });
    fake_gpu::reset_counts();
  }
  void TearDown() override {
    fake_gpu::set_kernel({});
    EXPECT_NO_THROW(runtime.synchronize_device(kGpu)) << "a failure that no test expected";
  }

  auto lookup() {
    return compile(
        [this](const Tensor& table, const Tensor& index) {
          line_ = __LINE__ + 1;
          const Tensor rows = embedding(table, index);
          return ((rows + rows) + rows) + rows;
        },
        {.name = "lookup"});
  }

  runtime::cuda::CudaRuntime& runtime = runtime::cuda::cuda_runtime();
  const Tensor table_ = to_device(Tensor::of<float>({1, 2, 3, 4, 5, 6}, {3, 2}), kGpu);
  const Tensor index_ = to_device(Tensor::of<int64_t>({2, 0}, {2}), kGpu);
  std::atomic<bool> is_bad_{false};
  int line_ = 0;
  ScopedKnob unfused_{Knob::disable, "fuse"};
};

TEST_F(LateFailureTest, NoRunWaits) {
  const auto pick = lookup();
  for (int run = 0; run < 2; ++run) pick(table_, index_);
  EXPECT_EQ(fake_gpu::counts().waits, 0);
  pick(table_, index_);  // the stream that captures is waited for
  fake_gpu::reset_counts();
  for (int run = 0; run < 4; ++run) pick(table_, index_);
  EXPECT_EQ(fake_gpu::counts().waits, 0);
  EXPECT_EQ(fake_gpu::counts().graph_launches, 4);
}

TEST_F(LateFailureTest, TheNextRunThrowsBeforeItLaunches) {
  const auto pick = lookup();
  for (int run = 0; run < 8; ++run) {  // kernel by kernel, then as a graph
    is_bad_ = true;
    pick(table_, index_);
    is_bad_ = false;
    fake_gpu::reset_counts();
    const Error error = error_of([&] { pick(table_, index_); });
    EXPECT_EQ(fake_gpu::counts().kernels, 0);
    EXPECT_EQ(error.code(), ErrorCode::index) << run;
    EXPECT_EQ(error.op(), "gather");  // what an embedding is made of
    ASSERT_TRUE(error.where().has_value());
    EXPECT_EQ(static_cast<int>(error.where()->line()), line_) << run;
    EXPECT_TRUE(contains(error.what(), "an earlier run of `lookup`")) << error.what();
    EXPECT_TRUE(contains(error.what(), "in kernel `")) << error.what();
    EXPECT_TRUE(contains(error.hint(), "RIDGE_WAIT=1")) << error.what();
    EXPECT_NO_THROW(pick(table_, index_)) << "thrown twice";
  }
}

TEST_F(LateFailureTest, WhateverWaitsThrows) {
  const auto pick = lookup();
  const Stream stream{kGpu, 0};
  Tensor result;
  const auto fail = [&] {
    is_bad_ = true;
    result = pick(table_, index_);
    is_bad_ = false;
  };
  const auto expect_index_error = [](const auto& wait) {
    EXPECT_EQ(error_of(wait).code(), ErrorCode::index);
    EXPECT_NO_THROW(wait());
  };
  for (int run = 0; run < 2; ++run) {
    fail();
    expect_index_error([&] { to_device(result, kCpu); });
    fail();
    expect_index_error([&] { runtime.synchronize(stream); });
    fail();
    expect_index_error([&] { runtime.synchronize_device(kGpu); });
    fail();
    const Event event = Event::record(stream);
    expect_index_error([&] { event.synchronize(); });
  }
}

TEST_F(LateFailureTest, AProgramThatIsGoneReportsToo) {
  std::string warned;
  const LogCallback before =
      set_log_callback([&](LogLevel level, std::string_view, std::string_view message) {
        if (level == LogLevel::warning) warned += message;
      });
  Tensor result;
  {
    const auto pick = lookup();
    is_bad_ = true;
    result = pick(table_, index_);
    is_bad_ = false;
  }
  set_log_callback(before);
  EXPECT_TRUE(contains(warned, "gather: expected indices inside")) << warned;
  const Error error = error_of([&] { to_device(result, kCpu); });
  EXPECT_EQ(error.code(), ErrorCode::index);
  EXPECT_EQ(static_cast<int>(error.where()->line()), line_);
  EXPECT_NO_THROW(to_device(result, kCpu));
}

TEST_F(LateFailureTest, DestroyingAStreamLosesNothing) {
  const auto pick = lookup();
  const Stream stream = runtime.create_stream(kGpu);
  {
    const runtime::cuda::StreamScope scope(stream);
    is_bad_ = true;
    pick(table_, index_);
    is_bad_ = false;
  }
  EXPECT_NO_THROW(runtime.destroy_stream(stream));
  EXPECT_EQ(error_of([&] { runtime.synchronize_device(kGpu); }).code(), ErrorCode::index);
}

TEST_F(LateFailureTest, EagerCallsNameTheirLine) {
  is_bad_ = true;
  const uint32_t line = __LINE__ + 1;
  const Tensor rows = embedding(table_, index_);
  is_bad_ = false;
  const Error error = error_of([&] { to_device(rows, kCpu); });
  EXPECT_EQ(error.code(), ErrorCode::index);
  EXPECT_EQ(error.where()->line(), line);
  // Of another line's call when it is the next one that finds it; the text has the line at fault.
  is_bad_ = true;
  const uint32_t second = __LINE__ + 1;
  embedding(table_, index_);
  is_bad_ = false;
  const Error later = error_of([&] { embedding(table_, index_); });
  EXPECT_TRUE(contains(later.given(), "late_failure_test.cpp:" + std::to_string(second)))
      << later.what();
}

TEST_F(LateFailureTest, WithTheKnobEachRunWaitsAndThrowsItself) {
  const ScopedKnob wait(Knob::wait, 1);
  const auto pick = lookup();
  for (int run = 0; run < 6; ++run) {
    is_bad_ = run % 2 == 1;
    if (!is_bad_) {
      EXPECT_NO_THROW(pick(table_, index_));
      continue;
    }
    const Error error = error_of([&] { pick(table_, index_); });
    EXPECT_EQ(error.code(), ErrorCode::index);
    EXPECT_EQ(static_cast<int>(error.where()->line()), line_);
    EXPECT_FALSE(contains(error.what(), "earlier run")) << error.what();
  }
  EXPECT_GE(fake_gpu::counts().waits, 6);
}

TEST_F(LateFailureTest, OfSeveralThreadsOneIsTold) {
  const auto pick = lookup();
  is_bad_ = true;
  pick(table_, index_);
  is_bad_ = false;
  std::atomic<int> told{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int run = 0; run < 20; ++run) {
        try {
          pick(table_, index_);
          runtime.synchronize_device(kGpu);
        } catch (const Error&) {
          ++told;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(told, 1);
}

}  // namespace
}  // namespace ridge
