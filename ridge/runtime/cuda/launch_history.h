// What was launched on a device and is not known to have finished.
//
// A kernel that reads out of bounds fails later than its launch, in whatever call happens to wait
// for it, and every call after that fails too. So the last launches are kept, forgotten when a wait
// for their stream succeeds, and named when a wait fails; the first such error is remembered.
//
//   history.add(name_a, stream); history.add(name_b, stream);
//   history.suspects()      "kernel `b`, or one launched before it and not yet waited for: `a`"
//
// Bounded, thread-safe, and cheap enough for every launch.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ridge/runtime/cuda/driver_types.h"

namespace ridge::runtime::cuda {

// Shared, because a kernel may be unloaded before its failure is found.
using LaunchName = std::shared_ptr<const std::string>;

class LaunchHistory {
 public:
  static constexpr size_t kLimit = 32;

  // What somebody who launches the same thing again and again keeps.
  struct Noted {
    uint64_t version = 0;
    uintptr_t stream = 0;
  };

  uint64_t add(const LaunchName& name, uintptr_t stream);  // the version that it made
  // As `add`, but does nothing while the newest launch is the one that `noted` is of. Whoever keeps it
  // always gives the same name.
  void add_again(const LaunchName& name, uintptr_t stream, Noted& noted);
  void forget_stream(uintptr_t stream);  // a wait for it succeeded
  void forget_all();                     // a wait for the whole device succeeded

  // The launches a failure may come from, newest first; empty if there are none.
  std::string suspects() const;

  // Keeps the first text, and returns the one kept.
  std::string remember_fault(const std::string& text);
  std::string fault() const;  // empty while the device is well

 private:
  struct Launch {
    LaunchName name;  // null: finished
    uintptr_t stream = 0;
  };

  mutable std::mutex mutex_;
  std::array<Launch, kLimit> launches_;  // a ring: the oldest is overwritten
  size_t next_ = 0;
  std::atomic<uint64_t> version_{1};  // of the ring, another with each change; 0 is that of none
  std::string fault_;
};

// While one lives, launches of this thread are captured into a graph, not run: they are collected
// for the graph, which must keep their code loaded, and stay out of the device's history.
class CapturedLaunches {
 public:
  struct Launch {
    LaunchName name;
    std::shared_ptr<const void> code;
    GraphNodeHandle node = nullptr;  // of the graph, once the launch is captured
  };

  CapturedLaunches();
  ~CapturedLaunches();
  CapturedLaunches(const CapturedLaunches&) = delete;
  CapturedLaunches& operator=(const CapturedLaunches&) = delete;

  std::vector<Launch>& launches() { return launches_; }
  static size_t count();  // of those this thread is capturing so far
  // The launch as it was taken, until the next one is; null if this thread is not capturing.
  static Launch* take(const LaunchName& name, const std::shared_ptr<const void>& code);

 private:
  CapturedLaunches* outer_;
  std::vector<Launch> launches_;
};

}  // namespace ridge::runtime::cuda
