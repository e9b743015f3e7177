#include "ridge/driver/compiled_function.h"

#include "ridge/base/knobs.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/capture/shared_memory.h"
#include "ridge/capture/size_profile.h"
#include "ridge/driver/entry.h"
#include "ridge/graph/control.h"

namespace ridge::driver {
namespace {

void check_options(const CompileOptions& options, Location where) {
  RIDGE_CHECK(options.memory_budget >= 0, .code = ErrorCode::value, .op = options.name,
              .expected = "a memory_budget in bytes, or 0 for no limit",
              .given = concat(options.memory_budget), .where = where);
}

size_t most_programs(const CompileOptions& options) {
  return options.programs > 0 ? options.programs : static_cast<size_t>(knob_int(Knob::programs));
}

std::string symbols_text(const Entry& entry) {
  return entry.sizes.has_symbols() ? concat(", for ", entry.sizes.to_text()) : "";
}

void log_compiled(const Entry& entry, const std::string& name, const std::string& why) {
  if (knob_int(Knob::debug) < 1) return;
  show("compile",
       concat(name, ": ", entry.captured.graph.nodes.size(), " nodes captured, ",
              entry.compiled->kernel_count(), " kernels, ",
              static_cast<int64_t>(entry.compiled->compile_ms()), " ms", symbols_text(entry),
              why.empty() ? "" : "; compiled again because " + why));
}

}  // namespace

struct CompiledFunction::State {
  State(const CompileOptions& options, Location where)
      : entries(most_programs(options)), profile(options.dynamic, options.dims, where) {}
  Programs entries;
  capture::SizeProfile profile;                // by whoever makes a program
  std::vector<std::shared_ptr<Entry>> spares;  // likewise: made, and not yet of use
  RecompileLog recompiles;
};

CompiledFunction::CompiledFunction(CompileOptions options, Location where)
    : options_(std::move(options)),
      where_(where),
      state_(std::make_unique<State>(options_, where)) {
  check_options(options_, where);
}

CompiledFunction::~CompiledFunction() = default;

FoundProgram CompiledFunction::find(const capture::Signature& signature) const {
  return state_->entries.find(signature);
}

FoundProgram CompiledFunction::make(const capture::FlatArguments& flat, const TypedCall& call) {
  bool is_made = false;
  std::optional<capture::Difference> why;
  Programs& known = state_->entries;
  const FoundProgram found = known.find_or_make(flat.signature, [&] {
    const capture::CallSizes sizes = capture::sizes_of(flat);
    if (FoundProgram served = find_serving(known.entries(), sizes)) return served;
    const auto closest = known.closest(flat.signature);
    if (closest.entry != nullptr) {
      why = why_refused(*closest.entry, sizes, closest.made_for, flat.signature);
    }
    is_made = true;
    if (FoundProgram spare = find_serving(state_->spares, sizes)) return spare;
    return make_program(flat, sizes, call);
  });
  // Without the lock, since a listener may call the function.
  if (is_made) log_compiled(*found.entry, name(), why ? why->text : "");
  if (why) {
    state_->recompiles.add(name(),
                           {why->guard, why->argument, why->before, why->now, why->text, where_});
  }
  return found;
}

// The first plan of sizes that gives a program for this call. One that serves only others is kept
// for them.
FoundProgram CompiledFunction::make_program(const capture::FlatArguments& flat,
                                            const capture::CallSizes& sizes,
                                            const TypedCall& call) {
  const capture::SizeNames names = call.names(options_.argument_names);
  const auto plans = state_->profile.plans(sizes, names);
  for (const auto& plan : plans) {
    const bool is_last = &plan == &plans.back();
    if (!is_last && (any_covers(state_->entries.entries(), sizes, plan) ||
                     any_covers(state_->spares, sizes, plan))) {
      continue;  // a program like that has refused the call
    }
    const auto entry = std::make_shared<Entry>();
    entry->sizes = capture::SymbolicSizes(sizes, plan, names);
    try {
      entry->captured = call.capture(capture_options(&entry->sizes));
    } catch (const Error& error) {
      if (is_last || error.code() == ErrorCode::memory) throw;
      continue;  // it may be wrong for symbols, or for usual sizes: the last plan has the call's
    }
    // What runs between kernels, what is kept for a backward program, and budgets are for sizes.
    const bool is_exact = flat.any_requires_grad || options_.memory_budget > 0 ||
                          graph::has_control(entry->captured.graph);
    if (!is_last && is_exact) continue;
    compile_entry(*entry, name(), flat, options_.memory_budget, where_);
    entry->compiled->set_timing(options_.times_kernels);
    if (FoundProgram found = find_serving({&entry, 1}, sizes)) return found;
    state_->spares.push_back(entry);
  }
  RIDGE_INTERNAL_CHECK(false, "a program that refuses the call it was made for");
  return {};
}

capture::CaptureOptions CompiledFunction::capture_options(
    const capture::SymbolicSizes* sizes) const {
  return {.name = options_.name,
          .argument_names = options_.argument_names,
          .function = this,
          .where = where_,
          .restores_aliases = true,
          .sizes = sizes};
}

void CompiledFunction::check_same_capture(const FoundProgram& found, const TypedCall& call) const {
  const Entry& entry = *found.entry;
  capture::Captured again = call.capture(capture_options(&entry.sizes));
  const bool is_whole = entry.gradients == nullptr;  // else `compiled` is a half of it
  const uint64_t before =
      is_whole ? entry.compiled->captured_hash() : graph::hash(entry.captured.graph);
  if (graph::hash(entry.sizes.settled(std::move(again.graph))) == before) return;
  throw Error({.code = ErrorCode::state,
               .op = entry.captured.graph.name,
               .expected = "the graph of the first call",
               .given = "another one for the same arguments",
               .hint = "the function reads something that is no argument and has changed",
               .where = where_});
}

void CompiledFunction::check_still_bound(const capture::FlatArguments& bound,
                                         const capture::FlatArguments& now,
                                         const FoundProgram& found) const {
  const capture::Captured& captured = found.entry->captured;
  RIDGE_CHECK(bound.signature == now.signature, .code = ErrorCode::state, .op = captured.graph.name,
              .expected = "the arguments that were bound",
              .given = capture::describe_difference(bound.signature, now.signature, captured.names),
              .hint = "bind again, or call the compiled function, which finds its program",
              .where = where_);
}

void CompiledFunction::check_outside_capture() const {
  RIDGE_CHECK(graph::Recorder::active() == nullptr, .code = ErrorCode::state, .op = name(),
              .expected = "to bind, and to run what is bound, outside of a capture",
              .given = "a bound call in a function that is being captured",
              .hint = "call the compiled function itself there: it becomes part of the capture",
              .where = where_);
}

std::vector<Tensor> CompiledFunction::run(const FoundProgram& found,
                                          const capture::FlatArguments& flat) const {
  try {
    const capture::CallInputs inputs(found.entry->captured, flat.inputs);
    return found.entry->run(inputs.all(), found.binding);
  } catch (Error& error) {
    // Memory is asked for by the whole program, not by a line of the function.
    if (error.code() == ErrorCode::memory) error.locate(name(), where_);
    throw;
  }
}

capture::CacheCounters CompiledFunction::counters() const { return state_->entries.counters(); }

std::vector<std::shared_ptr<Entry>> CompiledFunction::programs() const {
  return state_->entries.entries();
}

Recompiles CompiledFunction::recompiles() const {
  Recompiles result = state_->recompiles.recompiles(name(), where_);
  result.counters = counters();
  return result;
}

const capture::Captured& captured_of(const FoundProgram& found) { return found.entry->captured; }

std::span<const int64_t> values_of(const FoundProgram& found) {
  return found.binding->program->values;
}

void throw_moved_from(Location where) {
  throw_error({.code = ErrorCode::state,
               .expected = "a compiled function",
               .given = "one that was moved from",
               .hint = "call the variable it was moved to; copies share their programs",
               .where = where});
}

}  // namespace ridge::driver
