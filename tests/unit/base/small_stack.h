// A thread with little stack, as a user may have made it.
#pragma once

#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>

namespace ridge {

// Sanitizers, which need more themselves, get what is usual.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr size_t kSmallStack = size_t{8} << 20;
#else
inline constexpr size_t kSmallStack = size_t{64} << 10;
#endif

// Runs it on a thread of so many bytes of stack, and waits.
inline void on_small_stack(const std::function<void()>& run, size_t bytes = kSmallStack) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
  pthread_t thread{};
  const auto start = [](void* given) -> void* {
    (*static_cast<const std::function<void()>*>(given))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, start, const_cast<std::function<void()>*>(&run)),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

}  // namespace ridge
