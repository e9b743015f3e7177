// A caching allocator that knows the order of work on streams.
//
// The host returns memory while the device still works on it. That is no problem on the same
// stream, where whatever uses the block next runs later; another stream gets it only after an event
// shows that the first one is through.
//
//   stream A: allocate x, launch, release x
//   stream A: allocate            x again, at once
//   stream B: allocate            x if A has passed the mark set when B first asked, else new
//
// A block belongs to the stream that was current when it was allocated, the one that is current
// when it is released, and those named by record_use. One event covers all blocks a stream has
// released so far, and none is recorded while every stream finds its own blocks. A fresh block may
// still be in use by earlier work of its own stream: one that uses it first waits for that stream.
//
// Out of memory: asks others to let go of what they only keep, waits for the device, gives the cache
// back, asks once more, and only then throws an Error{memory} that says what is live, cached and
// free. Nothing else has changed by then.
// Sizes are rounded as in core/caching_allocator.h. Thread-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "ridge/base/small_vector.h"
#include "ridge/core/allocator.h"
#include "ridge/core/block_lists.h"
#include "ridge/core/device.h"

namespace ridge::runtime::cuda {

// What the stream-ordered allocator stands on: memory, and marks that streams pass.
//
// An interface, so that the allocator's rules are tested against a fake one without a GPU. Those of
// the device and of pinned host memory are in cuda_memory.h.

// A point of a stream: passed once all work queued before it is done.
using Mark = std::shared_ptr<void>;

class MemorySource {
 public:
  struct Level {
    size_t free_bytes = 0;
    size_t total_bytes = 0;
  };

  virtual ~MemorySource() = default;
  virtual std::string name() const = 0;           // "cuda:0", for errors
  virtual void* allocate(size_t bytes) = 0;       // null if there is no memory
  virtual void release(void* data) noexcept = 0;  // nothing uses it any more
  virtual Level level() noexcept = 0;             // zeros if it cannot be known

  virtual Stream current_stream() = 0;   // that of this thread
  virtual Mark mark(Stream stream) = 0;  // null if it cannot be marked now
  virtual bool has_passed(const Mark& mark) = 0;
  // The host waits until all streams are idle. False if it cannot: a graph is being captured, or
  // the device is lost.
  virtual bool wait_for_all() noexcept = 0;
};

class StreamAllocator final : public Allocator {
 public:
  static constexpr int64_t kNoLimit = -1;

  // `source` must outlive this. More than `limit_bytes` of cache are given back.
  explicit StreamAllocator(MemorySource& source, int64_t limit_bytes = kNoLimit);
  ~StreamAllocator() override;

  void* allocate(size_t bytes) override;
  void release(void* data, size_t bytes) noexcept override;
  AllocatorStats stats() const override;
  void reset_peak() override;
  void trim() override;  // waits for the device, then gives back what is cached

  // Work on `stream` uses the block that holds `data`: after its release other streams wait for
  // this one too. False if the memory is not from here.
  bool record_use(const void* data, Stream stream);

  // Called when memory has run out, on the thread that asks for some, to return blocks that are held
  // to save time alone. It must not allocate from here.
  void set_relief(void (*relieve)()) { relieve_.store(relieve); }

  // The stream is idle and about to be destroyed: its blocks are free for all.
  void forget_stream(Stream stream);
  // How many were. The handle of such a stream may be that of another one later: who remembers a stream
  // asks whether this is still what it was.
  uint64_t forgotten_streams() const { return forgotten_.load(std::memory_order_acquire); }

 private:
  struct Block {
    size_t block_bytes = 0;
    size_t bytes = 0;                  // as requested
    SmallVector<Stream, 2> streams{};  // whose work may use it
    uint64_t released = kLive;         // when, as a count of releases
    bool is_live() const { return released == kLive; }
  };
  static constexpr uint64_t kLive = 0;
  using Blocks = std::map<uintptr_t, Block>;
  // A block keeps its place among all of them, so that handing it out again moves nothing.
  using List = std::vector<Blocks::iterator>;
  // How far a stream is known to have come: it is through with what was released up to `idle`.
  struct Progress {
    uint64_t idle = 0;
    uint64_t marked = 0;  // what `mark` will show once it is passed
    Mark mark;
  };
  struct StreamHash {
    size_t operator()(const Stream& stream) const;
  };

  void* allocate_upstream(size_t block, size_t bytes);
  [[noreturn]] void throw_out_of_memory(size_t bytes) const;
  // With the mutex held:
  void* take_cached(size_t block, size_t bytes, Stream stream);
  bool is_usable(const Block& block, Stream stream) const;
  void advance(const List& list, Stream stream);
  void count_live(size_t bytes);

  MemorySource& source_;
  const int64_t limit_bytes_;
  std::atomic<void (*)()> relieve_{nullptr};
  std::atomic<uint64_t> forgotten_{0};
  mutable std::mutex mutex_;  // guards what follows; not held while the source allocates or waits
  Blocks blocks_;             // live and cached, by address
  BlockLists<Blocks::iterator> cached_;
  std::unordered_map<Stream, Progress, StreamHash> progress_;
  uint64_t release_count_ = 0;
  AllocatorStats stats_;
};

}  // namespace ridge::runtime::cuda
