// A compiled function but for its callable and the types of its arguments: its options, its programs,
// and what was seen of the sizes of its calls.
//
// `Compiled<F>` (compile.h) adds what depends on those types: flattening the arguments, recording the
// callable, building its result. All else is here, compiled with the library and not in
// each file of a user.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ridge/base/function_ref.h"
#include "ridge/capture/arguments.h"
#include "ridge/capture/call_sizes.h"
#include "ridge/capture/dynamic.h"
#include "ridge/capture/size_names.h"
#include "ridge/capture/trace.h"
#include "ridge/driver/recompiles.h"

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

struct Entry;    // entry.h
struct Binding;  // pipeline.h

using Entries = std::span<const std::shared_ptr<Entry>>;

// A program, and the sizes that it is bound to for one signature.
using FoundProgram = capture::FoundEntry<Entry, Binding>;

// What only the types of a call know how to do.
struct TypedCall {
  FunctionRef<capture::Captured(const capture::CaptureOptions&)> capture;
  FunctionRef<capture::SizeNames(const std::vector<std::string>&)> names;
};

class CompiledFunction {
 public:
  // Error{value} for a budget below 0.
  CompiledFunction(CompileOptions options, Location where);
  ~CompiledFunction();
  CompiledFunction(const CompiledFunction&) = delete;
  CompiledFunction& operator=(const CompiledFunction&) = delete;

  const std::string& name() const { return options_.name; }
  Location where() const { return where_; }

  // The program of a call with this signature, if there was one before.
  FoundProgram find(const capture::Signature& signature) const;
  // For a call that no known signature serves.
  FoundProgram make(const capture::FlatArguments& flat, const TypedCall& call);
  // RIDGE_VERIFY=2: the same arguments must record the same graph. Error{state} otherwise.
  void check_same_capture(const FoundProgram& found, const TypedCall& call) const;
  // The same arguments must find the same program as when they were bound. Error{state} otherwise.
  void check_still_bound(const capture::FlatArguments& bound, const capture::FlatArguments& now,
                         const FoundProgram& found) const;
  // A bound call has its tensors; it cannot take those of a capture.
  void check_outside_capture() const;

  // The outputs of the program; capture::deliver makes the result of them.
  std::vector<Tensor> run(const FoundProgram& found, const capture::FlatArguments& flat) const;

  capture::CacheCounters counters() const;
  std::vector<std::shared_ptr<Entry>> programs() const;  // those kept, newest last
  Recompiles recompiles() const;

 private:
  struct State;
  capture::CaptureOptions capture_options(const capture::SymbolicSizes* sizes) const;
  FoundProgram make_program(const capture::FlatArguments& flat, const capture::CallSizes& sizes,
                            const TypedCall& call);

  CompileOptions options_;
  Location where_;
  std::unique_ptr<State> state_;
};

// What was captured of the program, and the values of its symbols in the call.
const capture::Captured& captured_of(const FoundProgram& found);
std::span<const int64_t> values_of(const FoundProgram& found);

// Of a function whose program went to another variable.
[[noreturn]] void throw_moved_from(Location where);
std::string kernel_table(const std::string& name, Entries entries);
std::string explain(const std::string& name, Entries entries, const ExplainOptions& options);

}  // namespace driver
}  // namespace ridge
