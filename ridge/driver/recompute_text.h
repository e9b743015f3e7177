// What gradients keep and what they compute again, as lines for a reader.
//
//   what gradients keep, 2.0 MiB of forward values; most bytes first
//     tanh f32[4096, 64] (3 times): recomputed: checkpoint (keeping 0.61 us, again 0.2 us)
#pragma once

#include <string>

#include "ridge/driver/recompute.h"

namespace ridge::driver {

// `graph`: the one that was decided about. Values of one op and type, with one reason, share a line.
std::string to_text(const RecomputeReport& report, const graph::Graph& graph);

}  // namespace ridge::driver
