#include "ridge/aot/batch.h"

#include <algorithm>

#include "ridge/aot/batched_node.h"
#include "ridge/dispatch/call.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/graph/control.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/graph/recorder.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/record.h"
#include "ridge/ops/view.h"

namespace ridge::aot {

using graph::Argument;
using graph::Graph;
using graph::Node;
using graph::Recorder;
using graph::ValueId;
using graph::ValueIds;

namespace {

// For each value: is it another one for each example?
std::vector<bool> mapped_values(const Graph& graph, const std::vector<bool>& inputs,
                                Randomness randomness) {
  std::vector<bool> is_mapped(graph.values.size());
  const auto at = [](ValueId id) { return static_cast<size_t>(id.index); };
  for (size_t i = 0; i < graph.inputs.size(); ++i) is_mapped[at(graph.inputs[i])] = inputs[i];
  for (const Node& node : graph.nodes) {
    bool is_result = draws(node) && randomness == Randomness::different;
    for (const ValueId id : graph::operands(node)) is_result = is_result || is_mapped[at(id)];
    for (const ValueId id : node.results) is_mapped[at(id)] = is_result;
  }
  return is_mapped;
}

// The state of a generator is what a random op reads of integers. Bodies of control flow are batched, and
// looked at, on their own, unless nothing that they get is mapped.
void check_randomness(const Graph& graph, const std::vector<bool>& is_mapped) {
  const auto is_shared = [&](ValueId id) {
    return is_integer(graph[id].type.dtype) && !is_mapped[static_cast<size_t>(id.index)];
  };
  for (const Node& node : graph.nodes) {
    if (!draws(node)) continue;
    const bool is_batched_on_its_own =
        graph::is_control(node) && std::ranges::any_of(graph::operands(node), [&](ValueId id) {
          return is_mapped[static_cast<size_t>(id.index)];
        });
    RIDGE_CHECK(is_batched_on_its_own || std::ranges::none_of(graph::operands(node), is_shared),
                .code = ErrorCode::state, .op = node.op->name(),
                .expected = "a generator for each example, or a word on what a shared one gives",
                .given = "random numbers from one generator inside vmap",
                .hint = "vmap(f, {.randomness = Randomness::different}), or ::same",
                .where = node.where);
  }
}

// Is the op batched by its parts? One with a gradient of its own would lose it.
bool is_batched_by_parts(const dispatch::Operator& op) {
  return graph::is_composite(op) && !has_batched_rule(op);
}

// The graph with composite ops that depend on mapped inputs taken apart.
Graph taken_apart(Graph graph, const std::vector<bool>& inputs, Randomness randomness) {
  graph = graph::functionalize(std::move(graph), {});
  const std::vector<bool> is_mapped = mapped_values(graph, inputs, randomness);
  if (randomness == Randomness::error) check_randomness(graph, is_mapped);
  const auto is_expanded = [&](const Node& node) {
    return is_batched_by_parts(*node.op) && std::ranges::any_of(node.results, [&](ValueId id) {
             return is_mapped[static_cast<size_t>(id.index)];
           });
  };
  if (std::ranges::none_of(graph.nodes, is_expanded)) return graph;
  return graph::functionalize(graph::expand_nodes(graph, is_expanded, is_batched_by_parts), {});
}

class Batching {
 public:
  Batching(const Graph& old, const std::vector<bool>& inputs, const BatchOptions& options)
      : old_(old),
        options_(options),
        recorder_(batched_.graph),
        is_mapped_(mapped_values(old, inputs, options.randomness)),
        values_(old.values.size()) {
    batched_.graph.name = old.name;
  }

  BatchedGraph run(const std::vector<bool>& forced) {
    // The casts of autocast are in the graph already.
    const dispatch::ExcludeKeys as_recorded(dispatch::Key::autocast);
    const Recorder::Scope recording(recorder_);
    for (const ValueId id : old_.inputs) {
      graph::Type type = old_[id].type;
      if (is_mapped_[index(id)]) type.shape.insert(type.shape.begin(), options_.count);
      values_[index(id)] = recorder_.input(type, old_[id].name);
    }
    for (const Node& node : old_.nodes) step(node);
    for (size_t i = 0; i < old_.outputs.size(); ++i) {
      const bool is_forced = i < forced.size() && forced[i];
      batched_.graph.outputs.push_back(left(old_.outputs[i], is_forced, batched_.mapped_outputs));
    }
    for (const graph::Update& u : old_.updates) {
      const ValueId value = left(u.value, is_mapped_[index(u.input)], batched_.mapped_updates);
      batched_.graph.updates.push_back({recorder_.id(read(u.input)), value});
    }
    forget_memory(batched_.graph);
    return std::move(batched_);
  }

 private:
  static size_t index(ValueId id) { return static_cast<size_t>(id.index); }

  Tensor read(ValueId id) {
    Tensor& value = values_[index(id)];
    if (!value.defined()) value = recorder_.constant(old_[id].constant);
    return value;
  }

  ValueId left(ValueId id, bool is_forced, std::vector<bool>& is_mapped) {
    const bool was_mapped = is_mapped_[index(id)];
    is_mapped.push_back(was_mapped || is_forced);
    return recorder_.id(is_forced && !was_mapped ? repeated(read(id), options_.count) : read(id));
  }

