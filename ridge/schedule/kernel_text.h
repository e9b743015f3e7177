// What makes a kernel readable and comparable: its name, the notes above it, its parameters.
#pragma once

#include <set>

#include "ridge/schedule/plan.h"

namespace ridge::schedule {

// Replaces the symbols of a kernel's expressions by its params and returns them, in order of
// appearance.
std::vector<Expr> bind_symbols(loop::Kernel& kernel);

// The hash of a kernel's canonical text, in letters.
std::string content_of(const loop::Kernel& kernel);
// "copy_f32" as "copy_f32_3f2a91c0", by the content of the kernel: one name, one text.
std::string named_by_content(const std::string& stem, const loop::Kernel& kernel);

// The ops a kernel computes and the lines of the user they come from. A view only says which element
// is read, and costs nothing beside what reads it: it is named where it is all there is.
std::vector<std::string> ops_of(const KernelCall& call, const Graph& graph);
std::set<std::string> lines_of(const KernelCall& call, const Graph& graph);

// Names the kernel after its ops and its content, "fused_add_gelu_3f2a91c0", and notes ops, shapes
// and the user's lines above it.
void describe(KernelCall& call, const Graph& graph);
void describe(KernelCall& call, const Graph& graph, const std::string& content);

// The kernel's text without names and notes: equal for kernels that do the same.
std::string canonical_text(const loop::Kernel& kernel);

}  // namespace ridge::schedule
