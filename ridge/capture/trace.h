// One capture in progress, without the types of the function: what `capture` is written on.
//
// In order: begin_argument and its tensors and numbers for each argument; the function under
// `recorder()`; its results; the arguments again, to see what the function replaced; finish.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ridge/expr/formula.h"
#include "ridge/graph/recorder.h"

namespace ridge::capture {

class SymbolicSizes;

struct CaptureOptions {
  std::string name = "graph";
  std::vector<std::string> argument_names{};  // "arg0", "arg1", ... where none is given
  const void* function = nullptr;             // of what is captured: finds a call of itself
  Location where = Location::current();       // the line for errors that no op reports
  // Results that view memory of an argument, or one memory together, are views then (Slot::view), and
  // arguments that share memory may be written (Captured::shared). Else each result is a value of its
  // own: for captures that become part of another one.
  bool restores_aliases = false;
  const SymbolicSizes* sizes = nullptr;  // which sizes of the arguments are symbols
};

// Where a tensor of a result, or of an argument after the call, comes from.
struct Slot {
  enum class From : uint8_t { undefined, output, input };
  From from = From::undefined;
  int32_t index = -1;  // among the outputs or inputs of the graph
  // Where it is not that output or input itself, but sees its memory: in elements of it, the offset
  // from where it begins.
  struct View {
    Shape shape;
    Shape strides;
    Size offset;
    bool is_cut = false;  // through a detach: it shares memory, and no history
  };
  std::shared_ptr<const View> view{};
};

// Memory that several arguments see and the function writes: an input of its own, after all others.
// The graph reads and writes the arguments through views of it.
struct SharedMemory {
  int32_t input;  // of the graph: the one that begins where it does
  Size length;
};

struct Captured {
  struct Replaced {
    size_t tensor;  // in the arguments, in visiting order: FlatArguments::tensors
    Slot now;
  };

  graph::Graph graph;  // as recorded: it may write
  std::vector<Slot> results;
  std::vector<Replaced> replaced;
  std::vector<SharedMemory> shared;  // the last inputs of the graph
  std::vector<Tensor> enclosing;     // of the capture around this one, used here: the last inputs
  std::vector<std::string> names;    // of tensors and numbers of the arguments, in visiting order
  expr::Symbols symbols{};           // of the sizes of the arguments, in the order of their values
  std::shared_ptr<const void> result_form;  // the result without its tensors; null for void
};

// A tensor that the function leaves to its caller.
struct LeftTensor {
  graph::ValueId id;  // -1 if undefined
  Tensor fake;
};

class Trace {
 public:
  explicit Trace(const CaptureOptions& options);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  graph::Recorder& recorder() { return recorder_; }
  Location where() const { return options_.where; }

  std::string begin_argument();  // its name, the path of what it holds
  Tensor input(const std::string& path, const Tensor& given);
  void number(const std::string& path, int64_t value);
  Size size(const std::string& path, const Size& given);  // of an argument of type Size

  void result(const std::string& path, const Tensor& tensor);
  void set_result_form(std::shared_ptr<const void> form) {
    captured_.result_form = std::move(form);
  }

  void return_to_argument(size_t number);
  void check_argument(const Tensor& now);
  void check_number(int64_t now);
  void check_size(const Size& now);

  Captured finish();

 private:
  struct Position {
    size_t tensor = 0;
    size_t number = 0;
    size_t size = 0;
  };
  struct SizeArgument {
    std::string path;
    Size size;  // as the function got it
  };
  struct Number {
    std::string path;
    int64_t value;
  };
  void leave(const std::string& path, const Tensor& tensor);
  void settle_results();

  const CaptureOptions& options_;
  Captured captured_;
  graph::Recorder recorder_;
  std::vector<Position> arguments_;  // where each begins
  std::vector<std::string> tensor_names_;
  std::vector<Tensor> given_;  // all tensors of the arguments, undefined ones too
  std::vector<Tensor> fakes_;
  std::vector<Number> numbers_;
  std::vector<SizeArgument> sizes_;
  std::vector<LeftTensor> left_;  // results, then what replaces tensors of arguments
  Position next_;                 // to be checked
};

// Marks a function as being recorded into the active recorder, for calls that are made part of an
// enclosing capture. Error{state} at `where` if it is being recorded already.
class InlinedCall {
 public:
  InlinedCall(const void* function, std::string_view name, Location where);
  ~InlinedCall();
  InlinedCall(const InlinedCall&) = delete;
  InlinedCall& operator=(const InlinedCall&) = delete;

 private:
  graph::Recorder& recorder_;
};

// How autograd finds out what a function with a gradient of its own returns
// (autograd/custom_vjp.h).
void install_dry_run();

}  // namespace ridge::capture
