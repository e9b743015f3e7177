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
#include "ridge/driver/bound.h"
#include "ridge/driver/compiled_function.h"

namespace ridge {

template <class F>
class Compiled {
 public:
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
    driver::CompiledFunction& programs = state().programs;
    programs.check_outside_capture();
    using Kept = typename Bound<F, Args...>::Kept;
    auto kept = std::make_shared<Kept>(std::forward<Args>(args)...);
    std::apply(
        [&](auto&... held) {
          capture::flatten(kept->flat, programs.where(), held...);
          kept->found = programs.find(kept->flat.signature);
          if (!kept->found) kept->found = make(kept->flat, held...);
        },
        kept->args);
    return {*this, std::move(kept)};
  }

  const std::string& name() const { return state().programs.name(); }
  capture::CacheCounters counters() const { return state().programs.counters(); }
  // The programs kept, newest last: for reports and tests, which include driver/entry.h.
  std::vector<std::shared_ptr<driver::Entry>> programs() const {
    return state().programs.programs();
  }
  Recompiles recompiles() const { return state().programs.recompiles(); }

 private:
  template <class G, class... Args>
  friend class Bound;

  struct State {
    State(F f, CompileOptions options, Location where)
        : function(std::move(f)), programs(std::move(options), where) {}
    F function;
    driver::CompiledFunction programs;
  };

  template <class... Args>
  auto call(Args&&... args) const -> capture::ResultOf<F, Args&&...> {
    State& state = this->state();
    driver::CompiledFunction& programs = state.programs;
    if (graph::Recorder::active() != nullptr) [[unlikely]] {
      const capture::InlinedCall inlined(&programs, programs.name(), programs.where());
      return capture::call_as_captured(state.function, std::forward<Args>(args)...);
    }
    capture::FlatArguments& flat = per_thread<capture::FlatArguments, Compiled>();
    capture::flatten(flat, programs.where(), args...);
    driver::FoundProgram found = programs.find(flat.signature);
    if (!found) [[unlikely]] {
      found = make(flat, args...);
      // Someone who listens to the log may have called the function, and used `flat`, meanwhile.
      capture::flatten(flat, programs.where(), args...);
    } else if (knob_int(Knob::verify) >= 2) [[unlikely]] {
      with_types([&](const auto& typed) { programs.check_same_capture(found, typed); }, args...);
    }
    return run<capture::ResultOf<F, Args&&...>>(found, flat);
  }

  template <class... Args>
  driver::FoundProgram make(const capture::FlatArguments& flat, Args&... args) const {
    driver::FoundProgram found;
    with_types([&](const auto& typed) { found = state().programs.make(flat, typed); }, args...);
    return found;
  }

  template <class Use, class... Args>
  void with_types(Use use, Args&... args) const {
    const auto record = [&](const capture::CaptureOptions& options) {
      return capture::capture(state().function, options, args...);
    };
    const auto names = [&](const std::vector<std::string>& given) {
      return capture::names_of(given, args...);
    };
    use(driver::TypedCall{record, names});
  }

  template <class Result>
  Result run(const driver::FoundProgram& found, const capture::FlatArguments& flat) const {
    const std::vector<Tensor> outputs = state_->programs.run(found, flat);
    return capture::deliver<Result>(driver::captured_of(found), flat, outputs,
                                    driver::values_of(found));
  }

  template <class... Args>
  auto run_bound(const typename Bound<F, Args...>::Kept* bound) const
      -> capture::ResultOf<F, Args&&...> {
    // A bound call that was moved from has no arguments either.
    const driver::CompiledFunction& programs = state().programs;
    if (graph::Recorder::active() != nullptr) [[unlikely]]
      programs.check_outside_capture();
    if (knob_int(Knob::verify) >= 2) [[unlikely]] {
      capture::FlatArguments now;
      std::apply([&](auto&... held) { capture::flatten(now, programs.where(), held...); },
                 bound->args);
      programs.check_still_bound(bound->flat, now, bound->found);
    }
    return run<capture::ResultOf<F, Args&&...>>(bound->found, bound->flat);
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
