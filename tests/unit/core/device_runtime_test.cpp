#include "ridge/core/device_runtime.h"

#include <gtest/gtest.h>

#include "ridge/core/storage.h"
#include "tests/unit/core/fake_runtime.h"

namespace ridge::device_runtime_test {
namespace {

template <class F>
Error error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error({});
}

TEST(DeviceRuntime, TheCpuIsAlwaysThere) {
  EXPECT_TRUE(has_device_runtime(DeviceKind::cpu));
  EXPECT_EQ(device_runtime(DeviceKind::cpu).name(), "cpu");
  EXPECT_TRUE(device_runtime(DeviceKind::cpu).has_host_memory());
  EXPECT_FALSE(has_device_runtime(DeviceKind::meta));
}

TEST(DeviceRuntime, ASecondRuntimeIsAnErrorThatNamesBothPlaces) {
  fake_runtime();
  const Error error =
      error_of([] { register_device_runtime(kFake.kind, std::make_unique<FakeRuntime>()); });
  EXPECT_EQ(error.code(), ErrorCode::device);
  EXPECT_NE(error.given().find("fake_runtime.h"), std::string::npos) << error.what();
  EXPECT_NE(error.given().find("device_runtime_test.cpp"), std::string::npos) << error.what();

  const Error cpu =
      error_of([] { register_device_runtime(DeviceKind::cpu, std::make_unique<FakeRuntime>()); });
  EXPECT_NE(cpu.given().find("cpu_runtime.cpp"), std::string::npos) << cpu.what();
  EXPECT_THROW(register_device_runtime(DeviceKind::meta, std::make_unique<FakeRuntime>()), Error);
  EXPECT_THROW(register_device_runtime(DeviceKind::outside2, nullptr), Error);
}

TEST(DeviceRuntime, MissingDevicesAreNamed) {
  EXPECT_EQ(error_of([] { device_runtime(DeviceKind::meta); }).given(), "meta");
  EXPECT_EQ(error_of([] { allocator_for({DeviceKind::cpu, 1}); }).code(), ErrorCode::device);
  EXPECT_EQ(error_of([] { allocator_for({DeviceKind::cpu, -1}); }).code(), ErrorCode::device);
}

TEST(DeviceRuntime, DevicesAreCountedWithoutAnError) {
  EXPECT_EQ(device_count(DeviceKind::cpu), 1);
  EXPECT_EQ(device_count(DeviceKind::meta), 0);
  EXPECT_GE(device_count(DeviceKind::cuda), 0);
}

TEST(DeviceRuntime, TheUserMaySetAnAllocator) {
  HostAllocator mine;
  set_allocator(kCpu, &mine);
  {
    const auto storage = Storage::allocate(10, kCpu);
    EXPECT_EQ(mine.stats().live_bytes, 10);
    set_allocator(kCpu, nullptr);
  }
  // The storage went back to where it came from.
  EXPECT_EQ(mine.stats().live_bytes, 0);
  EXPECT_EQ(&allocator_for(kCpu), &device_runtime(DeviceKind::cpu).allocator(kCpu));
}

}  // namespace
}  // namespace ridge::device_runtime_test
