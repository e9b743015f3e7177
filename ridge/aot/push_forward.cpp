#include "ridge/aot/push_forward.h"

#include <algorithm>
#include <map>

#include "ridge/aot/differentiate.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/graph/control.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/graph/recorder.h"
#include "ridge/graph/replay.h"
#include "ridge/graph/rewriter.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/record.h"

namespace ridge::aot {

using graph::Graph;
using graph::Node;
using graph::Recorder;
using graph::Type;
using graph::ValueId;
using graph::ValueIds;

namespace {

using Tensors = std::vector<Tensor>;

size_t position(ValueId id) { return static_cast<size_t>(id.index); }

// A node alone, with the derivative of its results in the direction of its operands.
class NodeDerivative {
 public:
  // `has_tangent`: of the operands, by value of the graph.
  NodeDerivative(const Graph& graph, const Node& node,
                 const std::function<bool(ValueId)>& has_tangent)
      : node_(node), result_count_(node.results.size()) {
    std::map<ValueId, ValueId> known;
    Node own = node;
    replace_operands(own, [&](ValueId id) {
      const auto [entry, is_new] = known.try_emplace(id);
      if (is_new) entry->second = add_operand(graph, id, has_tangent(id));
      return entry->second;
    });
    std::vector<Type> types;
    for (const ValueId id : node.results) types.push_back(graph[id].type);
    const int32_t added =
        local_.add_node(*node.op, std::move(own.args), std::move(types), node.where, node.scope);
    local_.outputs = local_.nodes[static_cast<size_t>(added)].results;
    derive();
  }

  // Takes the operands, then the tangents of those that have one; returns the results, then the
  // tangents of `results()`.
  const Graph& graph() const { return local_; }
  const ValueIds& operands() const { return operands_; }           // values of the whole graph
  const std::vector<size_t>& directions() const { return wrt_; }   // among `operands`
  const std::vector<size_t>& results() const { return derived_; }  // that have a derivative

 private:
  ValueId add_operand(const Graph& graph, ValueId id, bool has_tangent) {
    // A plain number stays one, for promotion; a larger constant would be copied for each node.
    const Tensor& constant = graph[id].constant;
    if (constant.defined() && constant.is_weak()) return local_.add_constant(constant);
    if (has_tangent) wrt_.push_back(operands_.size());
    operands_.push_back(id);
    return local_.add_input(graph[id].type);
  }

  // The gradients of the operands as a map of those of the results, whose own gradient is taken.
  void derive() {
    local_ = prepare(std::move(local_), wrt_);
    const ValueIds wrt = inputs_at(wrt_);
    const std::vector<bool> is_active = active_values(local_, wrt);
    ValueIds results;
    ValueIds seeds;
    std::vector<size_t> seed_inputs;
    for (size_t i = 0; i < result_count_; ++i) {
      if (!is_active[position(local_.outputs[i])]) continue;
      derived_.push_back(i);
      results.push_back(local_.outputs[i]);
      seed_inputs.push_back(local_.inputs.size());
      seeds.push_back(local_.add_input(strong(local_[results.back()].type)));
    }
    const ValueIds gradients = differentiate(local_, results, wrt, seeds);
    local_.outputs.insert(local_.outputs.end(), gradients.begin(), gradients.end());
    local_ = prepare(std::move(local_), seed_inputs);

    const ValueIds maps(local_.outputs.begin() + static_cast<int64_t>(result_count_),
                        local_.outputs.end());
    ValueIds tangents;
    for (const ValueId id : maps) tangents.push_back(local_.add_input(strong(local_[id].type)));
    const ValueIds derivatives = differentiate(local_, maps, inputs_at(seed_inputs), tangents);
    local_.outputs.resize(result_count_);
    local_.outputs.insert(local_.outputs.end(), derivatives.begin(), derivatives.end());
    local_ = graph::eliminate_dead_code(std::move(local_), {});
    drop_inputs(seed_inputs);
  }

  static Type strong(Type type) {
    type.is_weak = false;
    return type;
  }

  ValueIds inputs_at(const std::vector<size_t>& positions) const {
    ValueIds ids;
    for (const size_t at : positions) ids.push_back(local_.inputs[at]);
    return ids;
  }

