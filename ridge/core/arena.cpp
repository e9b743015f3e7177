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
  auto best = free_.end();
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    if (it->second >= bytes && (best == free_.end() || it->second < best->second)) best = it;
  }
  if (best != free_.end()) {
    const auto [offset, size] = *best;
    free_.erase(best);
    if (size > bytes) free_[offset + bytes] = size - bytes;
    return offset;
  }
  // A free piece at the end only has to grow by what it lacks.
  if (!free_.empty()) {
    const auto last = std::prev(free_.end());
    if (last->first + last->second == end_) {
      const int64_t offset = last->first;
      end_ = offset + bytes;
      free_.erase(last);
      return offset;
    }
  }
  const int64_t offset = end_;
  end_ += bytes;
  return offset;
}

void Arena::give_back(int64_t offset, int64_t bytes) {
  const auto [it, is_new] = free_.emplace(offset, rounded(bytes));
  RIDGE_INTERNAL_CHECK(is_new, "a piece of the arena given back twice");
  const auto next = std::next(it);
  if (next != free_.end() && it->first + it->second == next->first) {
    it->second += next->second;
    free_.erase(next);
  }
  if (it != free_.begin()) {
    const auto before = std::prev(it);
    if (before->first + before->second == it->first) {
      before->second += it->second;
      free_.erase(it);
    }
  }
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
