// What would make a matmul faster on its device, and by how much.
#pragma once

#include "ridge/cost/roofline/matmul_model.h"

namespace ridge::cost {

// Adds to `estimate`, whose bounds, tiling and crossover are there: whole lines, a better tile, a
// split of K, narrower types, a larger batch, fewer launches.
void advise_matmul(Estimate& estimate, const MatmulProblem& problem, const MatmulMachine& machine,
                   const Sheet& sheet);

// For any operation: launches that take longer than the work.
void advise_launches(Estimate& estimate, const Sheet& sheet);

}  // namespace ridge::cost
