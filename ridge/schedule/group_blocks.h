// What members of a group read, compute and store, as blocks of a nest: a part of group_nest.cpp.
#pragma once

#include <optional>
#include <set>

#include "ridge/cost/block_filler.h"
#include "ridge/schedule/group_nest.h"

namespace ridge::schedule {

class GroupBlocks {
 public:
  GroupBlocks(const InlinedGraph& program, const Group& group, const Readers& readers);

  std::vector<cost::AroundLoop>& around() { return filler_.around; }
  void start_block();
  // Its functions and those inlined into it, what it reads from other kernels and, of a map, what
  // it stores for them.
  void add_member(cost::BasicBlock& block, const Member& member);
  void add_store(cost::BasicBlock& block, const Member& member);
  // The partial results of a row's threads become one.
  void add_collective(cost::BasicBlock& block, const Member& member, double threads);
  void add_read(cost::BasicBlock& block, const Read& read, const Member& member);

 private:
  bool is_needed_outside(ValueId value) const;
  void add_functions(cost::BasicBlock& block, int32_t node);
  void add_access(cost::BasicBlock& block, ValueId value, const std::vector<Expr>& position,
                  bool is_store, bool is_indirect);

  const InlinedGraph& program_;
  const Readers& readers_;
  std::set<int32_t> inside_;    // members
  std::set<int32_t> computed_;  // nodes that are in the block already
  cost::BlockFiller filler_;
};

// A size as a number; symbols count as their hints.
double number_of(const Size& size);

// The matrix product of a group, if it is one: a part of group_nest.cpp.
//
// Axes of the group. n is the last one of the result that only one factor has; that factor is rhs.
struct GroupProductAxes {
  int m, n, k;
};
// Nothing where loops will not make a product of it.
std::optional<GroupProductAxes> product_axes_of(const InlinedGraph& program, const Group& group);

// Inside the loops that `blocks` has open.
cost::Product group_product(const InlinedGraph& program, const Group& group,
                            const GroupProductAxes& axes, GroupBlocks& blocks);

}  // namespace ridge::schedule
