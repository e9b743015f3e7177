// Parts of a vector loop as text.
#pragma once

#include <functional>
#include <string>

#include "ridge/codegen/cuda/vector_part.h"

namespace ridge::codegen::cuda {

// One part (vector_part.h) of a vector loop as text: wide loads, one unrolled loop over the lanes, wide stores.
//
// Iterations do not touch each other's elements (loop.h), so neither lane by lane nor all loads first changes what they
// see; only within one iteration order counts. A load behind a store that may be to the same memory, and a store in
// front of what may touch it again, stay where they are, each lane for itself.

// The mask names a word with a bit for each active lane; empty: all are active.
void write_unrolled_part(Emission& emission, const Part& part, const std::string& mask = "");

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

// Calls `write_lanes`, which writes the loop over the lanes of the part: once where it has no such arguments among its
// wide loads. All lanes take part.
void write_by_angles(Emission& emission, const Part& part,
                     const std::function<void()>& write_lanes);

}  // namespace ridge::codegen::cuda
