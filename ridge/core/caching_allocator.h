// Keeps released blocks for the next request of about the same size.
//
// Requests are rounded up to a size class, and a released block serves any later request of its
// class. Training asks for the same sizes step after step, so after the first step upstream is
// asked for nothing. When upstream is out of memory, the cache is given back and it is asked
// once more.
//
//   allocate(1000)   block of 1024 from upstream       release   cached
//   allocate(1010)   the same block
//
// Works over the memory of any device: blocks are never touched, and the lists stand beside them.
// In the statistics live bytes are as requested, cached bytes are of whole blocks.
#pragma once

#include <cstddef>
#include <mutex>

#include "ridge/core/allocator.h"
#include "ridge/core/block_lists.h"

namespace ridge {

class CachingAllocator final : public Allocator {
 public:
  static constexpr int64_t kNoLimit = -1;

  // `upstream` must outlive this. At most `limit_bytes` are kept; what exceeds them goes back.
  explicit CachingAllocator(Allocator& upstream, int64_t limit_bytes = kNoLimit);
  ~CachingAllocator() override;

  void* allocate(size_t bytes) override;
  void release(void* data, size_t bytes) noexcept override;
  AllocatorStats stats() const override;
  void reset_peak() override;
  void trim() override;

  // Gives back the cache if it holds more than that.
  void set_limit(int64_t limit_bytes);

  // The size of the block that serves a request: at most 1/8 more, and less beyond 64 MiB.
  static size_t block_bytes(size_t bytes);

 private:
  void* ask_upstream(size_t block);
  // With the mutex held:
  void* take_cached(size_t block);  // null if there is none
  bool keep(void* data, size_t block) noexcept;
  void count_allocation(size_t bytes);

  Allocator& upstream_;
  mutable std::mutex mutex_;  // guards what follows; not held while upstream works
  int64_t limit_bytes_;
  BlockLists<void*> free_lists_;
  AllocatorStats stats_;
};

}  // namespace ridge
