// Every op, eagerly and as a compiled program, against the reference evaluator.
#include <gtest/gtest.h>

#include "cases.h"
#include "closeness.h"
#include "ridge/driver/compile.h"
#include "ridge/graph/recorder.h"
#include "ridge/reference/reference.h"

namespace ridge::testing {
namespace {

// Tensors of a call that are inputs of its graph: numbers stay numbers.
bool is_input(const Tensor& t) { return t.defined() && !t.is_weak(); }

dispatch::Tensors run_compiled(const OpCase& c) {
  graph::Graph graph;
  std::vector<Tensor> inputs;
  {
    graph::Recorder recorder(graph);
    const auto args = map_tensors(c.args, [&](const Tensor& t) {
      if (!is_input(t)) return t;
      inputs.push_back(t);
      return recorder.input({t.dtype(), t.shape(), kCpu, false});
    });
    const graph::Recorder::Scope scope(recorder);
    for (const Tensor& result : dispatch::call_values(*c.record->op, dispatch::borrow(args))) {
      graph.outputs.push_back(recorder.id(result));
    }
  }
  std::vector<const Tensor*> pointers;
  for (const Tensor& input : inputs) pointers.push_back(&input);
  driver::GraphOptions options = driver::graph_options(c.record->op->name(), pointers);
  return driver::CompiledGraph(std::move(graph), options).run(pointers);
}

dispatch::Tensors run_reference(const OpCase& c) {
  const reference::UseReference scope;
  return c.run();
}

void compare(const OpCase& c, const dispatch::Tensors& ours, const dispatch::Tensors& expected) {
  ASSERT_EQ(ours.size(), expected.size()) << c.text();
  for (size_t i = 0; i < ours.size(); ++i) {
    expect_close(ours[i], expected[i], reduction_length(c.args), c.text());
  }
}

const bool kCompiledRegistered = for_each_op("Compiled", [](const ops::OpRecord& record) {
  for (const DType dtype : ops::accepted_dtypes(record)) {
    if (is_storage_only(dtype)) continue;
    for (const OpCase& c : cases_of(record, dtype)) {
      const dispatch::Tensors expected = run_reference(c);
      compare(c, c.run(), expected);
      compare(c, run_compiled(c), expected);
    }
  }
});

}  // namespace
}  // namespace ridge::testing
