// Which values need no more than the precision of 16 bits.
//
//   let v3: f32 = exp(v2)                v4 needs 16 bits, and an error of v3 would be one of v4,
//   let v4: f32 = v3 / v1                relative to its size, so v3 needs no more either. v1 is needed
//   let v5: f32 = v4 as bf16             by others; v2 goes into an exponent, which magnifies errors.
#pragma once

#include <vector>

#include "ridge/loop/loop.h"

namespace ridge::codegen::cuda {

// By value.
std::vector<bool> needs_16_bits(const loop::Kernel& kernel);

}  // namespace ridge::codegen::cuda
