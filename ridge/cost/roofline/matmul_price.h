// The predicted time of a matmul: one answer for `roofline`, `sweep` and, of products that a library
// computes, `explain` (library_product.h).
#pragma once

#include "ridge/cost/price.h"
#include "ridge/cost/roofline/matmul_model.h"

namespace ridge::cost {

// What a matmul asks of a device.
struct MatmulWork {
  double flops = 0;
  double read = 0, written = 0;  // bytes
  double units_s = 0;            // of the matrix units, and of what brings operands to them
  double reached_s = 0;          // of the flops alone, at the rate that is reached
};
MatmulWork matmul_work(const MatmulProblem& problem, const MatmulMachine& machine, Tile tile);

// On a GPU: units and memory work beside each other, and a kernel is launched.
Price price_matmul(const MatmulWork& work, const MatmulMachine& machine, const Context& context);

// Of a kernel that runs again and again by itself. Devices other than GPUs have no prices here: the
// units or memory, whichever takes longer.
double predicted_seconds(const MatmulWork& work, const MatmulMachine& machine);

// The least time that such work takes on the machine, whoever computes it.
double floor_seconds(const MatmulWork& work, const MatmulMachine& machine);

}  // namespace ridge::cost
