#include "ridge/graph/replay.h"

#include <unordered_set>

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/dispatch/operator_table.h"
#include "ridge/graph/control.h"
#include "ridge/graph/recorder.h"
#include "ridge/graph/symbols.h"
#include "ridge/ops/dispatch_layers.h"
#include "ridge/ops/view.h"

namespace ridge::graph {

namespace {

// The recorder that calls of this thread go to, if any.
Recorder* recording() { return dispatch::is_captured() ? Recorder::active() : nullptr; }

// Nodes recorded meanwhile keep the line, layer, phase and checkpoint of the node that is replayed; inside
// of a gradient, or of a checkpoint, all are part of it.
class OriginOf {
 public:
  OriginOf(Recorder* recorder, const Node& node) : recorder_(recorder) {
    if (recorder_ == nullptr) return;
    where_ = recorder_->where();
    scope_ = recorder_->scope();
    phase_ = recorder_->phase();
    region_ = recorder_->region();
    recorder_->set_origin(node.where, node.scope);
    if (phase_ == Phase::forward) recorder_->set_phase(node.phase);
    if (region_ == 0) recorder_->set_region(node.region);
  }
  ~OriginOf() {
    if (recorder_ == nullptr) return;
    recorder_->set_origin(where_, std::move(scope_));
    recorder_->set_phase(phase_);
    recorder_->set_region(region_);
  }
  OriginOf(const OriginOf&) = delete;
  OriginOf& operator=(const OriginOf&) = delete;

 private:
  Recorder* recorder_;
  std::optional<Location> where_;
  std::string scope_;
  Phase phase_ = Phase::forward;
  uint8_t region_ = 0;
};

class Replay {
 public:
  Replay(const Graph& graph, std::span<const Tensor> inputs)
      : graph_(graph), recorder_(recording()), tensors_(graph.values.size()) {
    RIDGE_CHECK(inputs.size() == graph.inputs.size(), .code = ErrorCode::value, .op = graph.name,
                .expected = concat(graph.inputs.size(), " inputs"), .given = concat(inputs.size()));
    sizes_ = bind_symbols(graph, inputs);
    for (size_t i = 0; i < inputs.size(); ++i) at(graph.inputs[i]) = inputs[i];
    find_last_uses();
  }

  std::vector<Tensor> run() {
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      call(graph_.nodes[i]);
      for (const ValueId id : last_used_by_[i]) at(id) = Tensor();
    }
    std::vector<Tensor> outputs;
    for (const ValueId id : graph_.outputs) outputs.push_back(output(id));
    update(outputs);
    return outputs;
  }

 private:
  Tensor& at(ValueId id) { return tensors_[static_cast<size_t>(id.index)]; }

  Tensor read(ValueId id) {
    Tensor& tensor = at(id);
    const Tensor& constant = graph_[id].constant;
    if (!tensor.defined() && constant.defined()) {
      tensor = recorder_ != nullptr ? recorder_->constant(constant) : constant;
    }
    return tensor;
  }

  // A constant belongs to the graph, so the caller gets a copy of it.
  Tensor output(ValueId id) {
    const bool is_shared = graph_[id].constant.defined() && recorder_ == nullptr;
    return is_shared ? clone(read(id)) : read(id);
  }

  Node substituted(Node node) const {
    for (Argument& arg : node.args) {
      arg = substitute(std::move(arg), sizes_);
    }
    return node;
  }

  void call(const Node& node) {
    const OriginOf origin(recorder_, node);
    std::optional<Node> with_sizes;
    if (!sizes_.empty()) with_sizes = substituted(node);
    if (is_control(node)) return run_bodies(with_sizes ? *with_sizes : node);
    const BoundArguments bound(with_sizes ? *with_sizes : node,
                               [this](ValueId id) { return read(id); });
    const dispatch::Tensors results = dispatch::call_values(*node.op, bound.args(), node.where);
    for (size_t i = 0; i < results.size(); ++i) at(node.results[i]) = results[i];
  }

