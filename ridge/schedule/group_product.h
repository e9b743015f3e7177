// The matrix product of a group, if it is one: a part of group_nest.cpp.
#pragma once

#include <optional>

#include "ridge/schedule/group_blocks.h"

namespace ridge::schedule {

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
