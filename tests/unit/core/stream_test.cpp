#include <gtest/gtest.h>

#include "ridge/core/device.h"
#include "tests/unit/core/fake_runtime.h"

namespace ridge::stream_test {
namespace {

TEST(Stream, CpuEventsAreCompleteAndTimed) {
  const Stream stream = device_runtime(DeviceKind::cpu).create_stream(kCpu);
  EXPECT_NE(stream, Stream{});
  EXPECT_NE(stream, device_runtime(DeviceKind::cpu).create_stream(kCpu));
  const Event first = Event::record(stream), second = Event::record(stream);
  EXPECT_TRUE(first.is_recorded());
  EXPECT_TRUE(first.is_complete());
  first.synchronize();
  first.wait_on(Stream{});
  EXPECT_GE(second.elapsed_us_since(first), 0);
  EXPECT_LE(first.elapsed_us_since(second), 0);
}

TEST(Stream, AnEventThatWasNotRecordedIsComplete) {
  const Event event;
  EXPECT_TRUE(event.is_complete());
  event.synchronize();
  event.wait_on(Stream{});
  EXPECT_THROW(event.elapsed_us_since(event), Error);
  EXPECT_THROW(Event::record(Stream{kMeta, 0}), Error);
}

TEST(Stream, WaitingAcrossDevicesIsDoneByTheHost) {
  FakeRuntime& runtime = fake_runtime();
  const Event event = Event::record(Stream{kFake, 1});
  EXPECT_FALSE(event.is_complete());
  const int waits = runtime.wait_count;
  event.wait_on(Stream{kFake, 2});
  EXPECT_EQ(runtime.wait_count, waits + 1);
  EXPECT_FALSE(event.is_complete());
  event.wait_on(Stream{kCpu, 0});
  EXPECT_TRUE(event.is_complete());
  EXPECT_EQ(runtime.wait_count, waits + 1);
}

}  // namespace
}  // namespace ridge::stream_test
