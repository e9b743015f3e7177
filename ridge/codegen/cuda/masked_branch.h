// A condition on the lanes of a vector loop (lane_condition.h): what lanes do of which some may stand aside.
//
// It is written twice: for threads all of whose lanes take part, and for others, with a mask, or lane by lane where one
// thread at the end is all that does so. Where rows stream there is only the one with a mask, since all warps would wait
// for one that goes both ways. Loads stay wide: 16 bytes with one element that may be read can be read.
//
//   if 4 * i1 + i3 < n {              if (4 * i1 + 3 < n) {
//     ..                                ..
//   }                          ->     } else {
//                                       const unsigned inside = ridge::lanes_before<4>(n - 4 * i1);
//                                       if (inside != 0) { .. }
//                                     }
#pragma once

#include "ridge/codegen/cuda/emission.h"

namespace ridge::codegen::cuda {

// Of a branch whose body is_flat (vector_part.h).
void write_masked_branch(Emission& emission, const loop::If& branch);

}  // namespace ridge::codegen::cuda
