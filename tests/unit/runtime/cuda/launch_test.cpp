#include "ridge/runtime/cuda/launch.h"

#include <gtest/gtest.h>

#include "ridge/base/error.h"
#include "ridge/runtime/cuda/context.h"
#include "ridge/runtime/cuda/launch_history.h"
#include "ridge/runtime/cuda/module.h"

namespace ridge::runtime::cuda::launch_test {
namespace {

const LaunchLimits kHopper{.shared_bytes = 232448, .has_clusters = true};
const KernelAttributes kPlain{
    .registers = 32, .static_shared_bytes = 1024, .max_threads_per_block = 1024};

std::string complaint(const Launch& shape, const LaunchLimits& limits = kHopper,
                      const KernelAttributes& attributes = kPlain) {
  try {
    check_launch(shape, limits, attributes, "k");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Launch, AcceptsWhatFits) {
  EXPECT_EQ(complaint({.grid = {2147483647}, .block = {1024}}), "");
  EXPECT_EQ(complaint({.grid = {1, 65535, 65535}, .block = {1, 1024}}), "");
  EXPECT_EQ(complaint({.block = {256}, .shared_bytes = 232448 - 1024}), "");
  EXPECT_EQ(complaint({.grid = {32}, .block = {256}, .cluster = {16}}), "");
}

TEST(Launch, NamesTheNumberAndItsLimit) {
  EXPECT_EQ(complaint({.grid = {0}}),
            "expected a grid of 1x1x1 to 2147483647x65535x65535 for kernel `k`, given 0x1x1 (value "
            "error)");
  EXPECT_NE(complaint({.grid = {1, 65536}}), "");
  EXPECT_NE(complaint({.block = {1, 1, 65}}), "");
  EXPECT_NE(complaint({.block = {32, 33}}).find("given 1056 (32x33x1)"), std::string::npos);
  EXPECT_NE(complaint({.shared_bytes = 232448}).find("232448 dynamic beside 1024 static"),
            std::string::npos);
}

TEST(Launch, RegistersBoundTheBlock) {
  const KernelAttributes heavy{.registers = 128, .max_threads_per_block = 512};
  EXPECT_EQ(complaint({.block = {512}}, kHopper, heavy), "");
  const std::string text = complaint({.block = {513}}, kHopper, heavy);
  EXPECT_NE(text.find("at most 512 threads in a block of kernel `k`, which has 128 registers"),
            std::string::npos)
      << text;
}

TEST(Launch, ChecksClusters) {
  EXPECT_NE(complaint({.grid = {30}, .cluster = {4}}).find("divides the grid of 30x1x1"),
            std::string::npos);
  EXPECT_NE(complaint({.grid = {64, 64}, .cluster = {8, 4}}), "");
  const LaunchLimits ampere{.shared_bytes = 166912, .has_clusters = false};
  EXPECT_NE(complaint({.grid = {4}, .cluster = {2}}, ampere).find("device with clusters"),
            std::string::npos);
}

TEST(Launch, AnEmptyKernelIsRefused) {
  const Kernel empty;
  EXPECT_FALSE(empty);
  EXPECT_THROW(empty.launch({}, {}), Error);
  EXPECT_THROW(empty.max_active_blocks(128, 0), Error);
}

TEST(Launch, BadCodeIsRefusedBeforeTheDriverSeesIt) {
  for (const std::string& bytes : {std::string(), std::string("no code"), std::string(100, 'x')}) {
    EXPECT_THROW(Module::load(0, bytes, "k"), Error);
  }
}

TEST(LaunchHistory, NamesTheLatestFirst) {
  LaunchHistory history;
  EXPECT_EQ(history.suspects(), "");
  history.add(std::make_shared<const std::string>("a"), 1);
  EXPECT_EQ(history.suspects(), "kernel `a`");
  history.add(std::make_shared<const std::string>("b"), 2);
  history.add(std::make_shared<const std::string>("c"), 1);
  EXPECT_EQ(history.suspects(),
            "kernel `c`, or one launched before it and not yet waited for: `b`, `a`");
  history.forget_stream(1);
  EXPECT_EQ(history.suspects(), "kernel `b`");
  history.forget_all();
  EXPECT_EQ(history.suspects(), "");
}

TEST(LaunchHistory, NotesOnceWhatIsLaunchedAgain) {
  LaunchHistory history;
  LaunchHistory::Noted of_a;
  const auto a = std::make_shared<const std::string>("a"),
             b = std::make_shared<const std::string>("b");
  history.add(b, 1);
  for (size_t i = 0; i < 2 * LaunchHistory::kLimit; ++i) history.add_again(a, 1, of_a);
  EXPECT_EQ(history.suspects(),
            "kernel `a`, or one launched before it and not yet waited for: `b`");
  history.add(b, 1);
  history.add_again(a, 1, of_a);
  EXPECT_EQ(history.suspects(),
            "kernel `a`, or one launched before it and not yet waited for: `b`, `a`, `b`");
  history.forget_stream(1);
  EXPECT_EQ(history.suspects(), "");
  history.add_again(a, 1, of_a);
  history.add_again(a, 2, of_a);
  history.forget_stream(1);
  EXPECT_EQ(history.suspects(), "kernel `a`");
}

TEST(LaunchHistory, IsBoundedAndKeepsTheFirstFault) {
  LaunchHistory history;
  for (int i = 0; i < 1000; ++i) {
    history.add(std::make_shared<const std::string>("k" + std::to_string(i)), 1);
  }
  const std::string text = history.suspects();
  EXPECT_NE(text.find("`k999`"), std::string::npos);
  EXPECT_EQ(text.find("`k900`"), std::string::npos);
  EXPECT_EQ(history.fault(), "");
  EXPECT_EQ(history.remember_fault("first"), "first");
  EXPECT_EQ(history.remember_fault("second"), "first");
  EXPECT_EQ(history.fault(), "first");
}

TEST(LaunchHistory, CapturesBelongToTheirThread) {
  const auto name = std::make_shared<const std::string>("k");
  EXPECT_FALSE(CapturedLaunches::take(name, nullptr));
  CapturedLaunches outer;
  {
    CapturedLaunches inner;
    EXPECT_TRUE(CapturedLaunches::take(name, nullptr));
    EXPECT_EQ(inner.launches().size(), 1u);
  }
  EXPECT_TRUE(CapturedLaunches::take(name, nullptr));
  EXPECT_EQ(outer.launches().size(), 1u);
}

TEST(CurrentStream, FollowsScopes) {
  const Device first{DeviceKind::cuda, 0};
  const Device second{DeviceKind::cuda, 1};
  EXPECT_EQ(current_stream(first), (Stream{first, 0}));
  {
    const StreamScope outer(Stream{first, 7});
    const StreamScope other(Stream{second, 8});
    const StreamScope inner(Stream{first, 9});
    EXPECT_EQ(current_stream(first).handle, 9u);
    EXPECT_EQ(current_stream(second).handle, 8u);
  }
  EXPECT_EQ(current_stream(first).handle, 0u);
  EXPECT_THROW(current_stream(kCpu), Error);
}

TEST(DeviceProperties, NamesArchitectures) {
  EXPECT_EQ(arch_name(8, 0), "sm_80");
  EXPECT_EQ(arch_name(8, 9), "sm_89");
  EXPECT_EQ(arch_name(9, 0), "sm_90a");
  EXPECT_EQ(arch_name(10, 0), "sm_100a");
}

}  // namespace
}  // namespace ridge::runtime::cuda::launch_test
