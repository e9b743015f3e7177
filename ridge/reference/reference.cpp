#include "ridge/reference/reference.h"

#include <limits>
#include <mutex>
#include <vector>

#include "ridge/dispatch/call.h"
#include "ridge/dispatch/operator_table.h"
#include "ridge/ops/derived.h"
#include "ridge/ops/dispatch_layers.h"
#include "ridge/reference/evaluate.h"

namespace ridge::reference {
namespace {

using dispatch::Arg;
using dispatch::ArgKind;
using dispatch::Frame;
using dispatch::Key;
using dispatch::KeySet;
using expr::Number;

// The arguments that are numbers, at their positions. What is not, or was left out, is NaN.
std::vector<Number> numbers(std::span<const Arg> args) {
  std::vector<Number> result;
  for (const Arg& arg : args) {
    switch (arg.kind) {
      case ArgKind::integer: result.push_back(Number::of(arg.integer)); break;
      case ArgKind::real: result.push_back(Number::of(arg.real)); break;
      case ArgKind::flag: result.push_back(Number::of(arg.flag)); break;
      case ArgKind::none:
      case ArgKind::tensor:
      case ArgKind::tensors:
      case ArgKind::dtype:
      case ArgKind::device:
      case ArgKind::ints:
      case ArgKind::sizes:
        result.push_back(Number::of(std::numeric_limits<double>::quiet_NaN()));
        break;
    }
  }
  return result;
}

void compute(Frame& frame, KeySet) {
  if (ops::run_derived(frame)) return;
  const ops::OpRecord* record = frame.op.record();
  RIDGE_INTERNAL_CHECK(record != nullptr, "the reference knows ops by their records");
  const ops::Call call(frame.op.schema(), frame.args);
  const ops::Resolved resolved = ops::resolve(*record, call);
  RIDGE_INTERNAL_CHECK(resolved.shapes.size() == 1 && frame.results.size() == 1,
                       "a definition has one result");
  const ops::Definition definition = ops::definition_of(*record, call, resolved);
  // Handed over only when it is complete: an error leaves the results as they were.
  Tensor output = Tensor::empty(resolved.shapes[0], resolved.dtypes.outputs[0], resolved.device);
  evaluate(definition, call.operands(), resolved.dtypes.inputs, numbers(frame.args), output);
  frame.results[0] = std::move(output);
}

void write(Frame& frame, KeySet) {
  const ops::Call call(frame.op.schema(), frame.args);
  assign(call.tensor("to"), call.tensor("from"));
  frame.results[0] = call.tensor("to");
}

// Under Key::reference a call may still be about shapes only, which is the meta backend's.
template <class Run>
auto unless_meta(Run run) {
  return [run](Frame& frame, KeySet keys) {
    if (keys.has(Key::meta)) return redispatch(frame, keys & KeySet::below(Key::reference));
    run(frame, keys);
  };
}

}  // namespace

void install() {
  static std::once_flag once;
  std::call_once(once, [] {
    ops::install_derived_layers();
    auto& table = dispatch::OperatorTable::instance();
    for (const Key key : {Key::cpu, Key::reference}) {
      table.add_fallback(key, dispatch::make_kernel(unless_meta(compute)), "reference").keep();
      table.add_kernel("assign_", key, dispatch::make_kernel(unless_meta(write)), "reference")
          .keep();
    }
  });
}

}  // namespace ridge::reference
