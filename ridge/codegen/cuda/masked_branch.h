// A condition on the lanes of a vector loop (lane_condition.h): some lanes may be masked off.
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
#pragma once

#include "ridge/codegen/cuda/emission.h"

namespace ridge::codegen::cuda {

// Of a branch whose body is_flat (vector_part.h).
void write_masked_branch(Emission& emission, const loop::If& branch);

}  // namespace ridge::codegen::cuda
