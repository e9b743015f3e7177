// Launching a batch: the entries of a call as the table that its kernel reads.
#pragma once

#include <span>
#include <vector>

#include "ridge/codegen/cuda/batched.h"
#include "ridge/schedule/plan.h"

namespace ridge::driver {

// What entries share, and how many they are; nothing for a call that is no batch.
codegen::CudaBatch batch_shape(const schedule::KernelCall& call);

// The table of a call, but for the addresses, which are those of a run.
codegen::BatchTable batch_table(const codegen::CudaKernel& kernel,
                                const schedule::KernelCall& call);
// Sets the addresses, and gives those that all entries share. `memory` is by buffer of the plan.
std::vector<void*> place_entries(codegen::BatchTable& table, const codegen::CudaKernel& kernel,
                                 const schedule::KernelCall& call, std::span<void* const> memory);

}  // namespace ridge::driver
