// Lookups on a real GPU. Skipped, with one line, where there is none.
#include <gtest/gtest.h>

#include "ridge/core/device_copy.h"
#include "ridge/ridge.h"
#include "ridge/runtime/cuda/cuda_runtime.h"
#include "ridge/runtime/cuda/driver_api.h"

namespace ridge::cuda_gpu_lookup_test {
namespace {

constexpr Device kCuda{DeviceKind::cuda, 0};

class CudaGpuLookup : public testing::Test {
 protected:
  void SetUp() override {
    if (!runtime::cuda::cuda_is_available()) {
      GTEST_SKIP() << "Cuda: " << runtime::cuda::cuda_availability().reason;
    }
  }

  static Tensor there(const Tensor& tensor) { return to_device(tensor, kCuda); }
  static Tensor index_of(std::vector<int64_t> numbers) {
    const auto count = static_cast<int64_t>(numbers.size());
    return there(Tensor::of<int64_t>(numbers, {count}));
  }
  static Tensor table() {
    std::vector<float> elements;
    for (int i = 0; i < 12; ++i) elements.push_back(0.5f * static_cast<float>(i));
    return there(Tensor::of<float>(elements, {4, 3}));
  }
  static std::vector<float> row(int number) {
    const auto first = 1.5f * static_cast<float>(number);
    return {first, first + 0.5f, first + 1};
  }
  static std::vector<float> values(const Tensor& tensor) {
    return to_device(tensor, kCpu).to_vector<float>();
  }
};

TEST_F(CudaGpuLookup, ABadIndexIsFoundByWhoWaitsAndTheDeviceIsWell) {
  int line = 0;
  const auto pick = compile([&](const Tensor& rows, const Tensor& index) {
    line = __LINE__ + 1;
    return embedding(rows, index);
  });
  const Tensor rows = table(), good = index_of({2}), bad = index_of({4}), negative = index_of({-1});
  for (int run = 0; run < 6; ++run) {  // kernel by kernel, then as a graph
    EXPECT_EQ(values(pick(rows, good)), row(2)) << run;
    const Tensor lost = pick(rows, run % 2 == 0 ? bad : negative);
    try {
      values(lost);
      ADD_FAILURE() << "no error in run " << run;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::index) << error.what();
      ASSERT_TRUE(error.where().has_value());
      EXPECT_EQ(static_cast<int>(error.where()->line()), line);
    }
  }
  EXPECT_EQ(values(pick(rows, index_of({3}))), row(3));
}

TEST_F(CudaGpuLookup, EagerCallsDoNotWaitEither) {
  const Tensor rows = table();
  const Tensor lost = embedding(rows, index_of({0, 9}));
  EXPECT_THROW(runtime::cuda::cuda_runtime().synchronize_device(kCuda), Error);
  EXPECT_NO_THROW(runtime::cuda::cuda_runtime().synchronize_device(kCuda));
  EXPECT_EQ(values(embedding(rows, index_of({1}))), row(1));
}

TEST_F(CudaGpuLookup, ATargetThatIsNoClassIsFound) {
  const auto loss = compile(
      [](const Tensor& logits, const Tensor& target) { return cross_entropy(logits, target); });
  EXPECT_NO_THROW(values(loss(table(), index_of({2, -100, 0, 1}))));  // the second is ignored
  EXPECT_THROW(values(loss(table(), index_of({2, 3, 0, 1}))), Error);
}

}  // namespace
}  // namespace ridge::cuda_gpu_lookup_test
