// Bulk copies from global to shared memory: `bulk_copy` of loop.h.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/loop/memory.h"

namespace ridge::loop {
namespace {

constexpr int64_t kBulkAlignment = 16;  // bytes

}  // namespace

void Memory::bulk_copy(int buffer, int from, Lanes lanes, Column first, Column count) {
  const auto block_of = [&](uint32_t lane) { return (lane >> thread_shift_) / block_threads_; };
  for (size_t i = 0; i < lanes.size();) {
    const size_t start = i;
    const uint32_t one = lanes[i];
    bool agree = true;
    for (; i < lanes.size() && block_of(lanes[i]) == block_of(one); ++i) {
      agree &= first[lanes[i]].integer == first[one].integer &&
               count[lanes[i]].integer == count[one].integer;
    }
    const bool is_whole = std::cmp_equal(i - start, block_threads_);
    if (!(agree && is_whole) && counts_.status == KernelStatus::ok) {
      throw_error({.op = kernel_.name,
                   .expected = "a bulk_copy that all threads of the block reach, and agree on",
                   .given = kernel_.buffers[static_cast<size_t>(buffer)].name});
    }
    bulk_copy_block(buffer, from, one, first[one].integer,
                    std::max<int64_t>(count[one].integer, 0));
  }
}

// It orders its own elements only: behind all that the block read there before, in front of all that
// it reads there afterwards. So they have a writer of no epoch, with which nobody races.
void Memory::bulk_copy_block(int buffer, int from, uint32_t lane, int64_t first, int64_t count) {
  Region& into = regions_[static_cast<size_t>(buffer)];
  const Region& source = regions_[static_cast<size_t>(from)];
  const bool is_inside =
      count == 0 || (is_in_range(into, count - 1, false) && is_in_range(source, first, true) &&
                     is_in_range(source, first + count - 1, true));
  if (!is_inside) return;
  if (count > 0 && first * source.element_bytes % kBulkAlignment != 0 &&
      counts_.status == KernelStatus::ok) {
    throw_error({.op = kernel_.name,
                 .expected = concat("bulk copies from multiples of ", kBulkAlignment, " bytes"),
                 .given = concat(source.buffer->name, "[", first, "]")});
  }
  const int64_t start = place(into, 0, lane);
  std::byte* const to = into.data + start * into.element_bytes;
  std::memset(to, 0xff, static_cast<size_t>(into.elements * into.element_bytes));
  if (count > 0) {
    std::memcpy(to, source.data + first * source.element_bytes,
                static_cast<size_t>(count * into.element_bytes));
  }
  if (!into.shadow.empty()) {
    Touch writer = touch_of(lane);
    writer.epoch = kNone;
    for (int64_t i = 0; i < into.elements; ++i) {
      into.shadow[static_cast<size_t>(start + i)] = {i < count ? writer : Touch{}, Touch{}};
    }
  }
  if (count == 0) return;
  std::vector<int64_t> indices(static_cast<size_t>(count));
  std::iota(indices.begin(), indices.end(), first);
  count_group(static_cast<size_t>(from), indices, true);
  std::iota(indices.begin(), indices.end(), 0);
  count_group(static_cast<size_t>(buffer), indices, false);
}

}  // namespace ridge::loop