  void step(const Node& node) {
    recorder_.set_origin(node.where, node.scope);
    recorder_.set_region(node.region);
    const ValueIds operands = graph::operands(node);
    std::vector<bool> is_mapped;
    for (const ValueId id : operands) is_mapped.push_back(is_mapped_[index(id)]);
    const bool is_any = std::ranges::find(is_mapped, true) != is_mapped.end();
    const bool is_control = graph::is_control(node);
    const bool is_result =
        std::ranges::any_of(node.results, [&](ValueId id) { return is_mapped_[index(id)]; });
    if (!is_any && !is_result) {
      set_results(node, is_control ? record_control(node) : call(node));
    } else if (is_control) {
      step_control(node, operands, is_mapped);
    } else if (!is_any) {
      set_results(node, draw(node));
    } else if (has_batched_rule(*node.op)) {
      set_results(node, call_batched_rule(old_, node, is_mapped, options_, tensors(operands)));
    } else if (const auto form = batched_form(old_, node, is_mapped, options_.count)) {
      set_results(node, call(node, *form, operands, is_mapped));
    } else {
      set_results(node,
                  scan_examples(recorder_, old_, node, is_mapped, tensors(operands), options_));
    }
  }

  std::vector<Tensor> tensors(const ValueIds& ids) {
    std::vector<Tensor> list;
    for (const ValueId id : ids) list.push_back(read(id));
    return list;
  }

  std::vector<Tensor> call(const Node& node) {
    const graph::BoundArguments bound(node, [&](ValueId id) { return read(id); });
    return dispatch::call_values(*node.op, bound.args(), node.where);
  }

  std::vector<Tensor> record_control(const Node& node) {
    Node now = node;
    replace_operands(now, [&](ValueId id) { return recorder_.id(read(id)); });
    return recorder_.add_node(*now.op, std::move(now.args), types_of(node), node.where);
  }

  std::vector<graph::Type> types_of(const Node& node) const {
    std::vector<graph::Type> types;
    for (const ValueId id : node.results) types.push_back(old_[id].type);
    return types;
  }

  // One draw for the whole batch: elements are numbered through.
  std::vector<Tensor> draw(const Node& node) {
    Node now = node;
    const auto& parameters = node.op->schema().parameters;
    for (size_t i = 0; i < now.args.size(); ++i) {
      auto* shape = std::get_if<Shape>(&now.args[i]);
      if (shape != nullptr && parameters[i].name == "shape") {
        shape->insert(shape->begin(), options_.count);
      }
    }
    return call(now);
  }

  std::vector<Tensor> call(const Node& node, const BatchedForm& form, const ValueIds& operands,
                           const std::vector<bool>& is_mapped) {
    std::vector<Tensor> given;
    for (size_t i = 0; i < operands.size(); ++i) {
      given.push_back(formed(read(operands[i]), form.operands[i], is_mapped[i]));
    }
    Node now = node;
    now.args = form.args;
    size_t next = 0;
    replace_operands(now, [&](ValueId) { return recorder_.id(given[next++]); });
    const graph::BoundArguments bound(now, [&](ValueId id) { return recorder_.fake(id); });
    return dispatch::call_values(*now.op, bound.args(), node.where);
  }

  Tensor formed(Tensor value, const BatchedOperand& operand, bool is_mapped) {
    if (operand.dtype) value = cast(value, *operand.dtype);
    if (!is_mapped) return operand.is_repeated ? repeated(value, options_.count) : value;
    if (operand.ones == 0) return value;
    Shape shape = value.shape();
    for (size_t i = 0; i < operand.ones; ++i) shape.insert(shape.begin() + 1, 1);
    return reshape(value, shape);
  }

  void set_results(const Node& node, const std::vector<Tensor>& results) {
    for (size_t i = 0; i < results.size(); ++i) values_[index(node.results[i])] = results[i];
  }

  void step_control(const Node& node, const ValueIds& operands,
                    const std::vector<bool>& is_mapped) {
    const MappedResults done =
        batched_control(recorder_, old_, node, is_mapped, tensors(operands), options_);
    set_results(node, done.tensors);
    for (size_t i = 0; i < node.results.size(); ++i) {
      // What was taken for mapped stays so: values further on count on it.
      if (!done.is_mapped[i]) {
        values_[index(node.results[i])] = repeated(done.tensors[i], options_.count);
      }
    }
  }

  const Graph& old_;
  const BatchOptions& options_;
  BatchedGraph batched_;
  Recorder recorder_;
  const std::vector<bool> is_mapped_;  // by value
  std::vector<Tensor> values_;         // by value, fake tensors of the new graph
};

}  // namespace

BatchedGraph batch(Graph graph, const std::vector<bool>& is_mapped, const BatchOptions& options,
                   const std::vector<bool>& forced) {
  graph::install_recorder();
  graph = taken_apart(std::move(graph), is_mapped, options.randomness);
  return Batching(graph, is_mapped, options).run(forced);
}

Tensor repeated(const Tensor& value, const Size& count) {
  Shape shape = value.shape();
  shape.insert(shape.begin(), count);
  // A plain number gets a dtype for good, as it would from the ops that read it.
  return expand(value.is_weak() ? cast(value, value.dtype()) : value, shape);
}

}  // namespace ridge::aot
