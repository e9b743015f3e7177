// What a function costs: flops by convention, and instructions of the vector unit.
#pragma once

#include "ridge/cost/nest.h"

namespace ridge::cost {

// Each function of reals is one flop, whatever it takes; a product and sum are two.
double flops_of(const Operations& operations);

// Vector instructions of our own code for a function of f32, where no sheet says what it takes.
// Counted in the generated code, so an estimate for any other.
int instructions_of(expr::Function function);

// Functions that GPUs have a unit for, or that take a polynomial.
bool is_special(expr::Function function);

}  // namespace ridge::cost
