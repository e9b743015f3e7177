// The unrolled loop over the lanes of the vector loop being written, and what one lane is called inside of it.
//
//   #pragma unroll
//   for (int i3 = 0; i3 < 4; ++i3) {
//     out_lanes[i3] = x_lanes[i3] * 2.0f;
//   }
#pragma once

#include <concepts>
#include <string>

#include "ridge/codegen/cuda/emission.h"

namespace ridge::codegen::cuda {

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

}  // namespace ridge::codegen::cuda
