// Branches on the lanes of a vector loop.
#pragma once

#include <optional>
#include <string>

#include "ridge/codegen/cuda/emission.h"

namespace ridge::codegen::cuda {

// A condition on the lanes of a vector loop: some lanes may be masked off.
//
// It is written twice: for threads all of whose lanes are active, and for others, with a mask, or lane by lane where that
// is one thread at the end of a row. In a pipeline there is only the masked version, branch-free: all warps would wait
// for a divergent one. Loads stay vectorized: 16 bytes with one element that may be read can all be read.
//
//   if 4 * i1 + i3 < n {              if (4 * i1 + 3 < n) {
//     ..                                ..
//   }                          ->     } else {
//                                       const unsigned mask = ridge::first_lanes_mask<4>(n - 4 * i1);
//                                       if (mask != 0) { .. }
//                                     }

// Of a branch whose body is_flat (vector_part.h).
void write_masked_branch(Emission& emission, const loop::If& branch);

// Conditions on the lanes of a vector loop, such as the ends of a misaligned row.
//
// Lanes count, so `i < n` holds up to some lane and `n < i` from some lane on: one lane answers for all
// of them, and one for whether any is active.

// i < n, for i that counts lanes: if the last lane is active, all are.
bool ends_at_bound(Emission& emission, const Expr& condition);

// A condition without the lane axis: are all of them active? Nothing where no single lane decides.
std::optional<Expr> if_all_lanes(Emission& emission, const Expr& condition);
// Is one of `count` lanes from `first` on active?
std::optional<Expr> if_some_lane(Emission& emission, const Expr& condition, int64_t first,
                                 int64_t count);

// Writes a word with a bit for each active lane, and returns its name.
std::string write_lane_mask(Emission& emission, const Expr& condition);

}  // namespace ridge::codegen::cuda
