// Entries by signature: found again, shared by signatures, bounded, counted.
#include "ridge/capture/entry_cache.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ridge::capture::entry_cache_test {
namespace {

using Cache = EntryCache<int, std::string>;
using Found = Cache::Found;

Signature signature_of(int64_t number) {
  Signature signature;
  signature.add_number(0, number);
  signature.add_number(1, -number);
  signature.add_thread();
  signature.finish();
  return signature;
}

Found make(Cache& cache, int64_t number) {
  return cache.find_or_make(signature_of(number), [&] {
    return Found{.entry = std::make_shared<int>(static_cast<int>(number))};
  });
}

TEST(EntryCache, FindsWhatWasMade) {
  Cache cache;
  EXPECT_FALSE(cache.find(signature_of(1)));
  EXPECT_EQ(*make(cache, 1).entry, 1);
  EXPECT_EQ(*make(cache, 2).entry, 2);
  EXPECT_EQ(*cache.find(signature_of(1)).entry, 1);
  EXPECT_EQ(make(cache, 1).entry, cache.find(signature_of(1)).entry) << "made once";
  const CacheCounters counters = cache.counters();
  EXPECT_EQ(counters.misses, 2);
  EXPECT_EQ(counters.hits, 3);
  EXPECT_EQ(counters.programs, 2u);
  EXPECT_EQ(counters.evictions, 0);
}

TEST(EntryCache, TheLeastRecentlyUsedEntryGoesFirst) {
  Cache cache(3);
  for (int64_t i = 0; i < 3; ++i) make(cache, i);
  cache.find(signature_of(0));
  cache.find(signature_of(2));
  const std::shared_ptr<int> running = cache.find(signature_of(1)).entry;
  cache.find(signature_of(0));
  make(cache, 3);  // 2 was used longest ago
  EXPECT_FALSE(cache.find(signature_of(2)));
  make(cache, 4);  // now 1
  EXPECT_FALSE(cache.find(signature_of(1)));
  EXPECT_EQ(*running, 1) << "a call that runs it keeps it";
  EXPECT_TRUE(cache.find(signature_of(0)));
  EXPECT_EQ(cache.counters().evictions, 2);
  EXPECT_EQ(cache.counters().programs, 3u);
  EXPECT_EQ(*make(cache, 2).entry, 2) << "made again";
}

TEST(EntryCache, OneEntryServesSeveralSignaturesEachWithItsBinding) {
  Cache cache(2);
  const std::shared_ptr<int> all = make(cache, 0).entry;
  const auto bind = [&](int64_t number) {
    return cache.find_or_make(signature_of(number), [&] {
      return Found{all, std::make_shared<const std::string>(std::to_string(number))};
    });
  };
  for (int64_t i = 1; i < 5; ++i) bind(i);
  EXPECT_EQ(cache.size(), 1u);
  EXPECT_EQ(cache.counters().matches, 4);
  EXPECT_EQ(cache.counters().misses, 1);
  EXPECT_EQ(cache.find(signature_of(3)).entry, all);
  EXPECT_EQ(*cache.find(signature_of(3)).binding, "3");
  EXPECT_EQ(cache.find(signature_of(0)).binding, nullptr);
  make(cache, 10);
  make(cache, 11);  // `all` was used longest ago: it goes with all its signatures
  for (int64_t i = 0; i < 5; ++i) EXPECT_FALSE(cache.find(signature_of(i))) << i;
}

TEST(EntryCache, SignaturesOfOneEntryAreBounded) {
  Cache cache;
  const std::shared_ptr<int> all = make(cache, 0).entry;
  const auto count = static_cast<int64_t>(Cache::kSignaturesOfEntry);
  for (int64_t i = 1; i <= count; ++i) {
    cache.find_or_make(signature_of(i), [&] { return Found{.entry = all}; });
  }
  EXPECT_FALSE(cache.find(signature_of(0))) << "forgotten";
  EXPECT_EQ(cache.find(signature_of(count)).entry, all);
  EXPECT_EQ(cache.size(), 1u);
}

TEST(EntryCache, AnEntryThatCannotBeMadeLeavesNothing) {
  Cache cache;
  const auto fail = []() -> Found { throw std::runtime_error("no"); };
  EXPECT_THROW(cache.find_or_make(signature_of(1), fail), std::runtime_error);
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_EQ(cache.counters().misses, 0);
  EXPECT_EQ(*make(cache, 1).entry, 1);
}

TEST(EntryCache, ComparesWithTheEntryThatCameClosest) {
  Cache cache;
  EXPECT_EQ(cache.closest(signature_of(1)).entry, nullptr);
  const auto two = [&](int64_t a, int64_t b) {
    Signature signature;
    signature.add_number(0, a);
    signature.add_number(1, b);
    signature.add_thread();
    signature.finish();
    return signature;
  };
  for (const auto& [a, b] : {std::pair<int64_t, int64_t>{1, 1}, {2, 2}, {3, 3}}) {
    cache.find_or_make(two(a, b), [&] { return Found{.entry = std::make_shared<int>(a)}; });
  }
  EXPECT_EQ(*cache.closest(two(2, 7)).entry, 2) << "one number differs, of the others two";
  EXPECT_EQ(*cache.closest(two(8, 9)).entry, 3) << "all differ as much: the last one used";
  cache.find(two(1, 1));
  EXPECT_EQ(*cache.closest(two(8, 9)).entry, 1);
}

}  // namespace
}  // namespace ridge::capture::entry_cache_test
