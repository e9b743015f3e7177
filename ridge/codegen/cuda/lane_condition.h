// Conditions on the lanes of a vector loop, such as the ends of a row that is not aligned.
//
// Lanes count, so `i < n` holds up to some lane and `n < i` from some lane on: one lane answers for all
// of them, and one for whether any takes part.
#pragma once

#include <optional>
#include <string>

#include "ridge/codegen/cuda/emission.h"

namespace ridge::codegen::cuda {

// i < n, for i that counts lanes: where the last lane takes part all do.
bool ends_at_bound(Emission& emission, const Expr& condition);

// Without lanes: whether all of them take part. Nothing where no lane can tell.
std::optional<Expr> if_all_lanes(Emission& emission, const Expr& condition);
// Whether some of `count` lanes from `first` on do.
std::optional<Expr> if_some_lane(Emission& emission, const Expr& condition, int64_t first,
                                 int64_t count);

// Writes a word with a bit for each lane that takes part, and returns its name.
std::string write_lane_mask(Emission& emission, const Expr& condition);

}  // namespace ridge::codegen::cuda
