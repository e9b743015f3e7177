#include "recorded_case.h"

#include "ridge/driver/compile.h"
#include "ridge/driver/entry.h"
#include "ridge/graph/recorder.h"

namespace ridge::testing {
namespace {

// Tensors of a call that are inputs of its graph: numbers stay numbers.
bool is_input(const Tensor& t) { return t.defined() && !t.is_weak(); }

}  // namespace

RecordedCase record(const OpCase& c, Device device) {
  RecordedCase made;
  graph::Recorder recorder(made.graph);
  const auto args = map_tensors(c.args, [&](const Tensor& t) {
    if (!is_input(t)) return t;
    made.inputs.push_back(to_device(t, device));
    return recorder.input({t.dtype(), t.shape(), device, false});
  });
  const graph::Recorder::Scope scope(recorder);
  for (const Tensor& result : dispatch::call_values(*c.record->op, dispatch::borrow(args))) {
    made.graph.outputs.push_back(recorder.id(result));
  }
  return made;
}

dispatch::Tensors run_compiled(const OpCase& c, Device device) {
  RecordedCase made = record(c, device);
  std::vector<const Tensor*> pointers;
  for (const Tensor& input : made.inputs) pointers.push_back(&input);
  driver::GraphOptions options = driver::graph_options(c.record->op->name(), pointers);
  dispatch::Tensors results = driver::CompiledGraph(made.graph, options).run(pointers);
  for (Tensor& result : results) result = to_device(result, kCpu);
  return results;
}

}  // namespace ridge::testing
