// compile(): a function that records itself on its first call and runs as one program from then on.
//
//   auto step = compile([](Model& model, const Tensor& x) { ... return loss; }, {.name = "step"});
//   Tensor loss = step(model, x);
//
// Arguments are tensors, structs walked by visit_tensors, and numbers: a floating-point argument
// reaches the function as a 0-d Tensor and may change from call to call; integers and bools are part
// of what a program is compiled for, as are dtypes, ranks and strides. So are sizes at first; those
// that change become symbols, and one program serves them all (capture/dynamic.h). Tensors of
// arguments taken by reference may be written or replaced. Anything else the function reads is fixed
// at the capture.
//
// Where arguments require grad (and grad mode is on), results have a history, and `backward` runs a
// second program (gradient_program.h).
//
// Inside another function that is being captured, a compiled function becomes part of it. Programs are
// kept up to a limit, the least recently used going first; `explain_recompiles` says why there are
// several. `bind` prepares a call with fixed arguments (bound.h).
//
// Calling is safe from any thread. An error leaves the function callable again. Copies share their
// programs; one that was moved from can only be assigned to.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ridge/base/knobs.h"
#include "ridge/base/per_thread.h"
#include "ridge/capture/capture.h"
#include "ridge/capture/deliver.h"
#include "ridge/capture/parameters.h"
#include "ridge/capture/shared_memory.h"
#include "ridge/capture/size_profile.h"
#include "ridge/driver/bound.h"
#include "ridge/driver/entry.h"
#include "ridge/driver/recompiles.h"
#include "ridge/graph/control.h"

namespace ridge {

struct CompileOptions {
  std::string name = "function";
  std::vector<std::string> argument_names{};
  bool times_kernels = false;            // every launch, for kernel_table and explain
  size_t programs = 0;                   // kept at a time; 0: what RIDGE_PROGRAMS says
  Dynamic dynamic = Dynamic::automatic;  // which sizes become symbols (capture/dynamic.h)
  std::vector<DimOf> dims{};             // and which are from the start
  // Bytes that a program may need at one time, beside its arguments: more forward values are computed
  // again in gradients until it fits. Error{memory} says the smallest that can be met; without gradients
  // nothing can be given up, and that is what the program needs.
  int64_t memory_budget = 0;  // 0: no limit
};

struct ExplainOptions {
  // The sheet of a device to predict for (`ridge devices` lists them); empty: this machine, with
  // what was timed.
  std::string device{};
  size_t rows = 0;  // of the table of kernels; 0 for all
};

namespace driver {

// Error{value} for a budget below 0.
void check_options(const CompileOptions& options, Location where);
// RIDGE_VERIFY=2: the same arguments must record the same graph. Error{state} otherwise.
void check_same_capture(const Entry& entry, capture::Captured again, Location where);
void log_compiled(const Entry& entry, const std::string& name, const std::string& why);
// The same arguments must find the same program as when they were bound. Error{state} otherwise.
void check_still_bound(const capture::Signature& bound, const capture::Signature& now,
                       const Entry& entry, Location where);
// Of a function whose program went to another variable.
[[noreturn]] void throw_moved_from(Location where);
// A bound call has its tensors; it cannot take those of a capture.
void check_outside_capture(const std::string& name, Location where);
std::string kernel_table(const std::string& name,
                         const std::vector<std::shared_ptr<Entry>>& entries);
std::string explain(const std::string& name, const std::vector<std::shared_ptr<Entry>>& entries,
                    const ExplainOptions& options);

}  // namespace driver

template <class F>
class Compiled {
 public:
  using Cache = driver::Programs;
  using Found = typename Cache::Found;

  Compiled(F function, CompileOptions options, Location where)
      : state_(std::make_shared<State>(std::move(function), std::move(options), where)),
        where_(where) {}

  template <class... Args>
  auto operator()(Args&&... args) const -> capture::ResultOf<F, Args&&...> {
    if constexpr (capture::takes_integers_as_sizes<F, Args...>) {
      return [&]<size_t... I>(std::index_sequence<I...>) {
        return call(capture::as_taken<F, I>(std::forward<Args>(args))...);
      }(std::index_sequence_for<Args...>());
    } else {
      return call(std::forward<Args>(args)...);
    }
  }

