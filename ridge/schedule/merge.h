// Making one group of two.
#pragma once

#include <optional>

#include "ridge/base/decision.h"
#include "ridge/schedule/fuse.h"

namespace ridge::schedule {

struct Merged {
  Decision decision;
  Group group{};  // where the decision is yes
};

// `first` comes before `second`: nothing in `first` reads a value of `second`.
Merged merge(const InlinedGraph& program, const Group& first, const Group& second);

// Reductions over columns join the rows that they go down, where both are about the same points:
//   rows [n] | [m] and columns [m] | [n]   ->   [n] | [m]
// Nothing where the two are about different ones; nothing in `rows` reads a value of `columns`.
std::optional<Merged> merge_columns(const InlinedGraph& program, const Group& rows,
                                    const Group& columns);

}  // namespace ridge::schedule
