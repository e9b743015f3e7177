// The programs of one compiled function, found by the signature of a call.
//
//   auto found = cache.find(flat.signature);
//   if (!found) found = cache.find_or_make(flat.signature, [&] { ... });
//
// The hash finds, the comparison of all words confirms. One entry may serve several signatures: what
// `make` returns for a new one may be an entry that is kept already, with a binding of its own (the
// sizes of that signature), and the next call of that signature finds both at once. At most `limit` entries are kept; the one that was used longest ago
// goes first, and lives on only until the calls that run it end.
//
// Any thread may ask: `find` takes a lock that readers share. Two that miss the same signature make
// it once.
#pragma once

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "ridge/capture/signature.h"

namespace ridge::capture {

struct CacheCounters {
  int64_t hits = 0;       // calls whose exact signature was known
  int64_t matches = 0;    // calls of a new signature that an entry made before served
  int64_t misses = 0;     // calls that made an entry
  int64_t evictions = 0;  // entries dropped for others
  size_t programs = 0;    // entries kept now
};

struct NoBinding {};

template <class Entry, class Binding>
struct FoundEntry {
  std::shared_ptr<Entry> entry;
  std::shared_ptr<const Binding> binding{};  // of the entry to the signature; may be null
  explicit operator bool() const { return entry != nullptr; }
};

template <class Entry, class Binding = NoBinding>
class EntryCache {
 public:
  using Found = FoundEntry<Entry, Binding>;
  static constexpr size_t kNoLimit = std::numeric_limits<size_t>::max();
  // Signatures that one entry is found by. Beyond, all but the newest are forgotten: their next
  // calls ask `make` again, which costs them a look at the entry's guards.
  static constexpr size_t kSignaturesOfEntry = 512;

  explicit EntryCache(size_t limit = kNoLimit) : limit_(limit) {}

  Found find(const Signature& signature) const {
    const std::shared_lock lock(mutex_);
    const auto [first, last] = known_.equal_range(signature.hash());
    for (auto known = first; known != last; ++known) {
      if (!(known->second.signature == signature)) continue;
      const Kept& kept = *known->second.kept;
      kept.used.store(uses_.fetch_add(1, std::memory_order_relaxed), std::memory_order_relaxed);
      return {kept.entry, known->second.binding};
    }
    return {};
  }

  // `make()` returns a new entry or one that is kept. It runs without the lock that `find` takes, so
  // other signatures are served meanwhile, and it may throw: then nothing changes.
  template <class Make>
  Found find_or_make(const Signature& signature, Make&& make) {
    std::shared_ptr<Entry> evicted;  // may end here, after the locks
    const std::lock_guard making(making_);
    if (Found found = find(signature)) return found;
    Found made = make();
    evicted = keep(signature, made);
    return made;
  }

  // In the order they were made.
  std::vector<std::shared_ptr<Entry>> entries() const {
    const std::shared_lock lock(mutex_);
    std::vector<std::shared_ptr<Entry>> entries;
    for (const auto& kept : kept_) entries.push_back(kept->entry);
    return entries;
  }

  // What comes closest to serving the signature: the entry that fewest items of it keep from it, the
  // one used last among equals. Null if there is none.
  struct Closest {
    std::shared_ptr<Entry> entry;
    Signature made_for;
  };
  Closest closest(const Signature& signature) const {
    const std::shared_lock lock(mutex_);
    const Kept* best = nullptr;
    size_t fewest = kNoLimit;
    for (const auto& kept : kept_) {
      const size_t count = count_differences(kept->made_for, signature);
      if (count > fewest || (count == fewest && kept->used < best->used)) continue;
      fewest = count;
      best = kept.get();
    }
    return best == nullptr ? Closest{} : Closest{best->entry, best->made_for};
  }

  size_t size() const {
    const std::shared_lock lock(mutex_);
    return kept_.size();
  }
  CacheCounters counters() const {
    const std::shared_lock lock(mutex_);
    CacheCounters counters = counters_;
    counters.hits = uses_.load(std::memory_order_relaxed) - counters.matches - counters.misses;
    counters.programs = kept_.size();
    return counters;
  }

 private:
  struct Kept {
    Kept(std::shared_ptr<Entry> e, Signature s) : entry(std::move(e)), made_for(std::move(s)) {}
    std::shared_ptr<Entry> entry;
    Signature made_for;  // the first one it served
    size_t signatures = 0;
    mutable std::atomic<int64_t> used{0};
  };
  struct Known {
    Signature signature;
    Kept* kept;
    std::shared_ptr<const Binding> binding;
  };

  std::shared_ptr<Entry> keep(const Signature& signature, const Found& made) {
    const std::unique_lock lock(mutex_);
    const auto is_it = [&](const auto& kept) { return kept->entry == made.entry; };
    auto found = std::ranges::find_if(kept_, is_it);
    if (found == kept_.end()) {
      kept_.push_back(std::make_unique<Kept>(made.entry, signature));
      found = kept_.end() - 1;
      ++counters_.misses;
    } else {
      ++counters_.matches;
    }
    Kept& kept = **found;
    kept.used = uses_.fetch_add(1, std::memory_order_relaxed);
    if (kept.signatures == kSignaturesOfEntry) forget(kept);
    known_.emplace(signature.hash(), Known{signature, &kept, made.binding});
    ++kept.signatures;
    return kept_.size() > limit_ ? evict() : nullptr;
  }

  // The newest entry was used last, so it is not the one unless it is the only one.
  std::shared_ptr<Entry> evict() {
    const auto by_use = [](const auto& a, const auto& b) { return a->used < b->used; };
    const auto oldest = std::ranges::min_element(kept_, by_use);
    forget(**oldest);
    std::shared_ptr<Entry> entry = std::move((*oldest)->entry);
    kept_.erase(oldest);
    ++counters_.evictions;
    return entry;
  }
  void forget(Kept& kept) {
    std::erase_if(known_, [&](const auto& known) { return known.second.kept == &kept; });
    kept.signatures = 0;
  }

  const size_t limit_;
  mutable std::shared_mutex mutex_;
  std::mutex making_;
  std::unordered_multimap<uint64_t, Known> known_;
  std::vector<std::unique_ptr<Kept>> kept_;
  CacheCounters counters_;  // but for hits
  mutable std::atomic<int64_t> uses_{0};
};

}  // namespace ridge::capture
