#include "ridge/core/caching_allocator.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "ridge/base/error.h"

namespace ridge {

CachingAllocator::CachingAllocator(Allocator& upstream, int64_t limit_bytes)
    : upstream_(upstream), limit_bytes_(limit_bytes) {}

CachingAllocator::~CachingAllocator() { trim(); }

size_t CachingAllocator::block_bytes(size_t bytes) {
  // Large blocks are few, and their waste would hurt: only a coarse page, the huge page of x86.
  constexpr size_t kLargeBytes = size_t{64} << 20, kLargeStep = size_t{2} << 20;
  size_t step = kAllocationAlignment;
  if (bytes > kLargeBytes) {
    step = kLargeStep;
  } else if (bytes > 0) {
    step = std::max(step, std::bit_ceil(bytes) / 16);  // eight classes between powers of two
  }
  const size_t last = std::max<size_t>(bytes, 1) - 1;
  const size_t block = (last | (step - 1)) + 1;  // steps are powers of two
  return block > last ? block : bytes;  // a request near 2^64 wraps: left for upstream to refuse
}

void* CachingAllocator::allocate(size_t bytes) {
  const size_t block = block_bytes(bytes);
  {
    const std::lock_guard lock(mutex_);
    if (void* data = take_cached(block)) {
      count_allocation(bytes);
      return data;
    }
  }
  void* data = ask_upstream(block);
  const std::lock_guard lock(mutex_);
  count_allocation(bytes);
  stats_.upstream_count += 1;
  return data;
}

void* CachingAllocator::take_cached(size_t block) {
  std::vector<void*>* list = free_lists_.find(block);
  if (list == nullptr || list->empty()) return nullptr;
  void* data = list->back();
  list->pop_back();
  stats_.cached_bytes -= static_cast<int64_t>(block);
  return data;
}

void CachingAllocator::count_allocation(size_t bytes) {
  stats_.live_bytes += static_cast<int64_t>(bytes);
  stats_.peak_live_bytes = std::max(stats_.peak_live_bytes, stats_.live_bytes);
  stats_.allocation_count += 1;
}

void* CachingAllocator::ask_upstream(size_t block) {
  try {
    return upstream_.allocate(block);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::memory) throw;
  }
  trim();
  return upstream_.allocate(block);
}

void CachingAllocator::release(void* data, size_t bytes) noexcept {
  const size_t block = block_bytes(bytes);
  {
    const std::lock_guard lock(mutex_);
    stats_.live_bytes -= static_cast<int64_t>(bytes);
    if (keep(data, block)) return;
  }
  upstream_.release(data, block);
}

bool CachingAllocator::keep(void* data, size_t block) noexcept {
  const int64_t cached = stats_.cached_bytes + static_cast<int64_t>(block);
  if (limit_bytes_ != kNoLimit && cached > limit_bytes_) return false;
  try {
    free_lists_.of(block).push_back(data);
  } catch (...) {
    return false;  // no memory for the list itself: the best time to give the block back
  }
  stats_.cached_bytes = cached;
  return true;
}

void CachingAllocator::trim() {
  BlockLists<void*> taken;
  {
    const std::lock_guard lock(mutex_);
    std::swap(taken, free_lists_);
    stats_.cached_bytes = 0;
  }
  taken.for_each([&](size_t block, const std::vector<void*>& list) {
    for (void* data : list) upstream_.release(data, block);
  });
}

void CachingAllocator::set_limit(int64_t limit_bytes) {
  bool is_over = false;
  {
    const std::lock_guard lock(mutex_);
    limit_bytes_ = limit_bytes;
    is_over = limit_bytes != kNoLimit && stats_.cached_bytes > limit_bytes;
  }
  if (is_over) trim();
}

AllocatorStats CachingAllocator::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

void CachingAllocator::reset_peak() {
  const std::lock_guard lock(mutex_);
  stats_.peak_live_bytes = stats_.live_bytes;
}

}  // namespace ridge
