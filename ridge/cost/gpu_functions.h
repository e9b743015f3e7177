// What functions of reals take of the units of a GPU, in instructions of one lane: those that its
// generated code runs, counted in the machine code of sm_90a (NVRTC 13.0) without the calls that
// only unusual arguments make. Others of the closed set of functions are one instruction.
#pragma once

#include "ridge/expr/function.h"

namespace ridge::cost {

struct GpuInstructions {
  double issued = 1;     // of all kinds: a scheduler issues one a clock
  double half_rate = 0;  // of those, what only half as many lanes take: compares, logic, integers
  double special = 0;    // of those, by the unit for special functions
};

// In full: below 2 units in the last place.
GpuInstructions gpu_instructions(expr::Function function);
// As exact as a value of 16 bits needs it.
GpuInstructions gpu_short_instructions(expr::Function function);
// A sine or cosine of an argument between -1 and 1, which needs no reduction.
GpuInstructions gpu_near_instructions(expr::Function function);
// A quotient by a number, of which the reciprocal is computed once for all.
GpuInstructions gpu_quotient_instructions();
// What a sine saves where the cosine of its argument is there.
GpuInstructions gpu_sincos_saves(bool is_short);

}  // namespace ridge::cost
