#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/core/allocator.h"

namespace ridge {
namespace {

[[noreturn]] void throw_out_of_memory(size_t asked, size_t available) {
  throw_error({.code = ErrorCode::memory,
               .expected = concat("at most ", available, " bytes (", to_text(Bytes(available)),
                                  "), the host memory available"),
               .given = concat("a request for ", asked, " bytes (", to_text(Bytes(asked)), ")")});
}

}  // namespace

size_t physical_memory_bytes() {
  static const size_t bytes =
      static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGE_SIZE));
  return bytes;
}

void* HostAllocator::allocate(size_t bytes) {
  const auto live = static_cast<size_t>(std::max(int64_t{0}, live_bytes_.load()));
  const size_t available = physical_memory_bytes() - std::min(physical_memory_bytes(), live);
  if (bytes > available) throw_out_of_memory(bytes, available);

  // aligned_alloc wants a multiple of the alignment, and zero bytes must give a pointer.
  const size_t blocks =
      std::max<size_t>(1, bytes / kAllocationAlignment + (bytes % kAllocationAlignment != 0));
  void* data = std::aligned_alloc(kAllocationAlignment, blocks * kAllocationAlignment);
  if (data == nullptr) throw_out_of_memory(bytes, available);

  const int64_t now_live =
      live_bytes_.fetch_add(static_cast<int64_t>(bytes)) + static_cast<int64_t>(bytes);
  allocation_count_.fetch_add(1);
  int64_t peak = peak_live_bytes_.load();
  while (peak < now_live && !peak_live_bytes_.compare_exchange_weak(peak, now_live)) {}
  return data;
}

void HostAllocator::release(void* data, size_t bytes) noexcept {
  std::free(data);
  live_bytes_.fetch_sub(static_cast<int64_t>(bytes));
}

AllocatorStats HostAllocator::stats() const {
  return {.live_bytes = live_bytes_.load(),
          .peak_live_bytes = peak_live_bytes_.load(),
          .cached_bytes = 0,
          .allocation_count = allocation_count_.load(),
          .upstream_count = allocation_count_.load()};
}

void HostAllocator::reset_peak() { peak_live_bytes_.store(live_bytes_.load()); }

}  // namespace ridge
