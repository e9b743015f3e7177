#include "ridge/runtime/cuda/stream_allocator.h"

#include <algorithm>
#include <utility>

#include "ridge/base/error.h"
#include "ridge/base/hash.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/core/caching_allocator.h"

namespace ridge::runtime::cuda {
namespace {

template <class Streams>
void add_once(Streams& streams, Stream stream) {
  if (std::find(streams.begin(), streams.end(), stream) == streams.end()) streams.push_back(stream);
}

template <class Streams>
void forget(Streams& streams, Stream stream) {
  const auto found = std::find(streams.begin(), streams.end(), stream);
  if (found != streams.end()) streams.erase(found);
}

uintptr_t address_of(const void* data) { return reinterpret_cast<uintptr_t>(data); }

}  // namespace

size_t StreamAllocator::StreamHash::operator()(const Stream& stream) const {
  return Hasher()
      .combine(stream.device.kind)
      .combine(stream.device.index)
      .combine(stream.handle)
      .digest();
}

StreamAllocator::StreamAllocator(MemorySource& source, int64_t limit_bytes)
    : source_(source), limit_bytes_(limit_bytes) {}

StreamAllocator::~StreamAllocator() { trim(); }

void* StreamAllocator::allocate(size_t bytes) {
  const size_t block = CachingAllocator::block_bytes(bytes);
  const Stream stream = source_.current_stream();
  {
    const std::lock_guard lock(mutex_);
    if (void* data = take_cached(block, bytes, stream)) return data;
  }
  void* data = allocate_upstream(block, bytes);
  const std::lock_guard lock(mutex_);
  blocks_[address_of(data)] = {.block_bytes = block, .bytes = bytes, .streams = {stream}};
  count_live(bytes);
  stats_.upstream_count += 1;
  return data;
}

void* StreamAllocator::allocate_upstream(size_t block, size_t bytes) {
  if (void* data = source_.allocate(block)) return data;
  if (void (*const relieve)() = relieve_.load()) relieve();
  trim();
  if (void* data = source_.allocate(block)) return data;
  throw_out_of_memory(bytes);
}

void StreamAllocator::throw_out_of_memory(size_t bytes) const {
  const AllocatorStats now = stats();
  const MemorySource::Level level = source_.level();
  throw_error({.code = ErrorCode::memory,
               .expected = concat("a request that fits into the ", Bytes(level.free_bytes),
                                  " free of ", Bytes(level.total_bytes), " on ", source_.name()),
               .given = concat(bytes, " bytes (", Bytes(bytes), ") beside ", Bytes(now.live_bytes),
                               " live and ", Bytes(now.cached_bytes), " cached by Ridge")});
}

void* StreamAllocator::take_cached(size_t block, size_t bytes, Stream stream) {
  List* const list = cached_.find(block);
  if (list == nullptr || list->empty()) return nullptr;
  const auto usable = [&](Blocks::iterator cached) { return is_usable(cached->second, stream); };
  // The latest first: its memory is the likeliest to be in the cache of the device.
  auto taken = std::find_if(list->rbegin(), list->rend(), usable);
  if (taken == list->rend()) {
    advance(*list, stream);
    taken = std::find_if(list->rbegin(), list->rend(), usable);
    if (taken == list->rend()) return nullptr;
  }
  auto& [address, now] = **taken;
  list->erase(std::next(taken).base());
  stats_.cached_bytes -= static_cast<int64_t>(block);
  now.bytes = bytes;
  now.streams.clear();
  now.streams.push_back(stream);
  now.released = kLive;
  count_live(bytes);
  return reinterpret_cast<void*>(address);
}

bool StreamAllocator::is_usable(const Block& block, Stream stream) const {
  return std::ranges::all_of(block.streams, [&](const Stream& user) {
    if (user == stream) return true;
    const auto known = progress_.find(user);
    return known != progress_.end() && known->second.idle >= block.released;
  });
}

// Looks how far the other streams that hold these blocks have come, and marks where they are now,
// so that the next request finds out.
void StreamAllocator::advance(const List& list, Stream stream) {
  std::vector<Stream> others;
  for (const Blocks::iterator cached : list) {
    for (const Stream& user : cached->second.streams) {
      if (user != stream) add_once(others, user);
    }
  }
  for (const Stream& other : others) {
    Progress& progress = progress_[other];
    if (progress.mark != nullptr && source_.has_passed(progress.mark)) {
      progress.idle = std::max(progress.idle, progress.marked);
      progress.mark.reset();
    }
    if (progress.mark == nullptr && progress.idle < release_count_) {
      progress.mark = source_.mark(other);
      progress.marked = release_count_;
    }
  }
}

void StreamAllocator::count_live(size_t bytes) {
  stats_.live_bytes += static_cast<int64_t>(bytes);
  stats_.peak_live_bytes = std::max(stats_.peak_live_bytes, stats_.live_bytes);
  stats_.allocation_count += 1;
}

void StreamAllocator::release(void* data, size_t) noexcept {
  try {
    bool is_over_limit = false;
    {
      const Stream stream = source_.current_stream();
      const std::lock_guard lock(mutex_);
      const auto found = blocks_.find(address_of(data));
      if (found == blocks_.end() || !found->second.is_live()) {
        log(LogLevel::error, "memory", "memory returned to " + source_.name() + " is not from it");
        return;
      }
      Block& block = found->second;
      add_once(block.streams, stream);
      cached_.of(block.block_bytes).push_back(found);
      block.released = ++release_count_;
      stats_.live_bytes -= static_cast<int64_t>(block.bytes);
      stats_.cached_bytes += static_cast<int64_t>(block.block_bytes);
      is_over_limit = limit_bytes_ != kNoLimit && stats_.cached_bytes > limit_bytes_;
    }
    if (is_over_limit) trim();
  } catch (...) {
    // No host memory for the lists: the block is lost to us, which a destructor cannot report.
  }
}

void StreamAllocator::trim() {
  uint64_t waited_for = 0;
  {
    const std::lock_guard lock(mutex_);
    if (stats_.cached_bytes == 0) return;
    waited_for = release_count_;
  }
  if (!source_.wait_for_all()) return;
  std::vector<void*> taken;
  {
    const std::lock_guard lock(mutex_);
    taken.reserve(blocks_.size());  // all that may fail, before anything changes
    cached_.for_each([&](size_t bytes, List& list) {
      std::erase_if(list, [&](Blocks::iterator cached) {
        if (cached->second.released > waited_for) return false;  // released while we waited
        taken.push_back(reinterpret_cast<void*>(cached->first));
        blocks_.erase(cached);
        stats_.cached_bytes -= static_cast<int64_t>(bytes);
        return true;
      });
    });
  }
  for (void* data : taken) source_.release(data);
}

bool StreamAllocator::record_use(const void* data, Stream stream) {
  const std::lock_guard lock(mutex_);
  auto found = blocks_.upper_bound(address_of(data));
  if (found == blocks_.begin()) return false;
  --found;
  Block& block = found->second;
  if (!block.is_live() || address_of(data) >= found->first + block.block_bytes) return false;
  add_once(block.streams, stream);
  return true;
}

void StreamAllocator::forget_stream(Stream stream) {
  const std::lock_guard lock(mutex_);
  for (auto& [address, block] : blocks_) forget(block.streams, stream);
  progress_.erase(stream);
  ++forgotten_;
}

AllocatorStats StreamAllocator::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

void StreamAllocator::reset_peak() {
  const std::lock_guard lock(mutex_);
  stats_.peak_live_bytes = stats_.live_bytes;
}

}  // namespace ridge::runtime::cuda
