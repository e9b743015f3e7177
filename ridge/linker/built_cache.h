// Built kernels by their text: what the caches of all devices have in common.
//
//   BuiltCache<execute::CpuKernel> cache;
//   auto lookup = cache.find(keys);
//   std::vector<...> built(lookup.missing.size());
//   build_each(lookup.missing, [&](size_t i) { built[i] = build_one(kernels[lookup.missing[i]]); });
//   cache.add(std::move(lookup), built);
//
// In: a key for each kernel that is wanted. Out: one kernel for each, in order; equal keys are built
// once, what is missing on all threads. A kernel that does not compile is a KernelFailure that says
// which; any other error passes through. Thread-safe; nothing is locked while kernels are built.
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/runtime/cpu/thread_pool.h"

namespace ridge::linker {

// The internal Error of the first kernel that does not compile, with the numbers of all such.
struct KernelFailure : Error {
  KernelFailure(const Error& error, std::vector<size_t> numbers)
      : Error(error), kernels(std::move(numbers)) {}
  std::vector<size_t> kernels;
};

// The error of the first of these kernels that failed, if any did.
inline void throw_first(std::span<const size_t> kernels,
                        std::span<const std::exception_ptr> errors) {
  std::vector<size_t> failed;
  std::vector<Error> internal;
  for (size_t i = 0; i < errors.size(); ++i) {
    if (!errors[i]) continue;
    try {
      std::rethrow_exception(errors[i]);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::internal) throw;
      internal.push_back(error);
      failed.push_back(kernels[i]);
    }
  }
  if (!failed.empty()) throw KernelFailure(internal.front(), std::move(failed));
}

// f(i) for each position i of `kernels`, on all threads: one is worth a thread, as each takes milliseconds.
template <class F>
void build_each(std::span<const size_t> kernels, const F& f) {
  std::vector<std::exception_ptr> errors(kernels.size());
  runtime::parallel(static_cast<int64_t>(kernels.size()), 1, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      try {
        f(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  });
  throw_first(kernels, errors);
}

template <class Built>
class BuiltCache {
 public:
  using Ref = std::shared_ptr<const Built>;

  // What is there already, and the numbers of what is missing, each key once.
  struct Lookup {
    std::vector<std::string> keys;
    std::unordered_map<std::string, Ref> found;
    std::vector<size_t> missing;
  };

  Lookup find(std::vector<std::string> keys) {
    Lookup lookup{.keys = std::move(keys), .found = {}, .missing = {}};
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < lookup.keys.size(); ++i) {
      const auto [slot, is_first] = lookup.found.try_emplace(lookup.keys[i]);
      if (!is_first) continue;
      const auto known = kernels_.find(lookup.keys[i]);
      if (known == kernels_.end()) {
        lookup.missing.push_back(i);
      } else {
        slot->second = known->second;
      }
    }
    return lookup;
  }

  // With what was built for the missing ones, in their order: a kernel for each key. Of those that another thread has
  // built meanwhile, that one's.
  std::vector<Ref> add(Lookup lookup, std::span<const Ref> built) {
    const std::lock_guard lock(mutex_);
    drop_unused();
    for (size_t i = 0; i < lookup.missing.size(); ++i) {
      const std::string& key = lookup.keys[lookup.missing[i]];
      lookup.found[key] = kernels_.emplace(key, built[i]).first->second;
    }
    std::vector<Ref> result;
    for (const std::string& key : lookup.keys) result.push_back(lookup.found.at(key));
    return result;
  }

 private:
  // Beyond this many, kernels that no program and no eager call holds anymore are let go.
  static constexpr size_t kMostKernels = 4096;

  void drop_unused() {
    if (kernels_.size() <= kMostKernels) return;
    std::erase_if(kernels_, [](const auto& entry) { return entry.second.use_count() == 1; });
  }

  std::mutex mutex_;  // guards what follows
  std::unordered_map<std::string, Ref> kernels_;
};

}  // namespace ridge::linker
