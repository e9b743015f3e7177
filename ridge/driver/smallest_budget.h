// The least memory that a program with gradients can be made to need.
//
//   auto step = compile(f, {.memory_budget = 0});
//   step(model, x);
//   auto tight = compile(f, {.memory_budget = smallest_memory_budget(step)});
//
// Peak is counted as recompute/recompute.h says. Finding it plans the program once for each point of its curve of
// time against memory, but builds no kernel.
#pragma once

#include "ridge/driver/compile.h"

namespace ridge {

namespace driver {

class CompiledGraph;

// Without gradients there is nothing to choose, and it is what the program needs as it is.
// Error{memory} where only asking for too little says it: under control flow, where arguments require
// grad, for symbolic sizes, and where there are no kernels.
int64_t smallest_budget(const CompiledGraph& compiled, Location where = Location::current());
// Of the newest of them; Error{state} if there is none, because the function was never called.
int64_t smallest_budget(const std::string& name, Entries entries, Location where);

}  // namespace driver

// Of the newest program: for other sizes it is another.
template <class F>
int64_t smallest_memory_budget(const Compiled<F>& compiled, Location where = Location::current()) {
  return driver::smallest_budget(compiled.name(), compiled.programs(), where);
}

}  // namespace ridge
