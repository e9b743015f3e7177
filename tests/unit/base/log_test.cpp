#include "ridge/base/log.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "ridge/base/knobs.h"

namespace ridge::log_test {
namespace {

// Starts without topics and restores the default callback however a test ends.
class Log : public testing::Test {
 protected:
  void TearDown() override { set_log_callback(nullptr); }

  static std::string stderr_of(LogLevel level, std::string_view topic, std::string_view message) {
    testing::internal::CaptureStderr();
    log(level, topic, message);
    return testing::internal::GetCapturedStderr();
  }

  ScopedKnob no_topics_{Knob::log, ""};
};

TEST_F(Log, WarningsReachStderr) {
  EXPECT_EQ(stderr_of(LogLevel::warning, "runtime", "no GPU"), "ridge warning [runtime] no GPU\n");
  EXPECT_EQ(stderr_of(LogLevel::error, "runtime", "lost"), "ridge error [runtime] lost\n");
}

TEST_F(Log, TopicsAreSilentUnlessNamed) {
  EXPECT_EQ(stderr_of(LogLevel::info, "fusion", "fused"), "");
  EXPECT_FALSE(is_logged("fusion"));

  const ScopedKnob topics(Knob::log, "guards, fusion");
  EXPECT_EQ(stderr_of(LogLevel::info, "fusion", "fused"), "ridge info [fusion] fused\n");
  EXPECT_EQ(stderr_of(LogLevel::debug, "guards", "hit"), "ridge debug [guards] hit\n");
  EXPECT_EQ(stderr_of(LogLevel::info, "partition", "cut"), "");
  EXPECT_TRUE(is_logged("fusion"));
  EXPECT_FALSE(is_logged("partition"));
}

TEST_F(Log, AllNamesEveryTopic) {
  const ScopedKnob topics(Knob::log, "all");
  EXPECT_TRUE(is_logged("anything"));
}

TEST_F(Log, CallbackOfTheHostIsGivenEverything) {
  std::vector<std::string> lines;
  LogCallback previous =
      set_log_callback([&](LogLevel level, std::string_view topic, std::string_view message) {
        lines.push_back(std::string(name(level)) + "/" + std::string(topic) + "/" +
                        std::string(message));
      });
  EXPECT_TRUE(is_logged("fusion"));
  EXPECT_EQ(stderr_of(LogLevel::debug, "fusion", "a"), "");
  log(LogLevel::warning, "runtime", "b");
  EXPECT_EQ(lines, (std::vector<std::string>{"debug/fusion/a", "warning/runtime/b"}));

  set_log_callback(std::move(previous));  // the default comes back as itself
  EXPECT_FALSE(is_logged("fusion"));
  EXPECT_EQ(stderr_of(LogLevel::warning, "runtime", "c"), "ridge warning [runtime] c\n");
}

TEST_F(Log, WhatIsShownNeedsNoTopic) {
  testing::internal::CaptureStderr();
  show("kernels", "three");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "ridge info [kernels] three\n");
  std::string given;
  set_log_callback([&](LogLevel level, std::string_view topic, std::string_view message) {
    given = std::string(name(level)) + "/" + std::string(topic) + "/" + std::string(message);
  });
  show("kernels", "four");
  EXPECT_EQ(given, "info/kernels/four");
}

TEST_F(Log, ReturnsThePreviousCallback) {
  int calls = 0;
  set_log_callback([&](auto...) { ++calls; });
  const LogCallback previous = set_log_callback([](auto...) {});
  previous(LogLevel::info, "", "");
  EXPECT_EQ(calls, 1);
}

TEST_F(Log, CallbacksMayLogReplaceThemselvesAndThrow) {
  int calls = 0;
  set_log_callback([&](LogLevel, std::string_view topic, std::string_view) {
    if (++calls == 1) log(LogLevel::info, "again", "");
    if (topic == "again") set_log_callback([](auto...) { throw std::runtime_error("full"); });
  });
  log(LogLevel::info, "first", "");
  EXPECT_EQ(calls, 2);
  EXPECT_THROW(log(LogLevel::info, "third", ""), std::runtime_error);
}

TEST_F(Log, IsSharedByThreads) {
  std::atomic<int> calls{0};
  const LogCallback count = [&](auto...) { ++calls; };
  set_log_callback(count);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        if (i % 10 == 0) set_log_callback(count);
        if (is_logged("any")) log(LogLevel::info, "any", "message");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls, 4000);
}

}  // namespace
}  // namespace ridge::log_test