  void run_bodies(const Node& node) {
    std::vector<Type> types;
    for (const ValueId id : node.results) {
      types.push_back(graph_[id].type);
      types.back().shape = substitute(types.back().shape, sizes_);
    }
    std::vector<Tensor> results;
    if (recorder_ != nullptr) {
      Node now = node;
      replace_operands(now, [this](ValueId id) { return recorder_->id(read(id)); });
      results = recorder_->add_node(*now.op, std::move(now.args), std::move(types), node.where);
    } else {
      std::vector<Tensor> tensors;
      for (const ValueId id : operands(node)) tensors.push_back(read(id));
      results = run_control(node, types, tensors, replay_body(node));
    }
    for (size_t i = 0; i < results.size(); ++i) at(node.results[i]) = results[i];
  }

  static RunBody replay_body(const Node& node) {
    return [bodies = control_parts(node).bodies](size_t body, std::span<const Tensor> inputs,
                                                 std::span<const Tensor> slots) {
      std::vector<Tensor> outputs = replay(*bodies[body], inputs);
      const auto& assign = dispatch::OperatorTable::instance().at("assign_");
      const size_t kept = outputs.size() - slots.size();
      for (size_t i = 0; i < slots.size(); ++i) {
        dispatch::call_one(assign, Location::current(), slots[i], outputs[kept + i]);
      }
      outputs.resize(kept);
      return outputs;
    };
  }

  // Memory of a value is given back as soon as no later node reads it.
  void find_last_uses() {
    std::vector<size_t> last_use(graph_.values.size(), graph_.nodes.size());
    last_used_by_.resize(graph_.nodes.size() + 1);
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      for (const ValueId id : operands(graph_.nodes[i])) {
        last_use[static_cast<size_t>(id.index)] = i;
      }
      for (const ValueId id : graph_.nodes[i].results) last_use[static_cast<size_t>(id.index)] = i;
    }
    const auto keep = [&](ValueId id) {
      last_use[static_cast<size_t>(id.index)] = graph_.nodes.size();
    };
    for (const ValueId id : graph_.inputs) keep(id);
    for (const ValueId id : graph_.outputs) keep(id);
    for (const Update& u : graph_.updates) keep(u.value);
    for (size_t i = 0; i < last_use.size(); ++i) {
      last_used_by_[last_use[i]].push_back({static_cast<int32_t>(i)});
    }
  }

  bool is_overwritten(const Tensor& tensor) {
    for (const Update& u : graph_.updates) {
      if (at(u.input).shares_storage_with(tensor)) return true;
    }
    return false;
  }

  void update(std::vector<Tensor>& outputs) {
    if (graph_.updates.empty()) return;
    for (Tensor& output : outputs) {
      if (is_overwritten(output)) output = clone(output);
    }
    std::vector<Tensor> values;
    for (const Update& u : graph_.updates) {
      const Tensor value = read(u.value);
      const bool stays = value.is_same(at(u.input));
      values.push_back(!stays && is_overwritten(value) ? clone(value) : value);
    }
    ops::install_derived_layers();
    const auto& assign = dispatch::OperatorTable::instance().at("assign_");
    const dispatch::ValuesOnly raw_writes;
    for (size_t i = 0; i < values.size(); ++i) {
      const Tensor& to = at(graph_.updates[i].input);
      if (values[i].is_same(to)) continue;
      dispatch::call_one(assign, Location::current(), to, values[i]);
      if (recorder_ == nullptr) to.storage().bump_version();
    }
  }

  const Graph& graph_;
  Recorder* recorder_;
  std::vector<Tensor> tensors_;
  std::vector<ValueIds> last_used_by_;  // by node: values that are done with after it
  SymbolSizes sizes_;
};

}  // namespace

std::vector<Tensor> replay(const Graph& graph, std::span<const Tensor> inputs) {
  return Replay(graph, inputs).run();
}

void separate(std::span<Tensor> outputs, std::span<const Tensor> inputs) {
  const dispatch::ValuesOnly values_only;
  std::unordered_set<const Storage*> taken;
  for (const Tensor& input : inputs) {
    if (input.defined()) taken.insert(&input.storage());
  }
  for (Tensor& output : outputs) {
    if (output.defined() && !taken.insert(&output.storage()).second) output = clone(output);
  }
}

}  // namespace ridge::graph
