// Which values need no more than the precision of 16 bits.
//
//   let v3: f32 = exp(v2)                v3 and v4 need 16 bits: an error of v3 is one of v4, relative
//   let v4: f32 = v3 / v1                to its size, and v4 is rounded at once. v1 is needed by others,
//   let v5: f32 = v4 as bf16             v2 goes into an exponent, which would make more of an error.
#pragma once

#include <vector>

#include "ridge/loop/loop.h"

namespace ridge::codegen::cuda {

// By value.
std::vector<bool> needs_16_bits(const loop::Kernel& kernel);

}  // namespace ridge::codegen::cuda
