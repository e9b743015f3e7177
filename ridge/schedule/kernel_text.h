// What makes a kernel readable and comparable: its name, the notes above it, its parameters.
#pragma once

#include "ridge/schedule/plan.h"

namespace ridge::schedule {

// Replaces the symbols of a kernel's expressions by its params and returns them, in order of
// appearance.
std::vector<Expr> bind_symbols(loop::Kernel& kernel);

// Moves the buffer numbers from `first` on to those from `to` on.
void renumber_buffers(loop::Kernel& kernel, int first, int to);

// Names the kernel after its ops and its content, "fused_add_gelu_3f2a91c0", and notes ops, shapes
// and the user's lines above it.
void describe(KernelCall& call, const Graph& graph);

// The kernel's text without names and notes: equal for kernels that do the same.
std::string canonical_text(const loop::Kernel& kernel);

}  // namespace ridge::schedule
