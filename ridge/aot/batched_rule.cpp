#include <algorithm>
#include <map>
#include <mutex>

#include "ridge/aot/batched_node.h"
#include "ridge/autograd/custom_vjp.h"
#include "ridge/autograd/gradient_rule.h"
#include "ridge/autograd/saved_tensor.h"
#include "ridge/base/text.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/graph/recorder.h"
#include "ridge/graph/replay.h"
#include "ridge/ops/record.h"

namespace ridge::aot {

using graph::Graph;
using graph::Node;
using graph::Recorder;
using graph::Type;
using graph::ValueId;

namespace {

// A call of the op for one example, as a graph of its own: an input for each operand.
Graph graph_of_call(const Graph& graph, const Node& node) {
  Graph call;
  Node own = node;
  replace_operands(own, [&](ValueId id) { return call.add_input(graph[id].type); });
  std::vector<Type> types;
  for (const ValueId id : node.results) types.push_back(graph[id].type);
  const int32_t added =
      call.add_node(*node.op, std::move(own.args), std::move(types), node.where, node.scope);
  call.outputs = call.nodes[static_cast<size_t>(added)].results;
  return call;
}

class BatchedRule {
 public:
  BatchedRule(Graph call, std::vector<bool> is_mapped, BatchOptions options)
      : call_(std::move(call)), is_mapped_(std::move(is_mapped)), options_(std::move(options)) {
    const dispatch::ExcludeKeys as_recorded(dispatch::Key::autocast);
    const dispatch::Operator* op = node().op;
    const auto expands = [op](const dispatch::Operator& part) {
      return &part == op || (graph::is_composite(part) && !has_batched_rule(part));
    };
    const Graph parts = graph::expand_nodes(call_, [](const Node&) { return true; }, expands);
    forward_ = batch(parts, is_mapped_, options_, all(call_.outputs.size())).graph;
  }

  std::vector<Tensor> forward(const std::vector<Tensor>& inputs) const {
    // Asked for types only: the graph makes tensors on the device it is for, and knows the answer.
    const bool is_meta =
        std::ranges::any_of(inputs, [](const Tensor& input) { return input.device() == kMeta; });
    if (!is_meta) return graph::replay(forward_, inputs);
    std::vector<Tensor> results;
    for (const ValueId id : forward_.outputs) {
      results.push_back(Tensor::empty(forward_[id].type.shape, forward_[id].type.dtype, kMeta));
    }
    return results;
  }

  std::vector<Tensor> backward(const CustomCall& call, const std::vector<Tensor>& grads) const {
    std::vector<size_t> differentiated;  // inputs that have a gradient
    const Graph rule = rule_for_one(call.needed, differentiated);
    std::vector<bool> is_mapped = is_mapped_;
    is_mapped.resize(rule.inputs.size(), true);  // results, and their gradients
    const Graph batched = batch(rule, is_mapped, options_, all(differentiated.size())).graph;
    std::vector<Tensor> inputs = call.inputs;
    inputs.insert(inputs.end(), call.results.begin(), call.results.end());
    inputs.insert(inputs.end(), grads.begin(), grads.end());
    const std::vector<Tensor> results = graph::replay(batched, inputs);
    // Of an operand that is not mapped: the caller sums what is more than its shape.
    std::vector<Tensor> gradients(call.inputs.size());
    for (size_t i = 0; i < differentiated.size(); ++i) gradients[differentiated[i]] = results[i];
    return gradients;
  }

 private:
  static std::vector<bool> all(size_t count) { return std::vector<bool>(count, true); }
  const Node& node() const { return call_.nodes[0]; }
  // The inputs of the call are its first values, an own one for each operand.
  static size_t input_of(ValueId id) { return static_cast<size_t>(id.index); }

  // The gradient rule for one example: takes the operands, the results and their gradients.
  // Inputs are counted without the operands that were left out, which a rule gives a number, too.
  Graph rule_for_one(const std::vector<bool>& needed_inputs, std::vector<size_t>& inputs) const {
    const auto numbered = graph::numbered_operands(node());
    std::vector<bool> needed;
    for (const auto& id : numbered) needed.push_back(id && needed_inputs[input_of(*id)]);
    Graph rule;
    rule.name = call_.name + ".backward";
    Recorder recorder(rule);
    std::vector<Tensor> results, grads;
    for (const ValueId id : call_.inputs) recorder.input(call_[id].type);
    for (const ValueId id : call_.outputs) results.push_back(recorder.input(call_[id].type));
    for (const ValueId id : call_.outputs) {
      const Tensor grad = recorder.input(call_[id].type);
      grads.push_back(is_floating(grad.dtype()) ? grad : Tensor());
    }
    const dispatch::ExcludeKeys as_recorded(dispatch::Key::autocast);
    const Recorder::Scope recording(recorder);
    recorder.set_origin(node().where, node().scope);
    // Its inputs are the first values of both graphs.
    const graph::BoundArguments bound(node(), [&](ValueId id) { return recorder.fake(id); });
    const ops::Saved saved(node().op->schema(), bound.args(), results, needed);
    const ops::OpRecord& record = *node().op->record();
    const std::vector<Tensor> gradients = autograd::rule_for(record, saved).apply(grads, saved);
    for (size_t i = 0; i < gradients.size(); ++i) {
      if (!needed[i] || !gradients[i].defined()) continue;
      const Type& type = call_[*numbered[i]].type;
      const Tensor fitted = autograd::fit_gradient(gradients[i], type.shape, type.dtype,
                                                   node().op->name(), ErrorCode::gradient);
      inputs.push_back(input_of(*numbered[i]));
      rule.outputs.push_back(recorder.id(fitted));
    }
    return rule;
  }

  const Graph call_;
  const std::vector<bool> is_mapped_;  // by operand
  const BatchOptions options_;
  Graph forward_;
};

// Ops live as long as the process, so one is made for each kind of call.
CustomFunction function_for(Graph call, const std::vector<bool>& is_mapped,
                            const BatchOptions& options) {
  static std::mutex& mutex = *new std::mutex;
  static auto& known = *new std::map<std::string, CustomFunction>;
  std::string key = concat(to_text(call), options.count, ' ', static_cast<int>(options.randomness));
  for (const bool flag : is_mapped) key += flag ? '+' : '-';
  {
    const std::lock_guard lock(mutex);
    const auto found = known.find(key);
    if (found != known.end()) return found->second;
  }
  const std::string name = "vmap of " + call.nodes[0].op->name();
  const Location where = call.nodes[0].where;
  const auto rule = std::make_shared<const BatchedRule>(std::move(call), is_mapped, options);
  CustomFunction made =
      custom_vjp([rule](const std::vector<Tensor>& inputs) { return rule->forward(inputs); },
                 [rule](const CustomCall& given, const std::vector<Tensor>& grads) {
                   return rule->backward(given, grads);
                 },
                 name, where);
  const std::lock_guard lock(mutex);
  return known.try_emplace(std::move(key), std::move(made)).first->second;
}

}  // namespace

bool has_batched_rule(const dispatch::Operator& op) {
  return graph::is_composite(op) && op.record()->grad && op.record()->differentiable;
}

std::vector<Tensor> call_batched_rule(const Graph& graph, const Node& node,
                                      const std::vector<bool>& is_mapped,
                                      const BatchOptions& options,
                                      const std::vector<Tensor>& given) {
  return function_for(graph_of_call(graph, node), is_mapped, options)(given);
}

}  // namespace ridge::aot
