// Prefix sums on a CPU: a task goes along a row with one sum, or along many where memory lies across them. Sums of
// reals are kept in f64, which costs nothing here: each waits for the one before it either way.
#pragma once

#include "ridge/schedule/loops.h"

namespace ridge::schedule {

// Nothing where the group has no scan.
std::optional<EmittedKernel> cpu_scan(const LoopInput& input);

}  // namespace ridge::schedule
