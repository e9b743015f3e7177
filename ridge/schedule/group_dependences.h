// Which groups wait for which, while groups merge.
//
//   GroupDependences waits(program, groups, group_of);
//   waits.reaches(a, b, /*skip_direct=*/true)    // must another kernel run between the two?
//   group_of[...] = a; waits.merge(a, b);        // b is part of a now
//
// A question costs what lies between the two groups in an order that is kept (group_order.h), and where
// they lie far apart nothing (critical_path.h). So fusion takes time in proportion to the program.
#pragma once

#include <vector>

#include "ridge/base/small_vector.h"
#include "ridge/schedule/critical_path.h"
#include "ridge/schedule/fuse.h"
#include "ridge/schedule/group_order.h"

namespace ridge::schedule {

class GroupDependences {
 public:
  // In ascending order. Asked for each pair that might merge, so mostly without an allocation.
  using GroupList = SmallVector<int32_t, 16>;

  // Groups by number, in an order where producers come first, and by node the group that it is a member
  // of: both change under their owner's hand, and groups that are gone are empty.
  GroupDependences(const InlinedGraph& program, const std::vector<Group>& groups,
                   const std::vector<int32_t>& group_of);

  // Those that compute what a group reads.
  GroupList producers(int32_t group) const;
  // Is there a way from `from` to `to`? `skip_direct` leaves out the edge between the two.
  bool reaches(int32_t from, int32_t to, bool skip_direct) const;
  // What were two groups, neither of which waits for the other through a third, is `group` now.
  void merge(int32_t group, int32_t gone);
  // Producers first; among the free ones the one whose first node comes first, so that the order is a
  // function of the graph.
  std::vector<int32_t> in_order() const;

 private:
  const std::vector<Member>& members(int32_t group) const {
    return groups_[static_cast<size_t>(group)].members;
  }
  bool is_new_to_search(int32_t group) const;
  bool reaches_by_path(int32_t from, int32_t to) const;

  const InlinedGraph& program_;
  const std::vector<Group>& groups_;
  const std::vector<int32_t>& group_of_;
  CriticalPath path_;
  GroupOrder order_;
  mutable std::vector<int32_t> seen_in_search_;  // by group: the last search that saw it
  mutable int32_t search_ = 0;
};

}  // namespace ridge::schedule
