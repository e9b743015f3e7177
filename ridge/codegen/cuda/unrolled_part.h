// One part (vector_part.h) of a vector loop as text: wide loads, one unrolled loop over the lanes, wide stores.
//
// Iterations do not touch each other's elements (loop.h), so neither lane by lane nor all loads first changes what they
// see; only within one iteration order counts. A load behind a store that may be to the same memory, and a store in
// front of what may touch it again, stay where they are, each lane for itself.
#pragma once

#include <string>

#include "ridge/codegen/cuda/vector_part.h"

namespace ridge::codegen::cuda {

// The mask names a word with a bit for each active lane; empty: all are active.
void write_unrolled_part(Emission& emission, const Part& part, const std::string& mask = "");

}  // namespace ridge::codegen::cuda
