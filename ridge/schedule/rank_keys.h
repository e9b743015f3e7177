// Ranks by sorting: integers that are ordered as the elements of a row, taken apart into digits.
//
//   keys[row, i]     the element, as it is: f32, f64 or an integer
//   pass by pass     how often each digit occurs, where its elements start, and each element there, in order
//   last pass        rank[row, where it came from] = where it goes
//
// The lowest digit comes first, and each pass keeps the order of the one before, so the sort is stable. Later kernels
// read the bits of stored reals as integers of the same size. That is scratch of the group alone (RankScratch).
#pragma once

#include "ridge/ops/rank.h"
#include "ridge/schedule/group_emitter.h"

namespace ridge::schedule {

// Prefix sums: each is defined as a sum of its own, of the elements up to it, which as it stands is quadratic.
//
//   y[i, j] = sum over k of select(k <= j, x[i, k], 0)       or j <= k, for sums from an element on
//
// A definition of this form is lowered to one pass along the row (cpu_loops.h, gpu_mappings.h).

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
// Is an array strided along its rows, and contiguous from row to row?
bool are_strided_rows(const GroupEmitter& group, const RowsAlong& rows);

struct RankKeys {
  DType stored;  // by the kernel that reads the operand,
  DType read;    // and as whoever sorts reads it
  int width;     // bits of a key
  int unused;    // of them, the lowest, which are 0 in all keys
  bool is_real, is_descending;
  bool is_unsigned = false;  // of what is stored

  // The key of what was stored: signed, of `width` bits. NaN is the largest, and 0 is -0.
  Expr ordered(const Expr& stored_bits) const;
  // `count` bits of a key from bit `first` on, counted so that smaller ones come first.
  Expr digit(const Expr& key, int first, int count) const;
  // The first bits of all digits that have `count` of them, lowest first.
  std::vector<int> digits(int count) const;
};

// The one rank of a group, if it is worth sorting for.
struct GroupRank {
  const Member* member;
  ops::RankForm form;
  RankKeys keys;
};
// `counted`: the longest row of which counting what comes before each element takes less time.
std::optional<GroupRank> find_rank(const LoopInput& input, int64_t counted);

// Scratch between its kernels. Passes read from one half and write to the other.
struct RankScratch {
  RankScratch(const LoopInput& input, const RankKeys& keys, const Size& count, size_t passes);

  int keys(size_t pass) const { return first + static_cast<int>(pass % 2); }
  int sources(size_t pass) const { return first + 2 + static_cast<int>(pass % 2); }
  int counts() const { return first + 4; }

  int first;  // planned buffer
  Size elements;
  std::vector<ScratchBuffer> buffers;
};

// The element at the point where the group's axes are.
Expr ranked_element(GroupEmitter& group, const GroupRank& rank);
// Writes the rank of the element that came from `source` in the current row.
void store_rank(GroupEmitter& group, const GroupRank& rank, const RowsAlong& rows,
                const Expr& source, int value);

}  // namespace ridge::schedule
