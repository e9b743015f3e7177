// Prefix sums: each is defined as a sum of its own, of the elements up to it, which as it stands is quadratic.
//
//   y[i, j] = sum over k of select(k <= j, x[i, k], 0)       or j <= k, for sums from an element on
//
// A definition of this form is lowered to one pass along the row (cpu_loops.h, gpu_mappings.h).
#pragma once

#include "ridge/schedule/group_emitter.h"

namespace ridge::schedule {

struct ScanForm {
  Expr value;      // what is summed, over the axes of the definition
  size_t along;    // axis of the definition that is scanned along,
  size_t reduced;  // and the one that stands for the elements up to it
  bool is_reversed;
};
std::optional<ScanForm> scan_form(const ops::Definition& definition);

// The scan of a group, whose other members follow at each of its points.
struct GroupScan {
  const Member* member;
  ScanForm form;
};
std::optional<GroupScan> find_scan(const LoopInput& input);

// The rows that a member runs along one of its axes, as axes of the kernel.
struct RowsAlong {
  int along;
  Size length;
  std::vector<int> rows;  // the other outer ones
};
// Nothing where axes were merged so that it is not by itself.
std::optional<RowsAlong> rows_along(const GroupEmitter& group, const Member& member, size_t axis);
// Do the elements of a row lie apart, and those of other rows beside each other?
bool lie_across(const GroupEmitter& group, const RowsAlong& rows);

}  // namespace ridge::schedule
