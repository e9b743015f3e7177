// The cache of built kernels, asked by many threads for the same and for other kernels, with more of
// them than it keeps: builders stand in for code generators, so that it runs in builds without one.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ridge/linker/built_cache.h"

namespace ridge::linker::built_cache_threads_test {
namespace {

struct Word {
  std::string text;
};

template <class Build>
std::vector<BuiltCache<Word>::Ref> find_or_build(BuiltCache<Word>& cache,
                                                 const std::vector<std::string>& keys,
                                                 const Build& build) {
  auto lookup = cache.find(keys);
  std::vector<BuiltCache<Word>::Ref> built(lookup.missing.size());
  build_each(lookup.missing, [&](size_t i) { built[i] = build(lookup.missing[i]); });
  return cache.add(std::move(lookup), built);
}

TEST(BuiltCacheThreads, HitsMissesAndDroppedKernels) {
  BuiltCache<Word> cache;
  std::atomic<int> built = 0, wrong = 0;
  constexpr int kThreads = 8, kRounds = 14, kKeys = 100;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      std::vector<BuiltCache<Word>::Ref> held;  // these are not to be dropped
      for (int round = 0; round < kRounds; ++round) {
        // Half of the keys are everybody's, half this thread's and round's own.
        std::vector<std::string> keys;
        for (int key = 0; key < kKeys; ++key) {
          const bool is_shared = key % 2 == 0;
          keys.push_back(is_shared
                             ? std::to_string(key)
                             : std::to_string(1000 * round + key) + "." + std::to_string(thread));
        }
        const auto found = find_or_build(cache, keys, [&](size_t i) {
          ++built;
          return std::make_shared<const Word>(Word{keys[i]});
        });
        for (size_t i = 0; i < keys.size(); ++i) wrong += found[i]->text != keys[i];
        if (round == 0) held = found;
      }
      for (const auto& word : held) wrong += word->text.empty();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  // Each thread's own were built once; the shared ones at most once by each thread, as they are held.
  const int own = kThreads * kRounds * kKeys / 2;
  EXPECT_GT(own, 4096);
  EXPECT_GE(built, own + kKeys / 2);
  EXPECT_LE(built, own + kThreads * kKeys / 2);
}

TEST(BuiltCacheThreads, AFailureIsEverybodysOwn) {
  BuiltCache<Word> cache;
  std::atomic<int> failed = 0, done = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      const std::vector<std::string> keys{"good", "bad", "better"};
      try {
        find_or_build(cache, keys, [&](size_t i) {
          RIDGE_INTERNAL_CHECK(i != 1 || thread % 2 == 0, "does not compile");
          return std::make_shared<const Word>(Word{keys[i]});
        });
        ++done;
      } catch (const KernelFailure& failure) {
        failed += failure.kernels == std::vector<size_t>{1};
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  // Whoever comes after one that could build it finds it.
  EXPECT_GE(done, 4);
  EXPECT_EQ(done + failed, 8);
}

}  // namespace
}  // namespace ridge::linker::built_cache_threads_test
