#include "ridge/core/arena.h"

#include <algorithm>
#include <iterator>

#include "ridge/base/error.h"
#include "ridge/expr/size.h"

namespace ridge {
namespace {

int64_t rounded(int64_t bytes) {
  const int64_t blocks = divided_up(bytes, Arena::kAlignment);
  return (blocks == 0 ? 1 : blocks) * Arena::kAlignment;
}

}  // namespace

int64_t Arena::take(int64_t bytes) {
  bytes = rounded(bytes);
  // Of the smallest that fit the first.
  if (const auto best = by_size_.lower_bound({bytes, 0}); best != by_size_.end()) {
    const auto [size, offset] = *best;
    drop(free_.find(offset));
    if (size > bytes) add(offset + bytes, size - bytes);
    return offset;
  }
  // A free piece at the end only has to grow by what it lacks.
  if (!free_.empty()) {
    const auto last = std::prev(free_.end());
    if (last->first + last->second == end_) {
      const int64_t offset = last->first;
      end_ = offset + bytes;
      drop(last);
      return offset;
    }
  }
  const int64_t offset = end_;
  end_ += bytes;
  return offset;
}

void Arena::give_back(int64_t offset, int64_t bytes) {
  bytes = rounded(bytes);
  const auto next = free_.lower_bound(offset);
  RIDGE_INTERNAL_CHECK(next == free_.end() || next->first != offset,
                       "a piece of the arena given back twice");
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == offset) {
      offset = before->first;
      bytes += before->second;
      drop(before);
    }
  }
  if (next != free_.end() && offset + bytes == next->first) {
    bytes += next->second;
    drop(next);
  }
  add(offset, bytes);
}

void Arena::add(int64_t offset, int64_t bytes) {
  free_.emplace(offset, bytes);
  by_size_.emplace(bytes, offset);
}

void Arena::drop(std::map<int64_t, int64_t>::iterator piece) {
  by_size_.erase({piece->second, piece->first});
  free_.erase(piece);
}

ArenaLayout lay_out(const ArenaPlan& plan, std::span<const int64_t> bytes) {
  ArenaLayout layout{std::vector<int64_t>(bytes.size(), -1)};
  Arena arena;
  for (const ArenaPlan::Step& step : plan.steps) {
    const auto buffer = static_cast<size_t>(step.buffer);
    if (step.takes) {
      layout.offsets[buffer] = arena.take(bytes[buffer]);
    } else {
      arena.give_back(layout.offsets[buffer], bytes[buffer]);
    }
  }
  layout.bytes = arena.peak();
  for (const std::vector<int>& list : plan.scratch) {
    Arena own;
    for (const int buffer : list) {
      layout.offsets[static_cast<size_t>(buffer)] =
          arena.peak() + own.take(bytes[static_cast<size_t>(buffer)]);
    }
    layout.bytes = std::max(layout.bytes, arena.peak() + own.peak());
  }
  return layout;
}

}  // namespace ridge
