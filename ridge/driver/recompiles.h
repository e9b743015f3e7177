// Why a compiled function was compiled again: which guard did not hold, for which argument.
//
//   for (const Recompile& r : explain_recompiles(step).records) { r.guard, r.argument, r.before, ... }
//   std::cout << to_text(explain_recompiles(step));
//
//   step (train.cpp:41): 2 programs, 998 hits, 2 misses, 0 evictions
//     x: f32[32, 8] before, f32[7, 8] now         size 0 was 32, is 7
//
// Each is compared with the program that came closest to serving the call. The list is bounded: the
// oldest records go first, and are counted.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/capture/entry_cache.h"

namespace ridge {

struct Recompile {
  std::string guard;     // "size 0", "dtype", "value", "aliasing", ... (capture/signature.h)
  std::string argument;  // "model.head.weight"; empty for what belongs to the whole call
  std::string before;    // what the guard holds for
  std::string now;       // what the call had
  std::string text;      // "x: f32[2, 3] before, f32[4, 3] now"
  Location where;        // the user's line that compiled the function
};

struct Recompiles {
  std::string function;
  Location where;
  std::vector<Recompile> records;  // oldest first
  size_t forgotten = 0;            // older ones
  capture::CacheCounters counters;
};

std::string to_text(const Recompiles& recompiles);

namespace driver {

class RecompileLog {
 public:
  static constexpr size_t kLimit = 256;
  // Records it, and logs it under the topic `guards`.
  void add(const std::string& function, Recompile recompile);
  // Without counters.
  Recompiles recompiles(const std::string& function, Location where) const;

 private:
  mutable std::mutex mutex_;
  std::deque<Recompile> records_;
  size_t forgotten_ = 0;
};

}  // namespace driver
}  // namespace ridge
