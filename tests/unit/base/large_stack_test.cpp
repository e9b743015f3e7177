#include "ridge/base/large_stack.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "small_stack.h"

namespace ridge::large_stack_test {
namespace {

// Each level takes a KiB at least.
size_t descend(size_t levels) {
  volatile char room[1024];
  room[0] = static_cast<char>(levels);
  return levels == 0 ? 0 : descend(levels - 1) + 1 + static_cast<size_t>(room[1] * 0);
}

thread_local int of_thread = 0;

TEST(LargeStack, RunsDeepRecursionOfASmallThread) {
  on_small_stack([] {
    EXPECT_EQ(on_large_stack([] { return descend(4000); }), 4000u);
    size_t reached = 0;
    on_large_stack([&] { reached = on_large_stack([] { return descend(4000); }); });
    EXPECT_EQ(reached, 4000u);
  });
}

TEST(LargeStack, IsTheSameThread) {
  on_small_stack([] {
    of_thread = 7;
    const pthread_t caller = pthread_self();
    on_large_stack([&] {
      EXPECT_TRUE(pthread_equal(caller, pthread_self()));
      EXPECT_EQ(std::exchange(of_thread, 8), 7);
    });
    EXPECT_EQ(of_thread, 8);
  });
}

TEST(LargeStack, HandsOnExceptionsAndResultsThatOnlyMove) {
  on_small_stack([] {
    try {
      on_large_stack([] { throw std::runtime_error("from below"); });
      FAIL() << "no exception";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "from below");
    }
    // And once more, since the first must have left everything as it was.
    EXPECT_THROW(on_large_stack([]() -> int { throw std::logic_error("again"); }),
                 std::logic_error);
    EXPECT_EQ(*on_large_stack([] { return std::make_unique<int>(3); }), 3);
  });
}

TEST(LargeStack, IsTheCallersWhereThatIsLarge) {
  const char here = 0;
  const char* inside = nullptr;
  on_large_stack([&] {
    const char there = 0;
    inside = &there;
  });
  EXPECT_LT(std::abs(inside - &here), 64 << 10);
}

}  // namespace
}  // namespace ridge::large_stack_test
