#include "ridge/core/device.h"

#include <gtest/gtest.h>

#include "tests/unit/core/fake_runtime.h"

namespace ridge::device_test {
namespace {

TEST(Device, Text) {
  EXPECT_EQ(to_text(kCpu), "cpu");
  EXPECT_EQ(to_text(kMeta), "meta");
  EXPECT_EQ(to_text(Device{DeviceKind::cuda, 1}), "cuda:1");
  fake_runtime();
  EXPECT_EQ(to_text(kFake), "fake");
  EXPECT_EQ(to_text(Device{kFake.kind, 1}), "fake:1");
}

}  // namespace
}  // namespace ridge::device_test
