#include "ridge/driver/smallest_budget.h"

#include "ridge/graph/symbols.h"

namespace ridge::driver {

int64_t smallest_budget(const CompiledGraph& compiled, Location where) {
  const execute::CompiledProgram* program = compiled.program();
  const bool is_known = program != nullptr && graph::symbols_of(compiled.graph()).empty();
  RIDGE_CHECK(is_known, .code = ErrorCode::memory, .op = compiled.options().name,
              .expected = "a program of known sizes, without control flow",
              .given = program == nullptr ? "one whose parts are planned one by one, or not at all"
                                          : "one that serves several sizes",
              .hint = "memory_budget = 1 ends with an error that names the least one",
              .where = where);
  if (!compiled.recomputed()) return recompute::peak_bytes(compiled.plan());
  const schedule::Options options = scheduling_of(compiled.options(), program->device());
  return recompute::memory_curve(compiled.undecided(), options).back().peak_bytes;
}

int64_t smallest_budget(const std::string& name, Entries entries, Location where) {
  RIDGE_CHECK(!entries.empty(), .code = ErrorCode::state, .op = name,
              .expected = "a function that was called, so that there is a program",
              .given = "one without any", .hint = "call it first, without a budget",
              .where = where);
  const Entry& newest = *entries.back();
  RIDGE_CHECK(newest.gradients == nullptr, .code = ErrorCode::memory, .op = name,
              .expected = "a whole step, with value_and_grad inside of it",
              .given = "a function whose backward pass is a program by itself",
              .hint = "memory_budget = 1 ends with an error that names the least one",
              .where = where);
  return smallest_budget(*newest.compiled, where);
}

}  // namespace ridge::driver