  // A linear map has one derivative everywhere, so nothing reads where it was taken.
  void drop_inputs(const std::vector<size_t>& seeds) {
    if (seeds.empty()) return;
    const ValueIds ids = inputs_at(seeds);
    for (const Node& node : local_.nodes) {
      const bool reads_seed = std::ranges::any_of(graph::operands(node), [&](ValueId id) {
        return std::ranges::find(ids, id) != ids.end();
      });
      RIDGE_CHECK(!reads_seed, .code = ErrorCode::gradient, .op = node_.op->name(),
                  .expected = "a gradient that is a linear map of the results' gradients",
                  .given = "one that is not, so that it gives no forward derivative",
                  .hint = "such a function has no jvp; use grad or vjp", .where = node_.where);
    }
    const auto first = local_.inputs.begin() + static_cast<int64_t>(seeds.front());
    local_.inputs.erase(first, first + static_cast<int64_t>(seeds.size()));
  }

  const Node& node_;
  const size_t result_count_;
  Graph local_;
  ValueIds operands_;
  std::vector<size_t> wrt_;
  std::vector<size_t> derived_;
};

class PushForward {
 public:
  explicit PushForward(const Graph& old)
      : old_(old), rewriter_(old), recorder_(rewriter_.graph()), tangents_(old.values.size()) {}

  Graph run(const std::vector<size_t>& wrt, const std::vector<size_t>& outputs) {
    // The casts of autocast are in the graph already; tangents follow them.
    const dispatch::ExcludeKeys as_recorded(dispatch::Key::autocast);
    for (const size_t input : wrt) {
      Type type = old_[old_.inputs[input]].type;
      type.is_weak = false;
      tangents_[position(old_.inputs[input])] = recorder_.input(type, "tangent");
    }
    for (const Node& node : old_.nodes) step(node);
    ValueIds tangents;
    for (const size_t output : outputs) tangents.push_back(tangent_of_output(old_.outputs[output]));
    Graph done = rewriter_.finish();
    done.outputs.insert(done.outputs.end(), tangents.begin(), tangents.end());
    return done;
  }

 private:
  bool has_tangent(ValueId id) const { return tangents_[position(id)].defined(); }

  void step(const Node& node) {
    const ValueIds read = graph::operands(node);
    const bool moves = std::ranges::any_of(read, [&](ValueId id) { return has_tangent(id); });
    const ops::OpRecord* record = node.op->record();
    if (!moves || (record != nullptr && !record->differentiable)) {
      rewriter_.copy(node);
      return;
    }
    recorder_.set_origin(node.where, node.scope);
    recorder_.set_region(node.region);
    const Recorder::Scope recording(recorder_);
    graph::is_control(node) ? step_control(node, read) : step_call(node);
  }

  void step_call(const Node& node) {
    const NodeDerivative derivative(old_, node, [&](ValueId id) { return has_tangent(id); });
    Tensors inputs;
    for (const ValueId id : derivative.operands()) {
      inputs.push_back(recorder_.fake(rewriter_[id]));
    }
    for (const size_t operand : derivative.directions()) {
      inputs.push_back(tangents_[position(derivative.operands()[operand])]);
    }
    const Tensors results = graph::replay(derivative.graph(), inputs);
    map_results(node, results);
    for (size_t i = 0; i < derivative.results().size(); ++i) {
      tangents_[position(node.results[derivative.results()[i]])] = results[node.results.size() + i];
    }
  }

  void step_control(const Node& node, const ValueIds& read) {
    Tensors tangents;
    for (const ValueId id : read) tangents.push_back(tangents_[position(id)]);
    const Tensors results = control_tangents(recorder_, rewriter_.translated(node), tangents);
    map_results(node, results);
    for (size_t i = 0; i < node.results.size(); ++i) {
      tangents_[position(node.results[i])] = results[node.results.size() + i];
    }
  }

  void map_results(const Node& node, const Tensors& results) {
    for (size_t i = 0; i < node.results.size(); ++i) {
      rewriter_.map(node.results[i], recorder_.id(results[i], node.where));
    }
  }

  ValueId tangent_of_output(ValueId id) {
    Tensor& tangent = tangents_[position(id)];
    if (!tangent.defined()) {
      const Recorder::Scope recording(recorder_);
      const Type& type = old_[id].type;
      tangent = zeros(type.shape, type.dtype, type.device);
    }
    return recorder_.id(tangent);
  }

  const Graph& old_;
  graph::Rewriter rewriter_;
  Recorder recorder_;
  Tensors tangents_;  // by value of the old graph, undefined for zeros
};

}  // namespace

Graph push_forward(Graph graph, const std::vector<size_t>& wrt,
                   const std::vector<size_t>& outputs) {
  graph = graph::functionalize(std::move(graph), {});
  return PushForward(graph).run(wrt, outputs);
}

}  // namespace ridge::aot
