// A thread with little stack, as a user may have made it, and whether sanitizers need more of it.
#pragma once

#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>

// Defined by the library of a sanitizer alone.
extern "C" {  // NOLINTBEGIN(bugprone-reserved-identifier)
[[gnu::weak]] void __asan_init();
[[gnu::weak]] void __tsan_init();
}  // NOLINTEND(bugprone-reserved-identifier)

namespace ridge {

// True where layers of the library are sanitized: asked of the linker, since objects of tests that are
// compiled without are linked with such layers too.
inline bool is_address_sanitized() { return __asan_init != nullptr; }
inline bool is_sanitized() { return is_address_sanitized() || __tsan_init != nullptr; }

// Sanitizers, which need more themselves, get what is usual.
inline size_t small_stack_bytes() { return is_sanitized() ? size_t{8} << 20 : size_t{64} << 10; }

// Runs it on a thread of so many bytes of stack, and waits.
inline void on_small_stack(const std::function<void()>& run, size_t bytes = small_stack_bytes()) {
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
