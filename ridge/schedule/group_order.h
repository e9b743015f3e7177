// The groups of a fusion in an order where producers come before consumers, kept while groups merge.
//
//   0 1 2 3 4      4 joins 1, and 4 reads 3:      move_before({3}, 1)      0 3 1 2
//
// Only what is in the way moves, so that a merge costs what lies between the two groups on the way from
// one to the other and not the whole program. Each group has a rank, with room for others in front of
// it; where that is used up all ranks are given anew.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ridge::schedule {

class GroupOrder {
 public:
  // By number.
  explicit GroupOrder(size_t count);

  bool is_before(int32_t a, int32_t b) const { return rank(a) < rank(b); }
  // Right in front of the group, in the order given. The group is none of them.
  void move_before(std::span<const int32_t> groups, int32_t group);

 private:
  struct Place {
    int32_t before, after;  // neighbors; the ends are a place of their own
    int64_t rank;
  };
  Place& place(int32_t group) { return places_[static_cast<size_t>(group)]; }
  int64_t rank(int32_t group) const { return places_[static_cast<size_t>(group)].rank; }
  void link(int32_t first, int32_t second);
  void rank_anew();

  std::vector<Place> places_;  // by group
  int32_t ends_;
};

}  // namespace ridge::schedule
