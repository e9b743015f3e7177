// compile(): a function that records itself on its first call and runs as one program from then on.
//
//   auto step = compile([](Model& model, const Tensor& x) { ... return loss; }, {.name = "step"});
//   Tensor loss = step(model, x);
//
// Arguments are tensors, structs walked by visit_tensors, and numbers: a floating-point argument
// reaches the function as a 0-d Tensor and may change from call to call; integers and bools are part
// of what a program is compiled for, as are dtypes, shapes and strides. Tensors of arguments taken by
// reference may be written or replaced. Anything else the function reads is fixed at the capture.
//
// Calling is safe from any thread. An error leaves the function callable again.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ridge/base/knobs.h"
#include "ridge/capture/capture.h"
#include "ridge/capture/deliver.h"
#include "ridge/capture/entry_cache.h"
#include "ridge/capture/shared_memory.h"
#include "ridge/driver/pipeline.h"

namespace ridge {

struct CompileOptions {
  std::string name = "function";
  std::vector<std::string> argument_names{};
  bool times_kernels = false;  // every launch, for kernel_table and explain
};

struct ExplainOptions {
  // The sheet of a device to predict for (`ridge devices` lists them); empty: this machine, with
  // what was timed.
  std::string device{};
  size_t rows = 0;  // of the table of kernels; 0 for all
};

namespace driver {

// One program of a compiled function, for one signature.
struct Entry {
  capture::Captured captured;
  std::unique_ptr<CompiledGraph> compiled;
};

// Strides of the inputs that are not row-major.
GraphOptions graph_options(const std::string& name, std::span<const Tensor* const> inputs);
// RIDGE_VERIFY=2: the same arguments must record the same graph. Error{state} otherwise.
void check_same_capture(const Entry& entry, const capture::Captured& again, Location where);
void log_compiled(const Entry& entry, const std::string& name, const std::string& why);
std::string kernel_table(const std::string& name,
                         const std::vector<std::shared_ptr<Entry>>& entries);
std::string explain(const std::string& name, const std::vector<std::shared_ptr<Entry>>& entries,
                    const ExplainOptions& options);

}  // namespace driver

template <class F>
class Compiled {
 public:
  Compiled(F function, CompileOptions options, Location where)
      : state_(std::make_shared<State>(std::move(function), std::move(options), where)) {}

  template <class... Args>
  auto operator()(Args&&... args) const -> capture::ResultOf<F, Args&&...> {
    using Result = capture::ResultOf<F, Args&&...>;
    State& state = *state_;
    if (graph::Recorder::active() != nullptr) {
      const capture::InlinedCall inlined(&state, state.options.name, state.where);
      return capture::call_as_captured(state.function, std::forward<Args>(args)...);
    }
    thread_local capture::FlatArguments flat;
    capture::flatten(flat, state.where, args...);
    std::shared_ptr<driver::Entry> entry = state.entries.find(flat.signature);
    if (entry == nullptr) {
      entry = state.entries.find_or_make(flat.signature, [&] { return make(flat, args...); });
    } else if (knob_int(Knob::verify) >= 2) {
      check_same_capture(*entry, capture::capture(state.function, capture_options(), args...),
                         state.where);
    }
    const capture::CallInputs inputs(entry->captured, flat.inputs);
    const std::vector<Tensor> outputs = entry->compiled->run(inputs.all());
    return capture::deliver<Result>(entry->captured, flat, outputs);
  }

  const std::string& name() const { return state_->options.name; }

  // The programs made so far, newest last: for reports and tests.
  std::vector<std::shared_ptr<driver::Entry>> programs() const {
    const std::lock_guard lock(state_->mutex);
    return state_->made;
  }

 private:
  struct State {
    State(F f, CompileOptions o, Location w)
        : function(std::move(f)), options(std::move(o)), where(w) {}
    F function;
    CompileOptions options;
    Location where;
    capture::EntryCache<driver::Entry> entries;
    std::mutex mutex;
    std::vector<std::shared_ptr<driver::Entry>> made;
  };

  capture::CaptureOptions capture_options() const {
    return {.name = state_->options.name,
            .argument_names = state_->options.argument_names,
            .function = state_.get(),
            .where = state_->where,
            .restores_aliases = true};
  }

  // Of its tensors and numbers: "model.head.weight".
  std::vector<std::string> names_of_newest() const {
    const std::lock_guard lock(state_->mutex);
    return state_->made.empty() ? std::vector<std::string>() : state_->made.back()->captured.names;
  }

  template <class... Args>
  std::shared_ptr<driver::Entry> make(const capture::FlatArguments& flat, Args&... args) const {
    const std::string why = state_->entries.why_missed(flat.signature, names_of_newest());
    auto entry = std::make_shared<driver::Entry>();
    entry->captured = capture::capture(state_->function, capture_options(), args...);
    entry->compiled = std::make_unique<driver::CompiledGraph>(
        entry->captured.graph, driver::graph_options(state_->options.name, flat.inputs));
    driver::Program* program = entry->compiled->program();
    if (program != nullptr) program->set_timing(state_->options.times_kernels);
    driver::log_compiled(*entry, state_->options.name, why);
    const std::lock_guard lock(state_->mutex);
    state_->made.push_back(entry);
    return entry;
  }

  std::shared_ptr<State> state_;
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

}  // namespace ridge
