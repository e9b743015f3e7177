// The kernels of a plan in the loop interpreter, on the caller's own tensors: what a program would do,
// without a compiler.
#pragma once

#include <span>
#include <vector>

#include "ridge/schedule/plan.h"

namespace ridge::fuzz {

// Returns the outputs; inputs that the graph updates are written.
std::vector<Tensor> run_plan(const schedule::Plan& plan, const graph::Graph& graph,
                             std::span<const Tensor* const> inputs);

}  // namespace ridge::fuzz
