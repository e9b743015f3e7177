// Values of which each lane of the vector loop being written has its own, and the arrays for them.
//
// One that only a single part (vector_part.h) reads is a constant inside of its loop over the lanes. One that is read
// elsewhere too must outlive that loop: an array with an element for each lane.
//
//   let v1: f32 = x[4 * i1 + i3]             float v1[4];
//   for i2 in 3 {                            for (int i3 ...) { v1[i3] = x_lanes[i3]; }
//     .. v1 ..                        ->     for (int i2 ...) {
//   }                                          for (int i3 ...) { .. v1[i3] .. }
//                                            }
#pragma once

#include "ridge/codegen/cuda/vector_part.h"

namespace ridge::codegen::cuda {

// What the statement defines differs between lanes from then on.
void add_lane_values(Region& region, const loop::Statement& statement);

// For the values of the part that others read; the names of the rest are forgotten.
void declare_lane_arrays(Emission& emission, const Part& part);
// Values of the part that are no arrays get new names where they are defined again.
void forget_names(Emission& emission, const Part& part);

}  // namespace ridge::codegen::cuda
