#include "recorded_case.h"

#include "ridge/driver/compile.h"
#include "ridge/graph/recorder.h"

namespace ridge::testing {
namespace {

// Tensors of a call that are inputs of its graph: numbers stay numbers.
bool is_input(const Tensor& t) { return t.defined() && !t.is_weak(); }

}  // namespace

dispatch::Tensors run_compiled(const OpCase& c, Device device) {
  graph::Graph graph;
  std::vector<Tensor> inputs;
  {
    graph::Recorder recorder(graph);
    const auto args = map_tensors(c.args, [&](const Tensor& t) {
      if (!is_input(t)) return t;
      inputs.push_back(to_device(t, device));
      return recorder.input({t.dtype(), t.shape(), device, false});
    });
    const graph::Recorder::Scope scope(recorder);
    for (const Tensor& result : dispatch::call_values(*c.record->op, dispatch::borrow(args))) {
      graph.outputs.push_back(recorder.id(result));
    }
  }
  std::vector<const Tensor*> pointers;
  for (const Tensor& input : inputs) pointers.push_back(&input);
  driver::GraphOptions options = driver::graph_options(c.record->op->name(), pointers);
  dispatch::Tensors results = driver::CompiledGraph(std::move(graph), options).run(pointers);
  for (Tensor& result : results) result = to_device(result, kCpu);
  return results;
}

}  // namespace ridge::testing
