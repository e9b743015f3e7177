#include "ridge/schedule/group_dependences.h"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
#include <utility>

namespace ridge::schedule {

GroupDependences::GroupDependences(const InlinedGraph& program, const std::vector<Group>& groups,
                                   const std::vector<int32_t>& group_of)
    : program_(program),
      groups_(groups),
      group_of_(group_of),
      path_(program),
      order_(groups.size()),
      seen_in_search_(groups.size()) {}

GroupDependences::GroupList GroupDependences::producers(int32_t group) const {
  GroupList result;
  for (const Member& member : members(group)) {
    for (const Read& read : program_.reads(member.node)) {
      const int32_t node = program_.graph()[read.value].node;
      const int32_t other = node < 0 ? -1 : group_of_[static_cast<size_t>(node)];
      if (other >= 0 && other != group) result.push_back(other);
    }
  }
  std::ranges::sort(result);
  const auto repeated = std::ranges::unique(result);
  result.resize(result.size() - repeated.size());
  return result;
}

bool GroupDependences::is_new_to_search(int32_t group) const {
  return std::exchange(seen_in_search_[static_cast<size_t>(group)], search_) != search_;
}

// Does the critical path lead from one to the other, through a third?
bool GroupDependences::reaches_by_path(int32_t from, int32_t to) const {
  int32_t joins = path_.joins_at(members(from).front().node);
  for (const Member& member : members(from)) joins = std::min(joins, path_.joins_at(member.node));
  int32_t leaves = path_.leaves_at(members(to).front().node);
  for (const Member& member : members(to)) leaves = std::max(leaves, path_.leaves_at(member.node));
  for (int32_t place = joins; place <= leaves; ++place) {
    const int32_t g = group_of_[static_cast<size_t>(path_.nodes()[static_cast<size_t>(place)])];
    if (g != from && g != to) return true;
  }
  return false;
}

// Producers stand before what waits for them, so what stands before `from` is on no way from it.
bool GroupDependences::reaches(int32_t from, int32_t to, bool skip_direct) const {
  if (reaches_by_path(from, to)) return true;
  GroupList open{to};
  ++search_;
  while (!open.empty()) {
    const int32_t g = open.back();
    open.pop_back();
    for (const int32_t producer : producers(g)) {
      if (producer == from) {
        if (g == to && skip_direct) continue;
        return true;
      }
      if (order_.is_before(from, producer) && is_new_to_search(producer)) open.push_back(producer);
    }
  }
  return false;
}

// It stands where the first of the two did, with all that it waits for in front of it.
void GroupDependences::merge(int32_t group, int32_t gone) {
  if (order_.is_before(gone, group)) order_.move_before(std::array{group}, gone);
  std::vector<int32_t> late;
  ++search_;
  is_new_to_search(group);
  const auto add_late_producers = [&](int32_t g) {
    for (const int32_t producer : producers(g)) {
      if (order_.is_before(group, producer) && is_new_to_search(producer)) late.push_back(producer);
    }
  };
  add_late_producers(group);
  for (size_t i = 0; i < late.size(); ++i) add_late_producers(late[i]);
  std::ranges::sort(late, [&](int32_t a, int32_t b) { return order_.is_before(a, b); });
  order_.move_before(late, group);
}

std::vector<int32_t> GroupDependences::in_order() const {
  const auto count = static_cast<int32_t>(groups_.size());
  std::vector<int32_t> order;
  std::vector<size_t> waits(groups_.size());  // for how many
  std::vector<SmallVector<int32_t, 4>> consumers(groups_.size());
  using Ready = std::pair<int32_t, int32_t>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  const auto add_ready = [&](int32_t g) { ready.push({members(g).front().node, g}); };
  for (int32_t g = 0; g < count; ++g) {
    if (members(g).empty()) continue;
    const GroupList before = producers(g);
    waits[static_cast<size_t>(g)] = before.size();
    for (const int32_t p : before) consumers[static_cast<size_t>(p)].push_back(g);
    if (before.empty()) add_ready(g);
  }
  while (!ready.empty()) {
    const int32_t g = ready.top().second;
    ready.pop();
    order.push_back(g);
    for (const int32_t consumer : consumers[static_cast<size_t>(g)]) {
      if (--waits[static_cast<size_t>(consumer)] == 0) add_ready(consumer);
    }
  }
  const auto left =
      std::ranges::count_if(groups_, [](const Group& group) { return !group.members.empty(); });
  RIDGE_INTERNAL_CHECK(std::cmp_equal(order.size(), left), "kernels that wait for each other");
  return order;
}

}  // namespace ridge::schedule
