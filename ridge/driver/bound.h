// A compiled function with its arguments: a call without looking for its program.
//
//   auto run = step.bind(model, x);      finds or compiles the program, once
//   Tensor loss = run();                 runs it
//
// Arguments given as variables are referred to, temporaries are kept; floating-point numbers keep
// their value. Nothing is checked on a call. The caller promises that variables outlive the bound
// call and, until its last run:
// - they hold the same tensors, or tensors of the same dtype, device, shape, strides and alignment,
//   sharing memory as before. Elements may change, and so may what the function itself replaces.
// - no vector, map or optional among them has changed its length, and no integer its value.
// - autocast and grad mode are what they were.
// Breaking one gives wrong results or reads other memory. `RIDGE_VERIFY=2` checks all of this.
//
// On a GPU a run queues the program's kernels, or its CUDA graph, on the current stream and returns,
// as any call does; with the same tensors in every run, the graph needs no new addresses for them.
//
// A bound call keeps its program, also when the function has dropped it for others. Runs from several
// threads at a time are as safe as the same calls of the function: those that write share no memory.
#pragma once

#include <memory>
#include <tuple>

#include "ridge/capture/arguments.h"
#include "ridge/driver/compiled_function.h"

namespace ridge {

template <class F>
class Compiled;

// Made by Compiled::bind. Args are as they are kept: references to variables, values of temporaries.
template <class F, class... Args>
class Bound {
 public:
  auto operator()() const { return function_.template run_bound<Args...>(kept_.get()); }

 private:
  friend class Compiled<F>;

  struct Kept {
    template <class... Given>
    explicit Kept(Given&&... given) : args(std::forward<Given>(given)...) {}
    std::tuple<Args...> args;
    capture::FlatArguments flat;  // points into args
    driver::FoundProgram found{};
  };

  Bound(Compiled<F> function, std::shared_ptr<Kept> kept)
      : function_(std::move(function)), kept_(std::move(kept)) {}

  Compiled<F> function_;
  std::shared_ptr<Kept> kept_;  // stays where it is, and so do the tensors in it
};

}  // namespace ridge
