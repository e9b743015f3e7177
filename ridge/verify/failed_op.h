// Which op of a fused kernel failed, found by computing again.
//
// A kernel's status says only which kind of check failed (execute/kernel_status.h). Where more than one op
// could have set it, they are computed again one by one, eagerly on the CPU, which can say what it read:
//
//   embedding(tokens, index) + embedding(positions, index)      one kernel, two index checks
#pragma once

#include <span>

#include "ridge/schedule/plan.h"

namespace ridge::verify {

// Throws the Error of the op at fault, for a kernel of a compiled graph that was launched with these
// inputs, on any device. The graph has numbers in the place of symbols.
void throw_failed_op(int32_t status, const schedule::KernelCall& call, const graph::Graph& graph,
                     std::span<const Tensor* const> inputs);

}  // namespace ridge::verify
