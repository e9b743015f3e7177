// The lanes of a vector loop: their values, the loop over them, their partial results.
#pragma once

#include <concepts>
#include <string>
#include <vector>

#include "ridge/codegen/cuda/emission.h"
#include "ridge/codegen/cuda/vector_part.h"

namespace ridge::codegen::cuda {

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

// What the statement defines differs between lanes from then on.
void add_lane_values(Region& region, const loop::Statement& statement);

// For the values of the part that others read; the names of the rest are forgotten.
void declare_lane_arrays(Emission& emission, const Part& part);
// Values of the part that are no arrays get new names where they are defined again.
void forget_names(Emission& emission, const Part& part);

// The unrolled loop over the lanes of the vector loop being written, and what one lane is called inside of it.
//
//   #pragma unroll
//   for (int i3 = 0; i3 < 4; ++i3) {
//     out_lanes[i3] = x_lanes[i3] * 2.0f;
//   }

// `i3`.
inline const std::string& lane_name(const Emission& emission) {
  return emission.axes[static_cast<size_t>(emission.region->axis)];
}

// `x_lanes[i3]`.
inline std::string lane_of(const Emission& emission, const std::string& array) {
  return concat(array, "[", lane_name(emission), "]");
}

template <std::invocable WriteBody>
void for_each_lane(Emission& emission, const WriteBody& write_body) {
  const std::string& lane = lane_name(emission);
  emission.out.line("#pragma unroll");
  emission.out.line("for (int ", lane, " = 0; ", lane, " < ", emission.region->lanes, "; ++", lane,
                    ") {");
  {
    const auto indent = emission.out.indent();
    write_body();
  }
  emission.out.line("}");
}

// Reductions of a vector loop into variables from outside of it: each lane has a partial result, and a tree reduction
// after the loop combines them.
//
//   for i3 in 4 @vector {              float v0_lanes[4];
//     v0 sum= v1                ->     for (...) { v0_lanes[i3] = v1; }
//   }                                  v0 += ridge::tree_reduce(v0_lanes, ridge::Sum());

class LanePartials {
 public:
  explicit LanePartials(Emission& emission) : emission_(emission) {}

  // In front of the parts of the loop: declares the arrays, which stand for the variables from then on.
  void start(const loop::Body& body);
  // Behind the loop: combines them into the variables.
  void finish();

 private:
  struct Partial {
    int value;
    loop::Combine combine;
    std::string var, lanes;
  };

  void find(const loop::Body& body);
  void declare(Partial& partial);

  Emission& emission_;
  std::vector<Partial> partials_;
};

}  // namespace ridge::codegen::cuda
