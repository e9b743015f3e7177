// The programs of one compiled function, found by the signature of a call.
//
//   std::shared_ptr<Entry> entry = cache.find(flat.signature);
//   if (!entry) entry = cache.find_or_make(flat.signature, [&] { ... });
//
// The hash finds, the comparison of all words confirms. There is no limit at which entries are
// dropped. Any thread may ask; two that miss the same signature make it once.
#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "ridge/capture/signature.h"

namespace ridge::capture {

template <class Entry>
class EntryCache {
 public:
  std::shared_ptr<Entry> find(const Signature& signature) const {
    const std::shared_lock lock(mutex_);
    const auto [first, last] = entries_.equal_range(signature.hash());
    for (auto found = first; found != last; ++found) {
      if (found->second.signature == signature) return found->second.entry;
    }
    return nullptr;
  }

  // `make()` returns the shared_ptr of a new entry. It runs without the lock that `find` takes, so
  // other signatures are served meanwhile, and it may throw: then nothing is kept.
  template <class Make>
  std::shared_ptr<Entry> find_or_make(const Signature& signature, Make&& make) {
    const std::lock_guard making(making_);
    if (std::shared_ptr<Entry> found = find(signature)) return found;
    std::shared_ptr<Entry> entry = make();
    const std::unique_lock lock(mutex_);
    last_ = entries_.emplace(signature.hash(), Kept{signature, entry})->second.signature;
    return entry;
  }

  size_t size() const {
    const std::shared_lock lock(mutex_);
    return entries_.size();
  }
  // The first difference to the newest entry; empty if there is none yet.
  std::string why_missed(const Signature& signature,
                         std::span<const std::string> names = {}) const {
    const std::shared_lock lock(mutex_);
    return entries_.empty() ? std::string() : describe_difference(last_, signature, names);
  }

 private:
  struct Kept {
    Signature signature;
    std::shared_ptr<Entry> entry;
  };
  mutable std::shared_mutex mutex_;
  std::mutex making_;
  std::unordered_multimap<uint64_t, Kept> entries_;
  Signature last_;
};

}  // namespace ridge::capture
