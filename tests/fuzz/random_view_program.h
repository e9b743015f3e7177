// Random programs of views and writes (view_program.h). Each runs eagerly without an error: steps that
// an op refuses, such as a write to elements that overlap, are drawn again.
#pragma once

#include "tests/fuzz/view_program.h"

namespace ridge::fuzz {

ViewProgram random_view_program(uint64_t seed, uint64_t number);

}  // namespace ridge::fuzz
