#include "ridge/aot/jvp.h"

#include "ridge/aot/push_forward.h"
#include "ridge/base/text.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/graph/replay.h"
#include "ridge/ops/arithmetic.h"

namespace ridge::aot {

using capture::Slot;
using graph::Graph;
using graph::Recorder;

namespace {

// A direction for that input. One for a plain number may be of any floating dtype.
Tensor fitted_direction(const Tensor& given, const graph::Type& type, Location where) {
  if (type.is_weak && is_floating(given.dtype()) && given.shape().empty()) {
    return cast(given, type.dtype);
  }
  const bool has_dtype = given.dtype() == type.dtype;
  RIDGE_CHECK(
      has_dtype && given.shape() == type.shape,
      .code = has_dtype ? ErrorCode::shape : ErrorCode::dtype, .op = "jvp",
      .expected = concat("a direction of the shape and dtype of the argument, ", to_text(type)),
      .given = describe(given), .where = where);
  return given;
}

}  // namespace

Tangents run_with_tangents(const BoundCapture& bound, const std::vector<Tensor>& directions) {
  const auto wrt = bound.wrt();
  RIDGE_CHECK(directions.size() == wrt.size(), .code = ErrorCode::value, .op = "jvp",
              .expected = concat("a direction of the form of the first argument, with ", wrt.size(),
                                 " tensors"),
              .given = concat(directions.size(), " tensors"), .where = bound.where);
  Graph graph = bound.captured.graph;
  const size_t output_count = graph.outputs.size();
  std::vector<Tensor> inputs = bound.inputs;
  std::vector<size_t> moved;
  for (size_t i = 0; i < wrt.size(); ++i) {
    if (!wrt[i] || !directions[i].defined()) continue;
    moved.push_back(*wrt[i]);
    inputs.push_back(
        fitted_direction(directions[i], graph[graph.inputs[*wrt[i]]].type, bound.where));
  }
  Tangents done;
  std::vector<size_t> results;  // that have a tangent
  std::vector<size_t> outputs;  // which those are
  for (size_t i = 0; i < bound.captured.results.size(); ++i) {
    const Slot& slot = bound.captured.results[i];
    if (slot.from == Slot::From::undefined) continue;
    const size_t output = output_of(graph, slot);
    if (!is_floating(graph[graph.outputs[output]].type.dtype)) continue;
    results.push_back(i);
    outputs.push_back(output);
  }
  done.outputs = run_as_is(push_forward(std::move(graph), moved, outputs), inputs);
  if (Recorder::active() == nullptr) graph::separate(done.outputs, inputs);
  done.tangents.resize(bound.captured.results.size());
  const size_t first = done.outputs.size() - results.size();
  for (size_t i = 0; i < results.size(); ++i) done.tangents[results[i]] = done.outputs[first + i];
  done.outputs.resize(output_count);
  return done;
}

}  // namespace ridge::aot