  // See bound.h for what the caller promises.
  template <class... Args>
  Bound<F, Args...> bind(Args&&... args) const {
    driver::check_outside_capture(name(), state().where);
    using Kept = typename Bound<F, Args...>::Kept;
    auto kept = std::make_shared<Kept>(std::forward<Args>(args)...);
    std::apply(
        [&](auto&... held) {
          capture::flatten(kept->flat, state().where, held...);
          kept->found = state().entries.find(kept->flat.signature);
          if (!kept->found) kept->found = make(kept->flat, held...);
        },
        kept->args);
    return {*this, std::move(kept)};
  }

  const std::string& name() const { return state().options.name; }
  capture::CacheCounters counters() const { return state().entries.counters(); }

  // The programs kept, newest last: for reports and tests.
  std::vector<std::shared_ptr<driver::Entry>> programs() const { return state().entries.entries(); }

  Recompiles recompiles() const {
    Recompiles result = state().recompiles.recompiles(name(), state().where);
    result.counters = counters();
    return result;
  }

 private:
  template <class G, class... Args>
  friend class Bound;

  struct State {
    State(F f, CompileOptions o, Location w)
        : function(std::move(f)),
          options(std::move(o)),
          where(w),
          entries(options.programs > 0 ? options.programs
                                       : static_cast<size_t>(knob_int(Knob::programs))),
          profile(options.dynamic, options.dims, where) {
      driver::check_options(options, where);
    }
    F function;
    CompileOptions options;
    Location where;
    Cache entries;
    capture::SizeProfile profile;                        // by whoever makes a program
    std::vector<std::shared_ptr<driver::Entry>> spares;  // likewise: made, and not yet of use
    driver::RecompileLog recompiles;
  };

  template <class... Args>
  auto call(Args&&... args) const -> capture::ResultOf<F, Args&&...> {
    State& state = this->state();
    if (graph::Recorder::active() != nullptr) [[unlikely]] {
      const capture::InlinedCall inlined(&state, state.options.name, state.where);
      return capture::call_as_captured(state.function, std::forward<Args>(args)...);
    }
    capture::FlatArguments& flat = per_thread<capture::FlatArguments, Compiled>();
    capture::flatten(flat, state.where, args...);
    Found found = state.entries.find(flat.signature);
    if (!found) [[unlikely]] {
      found = make(flat, args...);
      // Someone who listens to the log may have called the function, and used `flat`, meanwhile.
      capture::flatten(flat, state.where, args...);
    } else if (knob_int(Knob::verify) >= 2) [[unlikely]] {
      const auto options = capture_options(&found.entry->sizes);
      check_same_capture(*found.entry, capture::capture(state.function, options, args...),
                         state.where);
    }
    return run<capture::ResultOf<F, Args&&...>>(found, flat);
  }

  capture::CaptureOptions capture_options(const capture::SymbolicSizes* sizes) const {
    return {.name = state().options.name,
            .argument_names = state().options.argument_names,
            .function = &state(),
            .where = state().where,
            .restores_aliases = true,
            .sizes = sizes};
  }

  template <class Result>
  Result run(const Found& found, const capture::FlatArguments& flat) const {
    try {
      const capture::CallInputs inputs(found.entry->captured, flat.inputs);
      const std::vector<Tensor> outputs = found.entry->run(inputs.all(), found.binding);
      return capture::deliver<Result>(found.entry->captured, flat, outputs, found.binding->values);
    } catch (Error& error) {
      // Memory is asked for by the whole program, not by a line of the function.
      if (error.code() == ErrorCode::memory) error.locate(name(), state_->where);
      throw;
    }
  }

  template <class... Args>
  auto run_bound(const typename Bound<F, Args...>::Kept* bound) const
      -> capture::ResultOf<F, Args&&...> {
    static_cast<void>(state());  // a bound call that was moved from has no arguments either
    const auto& kept = *bound;
    if (graph::Recorder::active() != nullptr) [[unlikely]]
      driver::check_outside_capture(name(), state().where);
    if (knob_int(Knob::verify) >= 2) [[unlikely]] {
      capture::FlatArguments now;
      std::apply([&](auto&... held) { capture::flatten(now, state().where, held...); }, kept.args);
      driver::check_still_bound(kept.flat.signature, now.signature, *kept.found.entry,
                                state().where);
    }
    return run<capture::ResultOf<F, Args&&...>>(kept.found, kept.flat);
  }

