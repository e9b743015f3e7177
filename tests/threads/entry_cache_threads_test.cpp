// One cache of programs asked by many threads: hits, misses, shared entries and evictions at once.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "ridge/base/random.h"
#include "ridge/capture/entry_cache.h"

namespace ridge::capture::entry_cache_threads_test {
namespace {

struct Square {
  int64_t root;
  int64_t square;
};
using Cache = EntryCache<Square, int64_t>;

Signature signature_of(int64_t number) {
  Signature signature;
  signature.add_number(0, number);
  signature.add_thread();
  signature.finish();
  return signature;
}

// Numbers of one tens share an entry, bound to the number.
Cache::Found ask(Cache& cache, int64_t number) {
  const Signature signature = signature_of(number);
  if (Cache::Found found = cache.find(signature)) return found;
  return cache.find_or_make(signature, [&]() -> Cache::Found {
    const int64_t root = number / 10;
    auto binding = std::make_shared<const int64_t>(number);
    for (const auto& entry : cache.entries()) {
      if (entry->root == root) return {entry, binding};
    }
    return {std::make_shared<Square>(Square{root, root * root}), binding};
  });
}

TEST(EntryCacheThreads, MixedHitsMissesAndEvictions) {
  constexpr int kThreads = 8, kCalls = 400;
  Cache cache(3);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (uint64_t seed = 0; seed < kThreads; ++seed) {
    threads.emplace_back([&, seed] {
      SplitMix64 numbers(seed);
      for (int call = 0; call < kCalls; ++call) {
        // Mostly the first tens; at times another, for which one has to go.
        const auto number =
            static_cast<int64_t>(numbers.next() % (numbers.next() % 8 == 0 ? 60 : 20));
        const Cache::Found found = ask(cache, number);
        const int64_t root = number / 10;
        wrong += found.entry->root != root || found.entry->square != root * root ||
                 *found.binding != number;
        if (call % 50 == 0) wrong += cache.closest(signature_of(number)).entry == nullptr;
        if (call % 50 == 1) wrong += cache.counters().programs > 3;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  const CacheCounters counters = cache.counters();
  EXPECT_EQ(counters.hits + counters.matches + counters.misses, kThreads * kCalls);
  EXPECT_EQ(counters.misses - counters.evictions, static_cast<int64_t>(counters.programs));
  EXPECT_GT(counters.evictions, 0);
  EXPECT_GT(counters.hits, 0);
  EXPECT_GT(counters.matches, 0);
}

}  // namespace
}  // namespace ridge::capture::entry_cache_threads_test
