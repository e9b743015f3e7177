// The plain kernels that ours are measured against, and the data of both, on a real device.
#include <gtest/gtest.h>

#include "ridge/calibrate/plain_sweep.h"
#include "ridge/core/device_copy.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/runtime/cuda/driver_api.h"

namespace ridge::calibrate::plain_sweep_gpu_test {
namespace {

constexpr int64_t kMegabyte = 1 << 20;

class PlainSweepGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!runtime::cuda::cuda_is_available()) {
      GTEST_SKIP() << runtime::cuda::cuda_availability().reason;
    }
  }
};

TEST_F(PlainSweepGpu, FillsAreRandomAndInRange) {
  RandomFill random({DeviceKind::cuda, 0});
  const int64_t count = 100003, below = 777;
  for (const DType dtype : {f32, bf16, f16}) {
    double sum = 0, squares = 0;
    const Tensor filled = to_device(random.tensor({count}, dtype), kCpu);
    for (const float x : cast(filled, f32).to_vector<float>()) {
      sum += x;
      squares += x * x;
    }
    EXPECT_NEAR(sum / count, 0, 0.02) << name(dtype);
    EXPECT_NEAR(squares / count, 1, 0.03) << name(dtype);
  }
  int64_t least = below, most = 0;
  for (const int64_t x : to_device(random.tensor({count}, i64, below), kCpu).to_vector<int64_t>()) {
    least = std::min(least, x);
    most = std::max(most, x);
  }
  EXPECT_EQ(least, 0);
  EXPECT_EQ(most, below - 1);
}

TEST_F(PlainSweepGpu, TimesACopy) {
  CudaTimer timer(0);
  PlainSweep sweep(timer);
  const TouchedArrays arrays{{64 * kMegabyte}, {64 * kMegabyte}};
  const SweepBest best = sweep.fastest(arrays);
  EXPECT_GT(best.seconds, 0);
  EXPECT_LT(static_cast<double>(arrays.bytes()) / best.seconds, 20e12);
  EXPECT_EQ(sweep.fastest(arrays).seconds, best.seconds) << "remembered";
}

}  // namespace
}  // namespace ridge::calibrate::plain_sweep_gpu_test
