// What functions cost on units that no sheet has a figure for: expr::info has the numbers.
#pragma once

#include "ridge/cost/nest.h"

namespace ridge::cost {

// Each function of reals is one flop, whatever it takes; a product and sum are two.
double flops_of(const Operations& operations);

// A CPU measures it by itself (`function.exp`): a polynomial, a root or a division.
bool is_special(expr::Function function);

// A GPU has a unit for it (`special.f32`): a few more instructions make it exact.
bool has_gpu_unit(expr::Function function);

}  // namespace ridge::cost
