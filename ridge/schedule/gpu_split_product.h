// A product whose k is cut into parts, since its tiles are too few for all SMs:
//
//   768 x 768 x 16384 in 4 parts    partial[part, m, n] = sum over 4096 of k
//                                   out[m, n] = epilogue(((partial[0] + partial[1]) + partial[2]) + partial[3])
//
// The first kernel is a product with one more batch, which tiles of a mapping compute. Partial sums stay f32
// and are added in order, so the result has the same bits in every run.
#pragma once

#include <optional>

#include "ridge/schedule/loops.h"

namespace ridge::schedule {

// Nothing where the parts are not of one size, or sizes are not known.
std::optional<EmittedGroup> gpu_split_product(const LoopInput& input, int64_t parts);

}  // namespace ridge::schedule
