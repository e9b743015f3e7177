// Calls go on, correctly, while kernels and ops are registered and removed by other threads.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "ridge/dispatch/call.h"
#include "ridge/dispatch/operator_table.h"
#include "ridge/ops/registry.h"
#include "ridge/ridge.h"

namespace ridge::dispatch_threads_test {
namespace {

TEST(DispatchThreads, CallsWhileKernelsComeAndGo) {
  auto& table = dispatch::OperatorTable::instance();
  const dispatch::Operator& op = table.add(dispatch::parse_schema("busy_op(Tensor x) -> Tensor"),
                                           nullptr, Location::current());
  const auto identity = dispatch::make_kernel(
      [](dispatch::Frame& frame, dispatch::KeySet) { frame.results[0] = *frame.args[0].tensor; });
  table.add_kernel("busy_op", dispatch::Key::cpu, identity, "test").keep();

  std::atomic<bool> is_done = false;
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      const Tensor x = Tensor::of<float>({1, 2}, {2});
      while (!is_done) {
        EXPECT_TRUE(dispatch::call_one(op, Location::current(), x).is_same(x));
        EXPECT_EQ((x + x).to_vector<float>(), (std::vector<float>{2, 4}));
      }
    });
  }
  for (int round = 0; round < 50; ++round) {
    const auto replacement = dispatch::make_kernel(
        [](dispatch::Frame& frame, dispatch::KeySet) { frame.results[0] = *frame.args[0].tensor; });
    const auto kernel = table.add_kernel("busy_op", dispatch::Key::cpu, replacement, "test");
    ops::registry().add({.schema = "busy_" + std::to_string(round) + "(Tensor x) -> Tensor",
                         .doc = "registered while others call",
                         .traits = ops::Trait::Pointwise,
                         .dtype = ops::rule::promote,
                         .body = [](const ops::Scalars& s) { return s[0] + 1; }});
  }
  is_done = true;
  for (std::thread& caller : callers) caller.join();
}

TEST(DispatchThreads, ThreadStateIsEachThreadsOwn) {
  const Tensor x = Tensor::of<float>({1, 2, 3, 4}, {2, 2});
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&x, lowers = i % 2 == 0] {
      for (int round = 0; round < 20; ++round) {
        if (lowers) {
          const AutocastScope autocast(bf16);
          EXPECT_EQ(matmul(x, x).dtype(), bf16);
        } else {
          EXPECT_EQ(matmul(x, x).dtype(), f32);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace ridge::dispatch_threads_test
