// Counting what runs: kernels launched and the bytes they move, eagerly and compiled alike.
//
//   LaunchCounts counts;
//   { CountLaunches scope(counts); step(); }
//   counts.kernels, counts.bytes
//
// Counts are of this thread, exact, and cost a branch on each launch while nobody counts.
#pragma once

#include <cstdint>

namespace ridge::execute {

struct LaunchCounts {
  int64_t kernels = 0;
  int64_t bytes = 0;
};

// The counts of this thread's innermost scope; null if nobody counts.
LaunchCounts*& active_counts();

class CountLaunches {
 public:
  explicit CountLaunches(LaunchCounts& counts) : outer_(active_counts()) {
    active_counts() = &counts;
  }
  ~CountLaunches() { active_counts() = outer_; }
  CountLaunches(const CountLaunches&) = delete;
  CountLaunches& operator=(const CountLaunches&) = delete;

 private:
  LaunchCounts* outer_;
};

inline LaunchCounts*& active_counts() {
  static constinit thread_local LaunchCounts* counts = nullptr;
  return counts;
}

}  // namespace ridge::execute
