// What a reduction along rows needs of a GPU, before it is mapped: the length of rows, the bytes that are
// read again, and the widest vector that a thread can take.
#pragma once

#include "ridge/schedule/loops.h"

namespace ridge::schedule {

struct RowWork {
  Size length, count;          // of a row, and of rows
  int64_t width = 1;           // elements of a vector
  int64_t reused_bytes = 0;    // of each element, that several passes read
  int64_t row_bytes = 0;       // those of them in arrays that have rows
  bool is_misaligned = false;  // rows do not start at a multiple of the width
  // Not where a reduction gives the position of an element.
  bool allows_persistent_blocks = true;
  loop::DeviceLimits limits{};  // of the device
  int64_t cluster = 1;          // most blocks of one
  int64_t row_values = 0;       // results of reductions, of each row
  // Of each element, by row-invariant array.
  std::vector<int64_t> invariant_bytes{};
  // Of accumulators that a thread of a persistent block has for each of its columns. 0: there are no column sums.
  int64_t column_bytes = 0;
  // Of each element, that one pass reads or stores, if blocks are persistent.
  int64_t single_use_bytes = 0;
};

// The vector that a thread takes at once along a row: 16 bytes of the widest array that has rows, at most 32 of
// row-invariant ones. One element where an array is strided along the row. Vectors of misaligned rows start at
// a multiple of the width in front of the row.
struct RowWidth {
  int64_t width = 1;
  Expr base{};  // start of the row whose misalignment all arrays share: over the axes of the group
  bool is_aligned = false;  // rows start at a multiple of the width, and may end in between
  bool is_misaligned() const { return static_cast<bool>(base); }
};

// Does an array differ from row to row? Does it extend along a row? And where do its rows start, over the axes of
// the group?
bool has_rows(const AccessPattern& pattern, const Group& group);
bool is_along(const AccessPattern& pattern, const Group& group);
Expr row_start(const AccessPattern& pattern, const Group& group);

// The rows of a group whose axes the emitter has merged.
class GpuEmitter;
RowWidth row_width(const GpuEmitter& gpu);
RowWork row_work(const GpuEmitter& gpu, const RowWidth& wide);

}  // namespace ridge::schedule
