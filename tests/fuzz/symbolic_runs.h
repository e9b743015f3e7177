// Runs a graph with one of its sizes as a symbol: compiled as a user would, called at several sizes.
//
//   graph case(%0: f32[7, 3] ...)     called with 7, then 8, 1, 0 and 15 rows; the second program is
//                                     for all of them but where its guards refuse
//
// What is right at another size is asked of the oracle, for the graph with that size.
#pragma once

#include <string>

#include "tests/fuzz/paths.h"

namespace ridge::fuzz {

// Empty, or the first size at which something is wrong. A graph in which no size can change passes.
std::string run_symbolic(const Case& given, Device device, RunCounts& counts);

}  // namespace ridge::fuzz
