// What a reduction along rows asks of a GPU, whatever threads take them: how long rows are, which bytes of
// them are read again, and how many neighbors can be taken at once.
#pragma once

#include "ridge/schedule/loops.h"

namespace ridge::schedule {

struct RowWork {
  Size length, count;          // of a row, and of rows
  int64_t width = 1;           // neighbors that a thread takes at once
  int64_t reused_bytes = 0;    // of each element, that later passes read again
  int64_t row_bytes = 0;       // those of them in arrays that have rows
  bool is_misaligned = false;  // rows start in the middle of `width` neighbors
  bool can_share =
      true;        // may blocks walk over rows? Not where the position of an element is asked
  double sms = 1;  // of the device
  int64_t shared_bytes = 0;   // memory that the blocks of a unit share
  int64_t cluster = 1;        // most blocks of it that may hold a row together
  int64_t clustered_sms = 1;  // that clusters of such blocks fill at a time, one block on each
  int64_t row_values = 0;     // found for each row: sums and the like
  // Of each element, in arrays that are the same for all rows, one by one.
  std::vector<int64_t> invariant_bytes{};
  // Bytes of accumulators that a thread holds for each of its columns while its block walks over rows.
  // 0: nothing is kept from row to row, and each row has a block of its own.
  int64_t column_bytes = 0;
  int64_t single_use_bytes =
      0;  // of each element, that one pass reads or stores: where blocks walk
};

// Neighbors along a row that a thread takes at once: 16 bytes of the widest array that has rows, at most 32 of what is
// the same for all of them. One where an array lies across them. Where rows do not start or end at a multiple of as
// many, threads take neighbors from such a multiple on, in front of the row.
struct RowWidth {
  int64_t width = 1;
  Expr base{};  // where the row starts that others are shifted like: over the axes of the group
  bool is_aligned = false;  // all rows do at a multiple of the width, and only end in between
  bool is_misaligned() const { return static_cast<bool>(base); }
};

// Is an array not the same for all rows? Does it go on along each of them? And where do its rows start, over the
// axes of the group?
bool has_rows(const AccessPattern& pattern, const Group& group);
bool is_along(const AccessPattern& pattern, const Group& group);
Expr row_start(const AccessPattern& pattern, const Group& group);

// Units that clusters of blocks fill, one block on each.
int64_t clustered_sms(const cost::Sheet& sheet);

// The rows of a group whose axes the emitter has merged.
class GpuEmitter;
RowWidth row_width(const GpuEmitter& gpu);
RowWork row_work(const GpuEmitter& gpu, const RowWidth& wide);

}  // namespace ridge::schedule
