// What a kernel's status word says, as an Error at the user's line.
//
// A fused kernel may check several indices and divisors, and its status says only which kind was
// wrong. Where more than one op could have set it, they are computed again one by one, eagerly, to
// name the one that fails:
//
//   embedding(tokens, index) + embedding(positions, index)      one kernel, two index checks
#pragma once

#include <span>

#include "ridge/schedule/plan.h"

namespace ridge::driver {

// What the status says, in the name of an op at a line; it is not ok.
Error::Parts status_error(int32_t status, std::string_view op, Location where,
                          std::string hint = {});
// Throws that; nothing for ok.
void check_status(int32_t status, std::string_view op, Location where, std::string hint = {});

// The same for a kernel of a compiled graph that was launched with these inputs.
void check_status(int32_t status, const schedule::KernelCall& call, const graph::Graph& graph,
                  std::span<const Tensor* const> inputs);

}  // namespace ridge::driver
