// Local buffers of 16-bit floats, two elements in a register.
//
//   local row: bf16[32]                              unsigned row[16];
//   row[8 * i3 + i4] = x[.. + i4]             ->     ridge::load_packed<16, 8>(&row[4 * i3], &x[..]);
//   let v1: f32 = row[8 * i3 + i4]                   ridge::unpack<ridge::bf16>(row_lanes, &row[4 * i3]);
//
// Such a buffer is only filled with what lies in memory, and only read as a `let` of its own, both in
// vector loops, all lanes of a thread at once.
#pragma once

#include <vector>

#include "ridge/loop/loop.h"

namespace ridge::codegen::cuda {

// By buffer.
std::vector<bool> packed_buffers(const loop::Kernel& kernel);

// By buffer: local ones that are row-invariant, read in a loop over rows but filled before it. The compiler would hoist
// unpacking them out of the loop, into twice the registers.
std::vector<bool> row_invariant_buffers(const loop::Kernel& kernel);

// The load behind a value that is stored into a packed buffer, if `store` is such a copy and `before`
// the statement in front of it.
const loop::Let* copied_load(const std::vector<bool>& is_packed, const loop::Statement& before,
                             const loop::Statement& store);

}  // namespace ridge::codegen::cuda
