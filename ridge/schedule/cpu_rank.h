// Ranks on a CPU: one kernel stores the elements of all rows, one has a task for each row that sorts it, digits of
// 8 bits at a time. One long row is one task: its passes go from cache to cache, and more tasks would have to meet
// after each of them.
#pragma once

#include "ridge/schedule/loops.h"

namespace ridge::schedule {

// Nothing where the group is something else than the rank of rows that are long enough.
std::optional<EmittedGroup> cpu_rank(const LoopInput& input);

}  // namespace ridge::schedule
