#include "ridge/schedule/group_order.h"

#include <algorithm>

namespace ridge::schedule {
namespace {

// Between neighbors at first.
constexpr int64_t kRoom = int64_t{1} << 32;
// Of the room in front of a group its new neighbors take one part in so many: whatever is merged into it
// next has things move in front of it too.
constexpr int64_t kRoomLeft = 64;

}  // namespace

GroupOrder::GroupOrder(size_t count) : places_(count + 1), ends_(static_cast<int32_t>(count)) {
  for (int32_t g = 0; g <= ends_; ++g) link(g == 0 ? ends_ : g - 1, g);
  rank_anew();
}

void GroupOrder::link(int32_t first, int32_t second) {
  place(first).after = second;
  place(second).before = first;
}

void GroupOrder::rank_anew() {
  int64_t rank = place(ends_).rank = 0;
  for (int32_t g = place(ends_).after; g != ends_; g = place(g).after)
    place(g).rank = rank += kRoom;
}

void GroupOrder::move_before(std::span<const int32_t> groups, int32_t group) {
  for (const int32_t g : groups) link(place(g).before, place(g).after);
  int32_t last = place(group).before;
  const auto count = static_cast<int64_t>(groups.size());
  const int64_t room = rank(group) - rank(last);
  const int64_t step = std::max<int64_t>(room / (kRoomLeft * (count + 1)), 1);
  for (const int32_t g : groups) {
    link(last, g);
    place(g).rank = rank(last) + step;
    last = g;
  }
  link(last, group);
  if (count >= room) rank_anew();
}

}  // namespace ridge::schedule
