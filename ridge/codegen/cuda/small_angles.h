// Lanes that take both the sine and the cosine of what they loaded.
//
// Such arguments are looked at together, and lanes written twice: where all of them are small, with the short reduction
// (function.h), and for others. A branch in each lane would keep all of them alive.
//
//   if (ridge::are_small(x_lanes)) {
//     for (int i3 ...) { .. }
//   } else {
//     for (int i3 ...) { .. }
//   }
#pragma once

#include <functional>

#include "ridge/codegen/cuda/vector_part.h"

namespace ridge::codegen::cuda {

// Calls `write_lanes`, which writes the loop over the lanes of the part: once where it has no such arguments among its
// wide loads. All lanes take part.
void write_by_angles(Emission& emission, const Part& part,
                     const std::function<void()>& write_lanes);

}  // namespace ridge::codegen::cuda