  // A call that no known program serves.
  template <class... Args>
  Found make(const capture::FlatArguments& flat, Args&... args) const {
    bool is_made = false;
    std::optional<capture::Difference> why;
    const Found found = state().entries.find_or_make(flat.signature, [&] {
      const capture::CallSizes call = capture::sizes_of(flat);
      if (Found served = driver::find_serving(state().entries.entries(), call)) return served;
      const auto closest = state().entries.closest(flat.signature);
      if (closest.entry != nullptr) {
        why = driver::why_refused(*closest.entry, call, closest.made_for, flat.signature);
      }
      is_made = true;
      if (Found spare = driver::find_serving(state().spares, call)) return spare;
      return make_program(flat, call, args...);
    });
    // Without the lock, since a listener may call the function.
    if (is_made) driver::log_compiled(*found.entry, name(), why ? why->text : "");
    if (why) {
      state().recompiles.add(
          name(), {why->guard, why->argument, why->before, why->now, why->text, state().where});
    }
    return found;
  }

  // The first plan of sizes that gives a program for this call. One that serves only others is kept
  // for them.
  template <class... Args>
  Found make_program(const capture::FlatArguments& flat, const capture::CallSizes& call,
                     Args&... args) const {
    const capture::SizeNames names = capture::names_of(state().options.argument_names, args...);
    const auto plans = state().profile.plans(call, names);
    for (const auto& plan : plans) {
      const bool is_last = &plan == &plans.back();
      if (!is_last && (driver::any_covers(state().entries.entries(), call, plan) ||
                       driver::any_covers(state().spares, call, plan))) {
        continue;  // a program like that has refused the call
      }
      const auto entry = std::make_shared<driver::Entry>();
      entry->sizes = capture::SymbolicSizes(call, plan, names);
      try {
        entry->captured =
            capture::capture(state().function, capture_options(&entry->sizes), args...);
      } catch (const Error& error) {
        if (is_last || error.code() == ErrorCode::memory) throw;
        continue;  // it may be wrong for symbols, or for usual sizes: the last plan has the call's
      }
      // What runs between kernels, what is kept for a backward program, and budgets are for sizes.
      const bool is_exact = flat.any_requires_grad || state().options.memory_budget > 0 ||
                            graph::has_control(entry->captured.graph);
      if (!is_last && is_exact) continue;
      driver::compile_entry(*entry, name(), flat, state().options.memory_budget, state().where);
      entry->compiled->set_timing(state().options.times_kernels);
      if (Found found = driver::find_serving({&entry, 1}, call)) return found;
      state().spares.push_back(entry);
    }
    RIDGE_INTERNAL_CHECK(false, "a program that refuses the call it was made for");
    return {};
  }

  // Error{state} if it was moved from.
  State& state() const {
    if (state_ == nullptr) [[unlikely]]
      driver::throw_moved_from(where_);
    return *state_;
  }

  std::shared_ptr<State> state_;
  Location where_;  // as the state has it, also when that is gone
};

template <class F>
Compiled<std::decay_t<F>> compile(F&& function, CompileOptions options = {},
                                  Location where = Location::current()) {
  return {std::forward<F>(function), std::move(options), where};
}

// The kernels of each program made so far: what they compute, for which layers of the model, what
// they move, and, with `times_kernels` or RIDGE_DEBUG=2, how long they took.
template <class F>
std::string kernel_table(const Compiled<F>& compiled) {
  return driver::kernel_table(compiled.name(), compiled.programs());
}

// Where the time of each program made so far goes, and why: its kernels against what the machine
// can do, what was not fused, how kernels were mapped.
template <class F>
std::string explain(const Compiled<F>& compiled, const ExplainOptions& options = {}) {
  return driver::explain(compiled.name(), compiled.programs(), options);
}

// Why there are several programs: which guard of the ones before did not hold, for which argument.
template <class F>
Recompiles explain_recompiles(const Compiled<F>& compiled) {
  return compiled.recompiles();
}

}  // namespace ridge
