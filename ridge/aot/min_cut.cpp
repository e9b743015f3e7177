#include "ridge/aot/min_cut.h"

#include <algorithm>

#include "ridge/base/error.h"

namespace ridge::aot {

void FlowNetwork::add_edge(size_t from, size_t to, int64_t capacity) {
  RIDGE_INTERNAL_CHECK(capacity >= 0, "a capacity below zero");
  edges_of_[from].push_back(edges_.size());
  edges_.push_back({to, std::min(capacity, kUncut)});
  edges_of_[to].push_back(edges_.size());
  edges_.push_back({from, 0});
}

bool FlowNetwork::find_levels(size_t source, size_t sink) {
  level_.assign(edges_of_.size(), -1);
  level_[source] = 0;
  std::vector<size_t> reached{source};
  for (size_t i = 0; i < reached.size(); ++i) {
    for (const size_t edge : edges_of_[reached[i]]) {
      const auto [to, left] = edges_[edge];
      if (left == 0 || level_[to] >= 0) continue;
      level_[to] = level_[reached[i]] + 1;
      reached.push_back(to);
    }
  }
  return level_[sink] >= 0;
}

// Along one way that goes up a level with each step. A list in place of recursion: ways are as long
// as programs are deep.
int64_t FlowNetwork::push_along(size_t source, size_t sink) {
  std::vector<size_t> way;  // edges
  size_t at = source;
  while (at != sink) {
    size_t& next = next_[at];
    const auto leads_on = [&](size_t edge) {
      return edges_[edge].left > 0 && level_[edges_[edge].to] == level_[at] + 1;
    };
    while (next < edges_of_[at].size() && !leads_on(edges_of_[at][next])) ++next;
    if (next < edges_of_[at].size()) {
      way.push_back(edges_of_[at][next]);
      at = edges_[way.back()].to;
    } else if (way.empty()) {
      return 0;
    } else {
      at = edges_[way.back() ^ 1].to;  // a dead end
      way.pop_back();
      ++next_[at];
    }
  }
  int64_t amount = kUncut;
  for (const size_t edge : way) amount = std::min(amount, edges_[edge].left);
  for (const size_t edge : way) {
    edges_[edge].left -= amount;
    edges_[edge ^ 1].left += amount;
  }
  return amount;
}

Cut FlowNetwork::cut(size_t source, size_t sink) {
  Cut result;
  while (result.capacity < kUncut && find_levels(source, sink)) {
    next_.assign(edges_of_.size(), 0);
    while (const int64_t pushed = push_along(source, sink)) {
      result.capacity += pushed;
      if (result.capacity >= kUncut) return result;
    }
  }
  for (const int32_t level : level_) result.is_on_source_side.push_back(level >= 0);
  return result;
}

}  // namespace ridge::aot
