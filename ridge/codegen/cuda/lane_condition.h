// Conditions on the lanes of a vector loop, such as the ends of a misaligned row.
//
// Lanes count, so `i < n` holds up to some lane and `n < i` from some lane on: one lane answers for all
// of them, and one for whether any is active.
#pragma once

#include <optional>
#include <string>

#include "ridge/codegen/cuda/emission.h"

namespace ridge::codegen::cuda {

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
