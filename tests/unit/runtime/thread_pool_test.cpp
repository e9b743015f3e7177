#include "ridge/runtime/cpu/thread_pool.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "../base/small_stack.h"
#include "ridge/base/knobs.h"
#include "ridge/base/log.h"

namespace ridge::runtime::thread_pool_test {
namespace {

// Every task runs once, in ranges that keep the grain.
void expect_every_task(int64_t count, int64_t grain) {
  std::vector<std::atomic<int>> runs(static_cast<size_t>(count));
  std::atomic<int> small_ranges{0};
  parallel(count, grain, [&](int64_t begin, int64_t end) {
    if (end - begin < grain) ++small_ranges;
    for (int64_t i = begin; i < end; ++i) ++runs[static_cast<size_t>(i)];
  });
  for (const auto& run : runs) ASSERT_EQ(run.load(), 1);
  EXPECT_LE(small_ranges.load(), 1);  // the last one
}

TEST(ThreadPool, RunsEveryTaskOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    const ScopedKnob knob(Knob::threads, threads);
    EXPECT_EQ(thread_count(), threads);
    for (const int64_t count : {0, 1, 2, 7, 100, 1000}) {
      for (const int64_t grain : {0, 1, 3, 64, 5000}) expect_every_task(count, grain);
    }
  }
}

TEST(ThreadPool, UsesSeveralThreads) {
  const ScopedKnob knob(Knob::threads, 3);
  // Each of the first three ranges waits for the others: only three threads get through.
  std::atomic<int> arrived{0};
  std::mutex mutex;
  std::set<std::thread::id> ids;
  parallel(3, 1, [&](int64_t, int64_t) {
    ++arrived;
    while (arrived.load() < 3) std::this_thread::yield();
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(ids.size(), 3u);
}

TEST(ThreadPool, RunsInlineWhatIsSmallOrNested) {
  const ScopedKnob knob(Knob::threads, 4);
  const auto self = std::this_thread::get_id();
  parallel(10, 10, [&](int64_t begin, int64_t end) {
    EXPECT_EQ(std::this_thread::get_id(), self);
    EXPECT_EQ(end - begin, 10);
  });
  std::atomic<int64_t> sum{0};
  parallel(8, 1, [&](int64_t begin, int64_t end) {
    const auto outer = std::this_thread::get_id();
    for (int64_t i = begin; i < end; ++i) {
      parallel(100, 1, [&](int64_t inner_begin, int64_t inner_end) {
        EXPECT_EQ(std::this_thread::get_id(), outer);
        sum += inner_end - inner_begin;
      });
    }
  });
  EXPECT_EQ(sum.load(), 800);
}

TEST(ThreadPool, SeveralCallersAtOnce) {
  const ScopedKnob knob(Knob::threads, 3);
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([] {
      for (int round = 0; round < 200; ++round) {
        std::atomic<int64_t> sum{0};
        parallel(97, 2, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) sum += i;
        });
        ASSERT_EQ(sum.load(), 96 * 97 / 2);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(ThreadPool, WakesUpAfterSleep) {
  const ScopedKnob knob(Knob::threads, 2);
  for (int round = 0; round < 20; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    expect_every_task(64, 1);
  }
}

TEST(ThreadPool, KernelRuntimeIsThePool) {
  const ScopedKnob knob(Knob::threads, 2);
  std::atomic<int64_t> count{0};
  KernelRuntime& runtime = kernel_runtime();
  runtime.parallel(
      &runtime, 1000, 10,
      [](void* context, int64_t begin, int64_t end) {
        *static_cast<std::atomic<int64_t>*>(context) += end - begin;
      },
      &count);
  EXPECT_EQ(count.load(), 1000);
}

#if defined(__x86_64__)
// A thread inherits the control word of the one that starts it; workers must not keep it.
TEST(ThreadPool, WorkersKeepSubnormals) {
  const ScopedKnob knob(Knob::threads, 13);  // more than any other test, so that some are new
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);  // flush to zero, subnormals are zero
  std::atomic<int> arrived{0};
  std::atomic<int> flushing{0};
  const auto self = std::this_thread::get_id();
  parallel(13, 1, [&](int64_t, int64_t) {
    ++arrived;
    while (arrived.load() < 13) std::this_thread::yield();
    if (std::this_thread::get_id() != self && (_mm_getcsr() & 0x8040) != 0) ++flushing;
  });
  _mm_setcsr(before);
  EXPECT_EQ(flushing.load(), 0);
}
#endif

TEST(ThreadPool, AChildOfForkHasItsOwn) {
  const ScopedKnob knob(Knob::threads, 2);
  expect_every_task(100, 1);
  const pid_t child = fork();
  if (child == 0) {
    std::atomic<int64_t> sum{0};
    parallel(100, 1, [&](int64_t begin, int64_t end) { sum += end - begin; });
    _exit(sum.load() == 100 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// Without memory for stacks no worker starts. A callback that throws about it must not reach the
// kernel that asked, and signals must come through again.
[[noreturn]] void work_without_workers() {
  const ScopedKnob knob(Knob::threads, 40);
  bool was_told = false;
  set_log_callback([&](LogLevel, std::string_view, std::string_view) {
    was_told = true;
    throw 1;
  });
  ::operator delete(::operator new(1 << 16));  // stays in the heap: only stacks are to be refused
  const rlimit none{1 << 20, 1 << 20};
  setrlimit(RLIMIT_AS, &none);
  int64_t sum = 0;  // of one thread
  try {
    parallel(100, 1, [&](int64_t begin, int64_t end) { sum += end - begin; });
  } catch (...) {
    _exit(2);
  }
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  _exit(sum != 100 ? 3 : sigismember(&blocked, SIGINT) != 0 ? 4 : was_told ? 0 : 5);
}

// In a process of its own: one that had threads before keeps their stacks for the next ones.
TEST(ThreadPool, WithoutWorkersTheCallerDoesTheWork) {
  if (is_sanitized()) GTEST_SKIP() << "sanitizers need the memory that is refused";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(work_without_workers(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace ridge::runtime::thread_pool_test
