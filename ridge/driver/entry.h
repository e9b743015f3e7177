// One program of a compiled function: what was captured, what became of it, which calls it serves.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ridge/capture/entry_cache.h"
#include "ridge/capture/symbolic_sizes.h"
#include "ridge/capture/trace.h"
#include "ridge/driver/compiled_function.h"
#include "ridge/driver/gradient_program.h"
#include "ridge/driver/pipeline.h"

namespace ridge::driver {

struct Entry {
  capture::Captured captured;
  std::unique_ptr<CompiledGraph> compiled;
  capture::SymbolicSizes sizes;
  // Where arguments require grad; `compiled` is its forward half then.
  std::unique_ptr<GradientProgram> gradients{};

  std::vector<Tensor> run(std::span<const Tensor* const> inputs,
                          const std::shared_ptr<const Binding>& bound) const {
    return gradients != nullptr ? gradients->run(*compiled, inputs) : compiled->run(inputs, bound);
  }
};

// Found by exact signatures, each with the sizes that the program is bound to for it.
using Programs = capture::EntryCache<Entry, Binding>;

// Strides of the inputs that are not row-major, for a graph without symbols.
GraphOptions graph_options(const std::string& name, std::span<const Tensor* const> inputs);
// From what was captured to a program; to two halves where arguments require grad. An error that is of no
// line of the function is one of `where`, which compiled it.
void compile_entry(Entry& entry, const std::string& name, const capture::FlatArguments& flat,
                   int64_t memory_budget, Location where);

// The newest of them whose guards hold for the sizes of the call, bound to them; nothing if there is
// none.
FoundProgram find_serving(Entries entries, const capture::CallSizes& call);
// Does one of them refuse the call that is like what the plan would give?
bool any_covers(Entries entries, const capture::CallSizes& call,
                std::span<const capture::SlotPlan> plan);
// What keeps a call from the program that came closest: a guard on symbols, or an argument.
std::optional<capture::Difference> why_refused(const Entry& entry, const capture::CallSizes& call,
                                               const capture::Signature& made_for,
                                               const capture::Signature& given);

}  // namespace ridge::driver
