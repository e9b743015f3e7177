// Lanes that take both the sine and the cosine of what they loaded.
//
// The lanes are written twice: with the short argument reduction (function.h) if the arguments of all lanes are small,
// and with the full one otherwise. A branch in each lane would need more live registers.
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
