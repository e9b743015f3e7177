// Reductions of a vector loop into variables from outside of it: each lane has a partial result, and a tree reduction
// after the loop combines them.
//
//   for i3 in 4 @vector {              float v0_lanes[4];
//     v0 sum= v1                ->     for (...) { v0_lanes[i3] = v1; }
//   }                                  v0 += ridge::tree_reduce(v0_lanes, ridge::Sum());
#pragma once

#include <string>
#include <vector>

#include "ridge/codegen/cuda/emission.h"

namespace ridge::codegen::cuda {

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
