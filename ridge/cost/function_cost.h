// How functions count: expr::info has what they take on a CPU, gpu_functions.h on a GPU.
#pragma once

#include "ridge/cost/nest.h"

namespace ridge::cost {

// Each function of reals is one flop, whatever it takes; a product and sum are two.
double flops_of(const Operations& operations);

// A CPU measures it by itself (`function.exp`): a polynomial, a root or a division.
bool is_special(expr::Function function);

}  // namespace ridge::cost
