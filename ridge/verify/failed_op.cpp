#include "ridge/verify/failed_op.h"

#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/execute/kernel_status.h"
#include "ridge/graph/pass.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/graph/replay.h"

namespace ridge::verify {
namespace {

using dispatch::Key;

const graph::Node& node_at(const graph::Graph& graph, int32_t number) {
  return graph.nodes[static_cast<size_t>(number)];
}

// Is there an error on the way from the inputs to the results of the node?
bool fails(const graph::Graph& graph, int32_t number, std::span<const Tensor> inputs) {
  graph::Graph part = graph;
  part.outputs = node_at(graph, number).results;
  part.updates.clear();
  part = graph::eliminate_dead_code(std::move(part), {});
  const dispatch::ExcludeKeys values_only({Key::trace, Key::autograd, Key::autocast, Key::profile});
  try {
    graph::replay(part, inputs);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::memory) throw;  // which says nothing of the node
    return true;
  }
  return false;
}

std::string others(const graph::Graph& graph, std::span<const int32_t> suspects) {
  const auto text = [&](int32_t number) {
    const graph::Node& node = node_at(graph, number);
    return concat(node.op->name(), " at ", ridge::to_text(node.where));
  };
  return "or it was " + join(suspects, ", ", text) + ", which the same kernel computes";
}

}  // namespace

void throw_failed_op(int32_t status, const schedule::KernelCall& call, const graph::Graph& graph,
                     std::span<const Tensor* const> inputs) {
  std::vector<int32_t> suspects;
  for (const schedule::KernelCall::Check& check : call.checks) {
    if (static_cast<int32_t>(check.status) == status) suspects.push_back(check.node);
  }
  RIDGE_INTERNAL_CHECK(!suspects.empty(),
                       concat(call.kernel.name, " checks nothing, and left status ", status));
  const graph::Node& first = node_at(graph, suspects[0]);
  if (suspects.size() == 1) execute::check_status(status, first.op->name(), first.where);
  std::vector<Tensor> tensors;
  for (const Tensor* input : inputs) tensors.push_back(to_device(*input, kCpu));
  for (const int32_t suspect : suspects) {
    const graph::Node& node = node_at(graph, suspect);
    if (fails(graph, suspect, tensors)) execute::check_status(status, node.op->name(), node.where);
  }
  // Inputs that the program updates may be new already, and their old elements lost.
  execute::check_status(status, first.op->name(), first.where,
                        others(graph, std::span(suspects).subspan(1)));
}

}  // namespace ridge::verify
