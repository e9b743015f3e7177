#include "ridge/dispatch/thread_state.h"

#include <gtest/gtest.h>

#include <thread>

#include "ridge/ridge.h"

namespace ridge::dispatch::thread_state_test {
namespace {

TEST(ThreadState, StartsWithAutogradOn) {
  std::thread([] {
    EXPECT_EQ(thread_state().included, KeySet(Key::autograd));
    EXPECT_TRUE(thread_state().excluded.empty());
    EXPECT_TRUE(thread_state().grad_enabled);
  }).join();
}

TEST(ThreadState, ScopesNestInAnyOrderAndExclusionWins) {
  {
    const IncludeKeys include(Key::autocast);
    const ExcludeKeys exclude(Key::autocast);
    const IncludeKeys again(Key::autocast);
    const ThreadState& state = thread_state();
    EXPECT_FALSE((state.included - state.excluded).has(Key::autocast));
  }
  EXPECT_EQ(thread_state().included, KeySet(Key::autograd));
  EXPECT_TRUE(thread_state().excluded.empty());
}

TEST(ThreadState, AScopeInstallsAStateAndRestores) {
  const Tensor x = Tensor::of<float>({1, 2, 3, 4}, {2, 2});
  ThreadState as_called;
  {
    const NoGrad no_grad;
    const AutocastScope autocast(bf16);
    as_called = thread_state();
  }
  EXPECT_EQ(matmul(x, x).dtype(), f32);
  {
    const ThreadStateScope scope(as_called);
    EXPECT_FALSE(thread_state().grad_enabled);
    EXPECT_EQ(matmul(x, x).dtype(), bf16);
  }
  EXPECT_TRUE(thread_state().grad_enabled);
  EXPECT_EQ(matmul(x, x).dtype(), f32);
}

}  // namespace
}  // namespace ridge::dispatch::thread_state_test
