#include "ridge/aot/joint.h"

#include <algorithm>
#include <utility>

#include "ridge/aot/differentiate.h"
#include "ridge/aot/partition.h"

namespace ridge::aot {

using graph::Graph;
using graph::Node;
using graph::Type;
using graph::ValueId;
using graph::ValueIds;

namespace {

// Copies the nodes of a graph from `first` on into a graph of their own. Values from before become
// its inputs when they are first read.
class Tail {
 public:
  Tail(const Graph& joint, size_t first) : joint_(joint), first_(first), ids_(joint.values.size()) {
    tail_.name = joint.name + ".backward";
  }

  void add_input(ValueId id) {
    ids_[static_cast<size_t>(id.index)] = tail_.add_input(joint_[id].type, joint_[id].name);
  }

  Graph take(const ValueIds& outputs) {
    for (size_t i = first_; i < joint_.nodes.size(); ++i) copy(joint_.nodes[i]);
    for (const ValueId id : outputs) tail_.outputs.push_back(copied(id));
    return std::move(tail_);
  }
  const ValueIds& saved() const { return saved_; }

 private:
  ValueId copied(ValueId id) {
    std::optional<ValueId>& known = ids_[static_cast<size_t>(id.index)];
    if (known) return *known;
    if (joint_[id].constant.defined()) {
      known = tail_.add_constant(joint_[id].constant);
    } else {
      saved_.push_back(id);
      known = tail_.add_input(joint_[id].type, joint_[id].name);
    }
    return *known;
  }

  void copy(const Node& node) {
    Node moved = node;
    replace_operands(moved, [this](ValueId id) { return copied(id); });
    std::vector<Type> types;
    for (const ValueId id : node.results) types.push_back(joint_[id].type);
    const int32_t position =
        tail_.add_node(*moved.op, std::move(moved.args), std::move(types), node.where, node.scope);
    Node& added = tail_.nodes[static_cast<size_t>(position)];
    copy_marks(added, node);
    const ValueIds& results = added.results;
    for (size_t i = 0; i < results.size(); ++i) {
      ids_[static_cast<size_t>(node.results[i].index)] = results[i];
    }
  }

  const Graph& joint_;
  size_t first_;
  std::vector<std::optional<ValueId>> ids_;  // of the joint graph's values in the tail
  ValueIds saved_;
  Graph tail_;
};

}  // namespace

Joint join_gradients(Graph graph, const std::vector<size_t>& outputs,
                     const std::vector<size_t>& wrt) {
  Joint joint{.graph = std::move(graph)};
  Graph& g = joint.graph;
  joint.input_count = g.inputs.size();
  joint.output_count = g.outputs.size();
  ValueIds output_ids, output_gradients, wrt_ids;
  for (const size_t output : outputs) {
    output_ids.push_back(g.outputs[output]);
    output_gradients.push_back(g.add_input(g[output_ids.back()].type, "gradient"));
  }
  for (const size_t input : wrt) wrt_ids.push_back(g.inputs[input]);
  const ValueIds gradients = differentiate(g, output_ids, wrt_ids, output_gradients);
  g.outputs.insert(g.outputs.end(), gradients.begin(), gradients.end());
  return joint;
}

namespace {

// Copies nodes of a joint graph into its forward or its backward graph.
class SideCopier {
 public:
  SideCopier(const Graph& joint, std::string name)
      : joint_(joint), ids_(joint.values.size(), ValueId{}) {
    graph_.name = std::move(name);
  }

  ValueId add_input(ValueId id) {
    const ValueId now = graph_.add_input(joint_[id].type, joint_[id].name);
    return ids_[static_cast<size_t>(id.index)] = now;
  }
  bool has(ValueId id) const { return ids_[static_cast<size_t>(id.index)].index >= 0; }
  ValueId operator[](ValueId id) {
    ValueId& known = ids_[static_cast<size_t>(id.index)];
    if (known.index < 0 && joint_[id].constant.defined()) {
      known = graph_.add_constant(joint_[id].constant);
    }
    RIDGE_INTERNAL_CHECK(known.index >= 0, "a graph that reads what it does not have");
    return known;
  }

  void copy(const Node& node) {
    Node moved = node;
    replace_operands(moved, [this](ValueId id) { return (*this)[id]; });
    std::vector<Type> types;
    for (const ValueId id : node.results) types.push_back(joint_[id].type);
    const int32_t position =
        graph_.add_node(*moved.op, std::move(moved.args), std::move(types), node.where, node.scope);
    Node& added = graph_.nodes[static_cast<size_t>(position)];
    copy_marks(added, node);
    for (size_t i = 0; i < added.results.size(); ++i) {
      ids_[static_cast<size_t>(node.results[i].index)] = added.results[i];
    }
  }
  Graph& graph() { return graph_; }

 private:
  const Graph& joint_;
  std::vector<ValueId> ids_;  // of the joint graph's values in the new graph
  Graph graph_;
};

// Values of the forward graph that the backward graph reads, or hands out.
ValueIds values_in_between(const Joint& joint, const std::vector<bool>& is_backward) {
  const Graph& g = joint.graph;
  std::vector<bool> is_found(g.values.size());
  ValueIds found;
  const auto read = [&](ValueId id) {
    const int32_t maker = g[id].node;
    const bool is_forward = maker < 0 || !is_backward[static_cast<size_t>(maker)];
    if (!is_forward || g[id].constant.defined() || is_found[static_cast<size_t>(id.index)]) return;
    is_found[static_cast<size_t>(id.index)] = true;
    found.push_back(id);
  };
  for (size_t i = 0; i < g.nodes.size(); ++i) {
    if (!is_backward[i]) continue;
    for (const ValueId id : graph::operands(g.nodes[i])) read(id);
  }
  for (size_t i = joint.output_count; i < g.outputs.size(); ++i) read(g.outputs[i]);
  return found;
}

}  // namespace

SplitGraphs split(const Joint& joint) {
  const Graph& g = joint.graph;
  const std::vector<bool> is_backward = backward_nodes(g);
  SideCopier forward(g, g.name + ".forward"), backward(g, g.name + ".backward");
  for (size_t i = 0; i < g.inputs.size(); ++i) {
    (i < joint.input_count ? forward : backward).add_input(g.inputs[i]);
  }
  for (size_t i = 0; i < g.nodes.size(); ++i) {
    if (!is_backward[i]) forward.copy(g.nodes[i]);
  }
  for (size_t i = 0; i < joint.output_count; ++i) {
    forward.graph().outputs.push_back(forward[g.outputs[i]]);
  }
  for (const graph::Update& u : g.updates) {
    forward.graph().updates.push_back({forward[u.input], forward[u.value]});
  }
  SplitGraphs graphs;
  ValueIds saved;
  for (const ValueId id : values_in_between(joint, is_backward)) {
    const auto input = std::ranges::find(g.inputs, id) - g.inputs.begin();
    const bool is_input = std::cmp_less(input, joint.input_count);
    const bool is_updated =
        std::ranges::any_of(g.updates, [&](const graph::Update& u) { return u.input == id; });
    if (backward.has(id)) continue;  // the gradient of an output
    if (is_input && !is_updated) {
      graphs.read_again.push_back(static_cast<size_t>(input));
      backward.add_input(id);
    } else {
      saved.push_back(id);
    }
  }
  graphs.output_count = joint.output_count;
  for (const ValueId id : saved) {
    graph::ValueIds& outputs = forward.graph().outputs;
    const auto known = std::ranges::find(outputs, forward[id]);
    graphs.saved.push_back(static_cast<size_t>(known - outputs.begin()));
    if (known == outputs.end()) outputs.push_back(forward[id]);
    backward.add_input(id);
  }
  for (size_t i = 0; i < g.nodes.size(); ++i) {
    if (is_backward[i]) backward.copy(g.nodes[i]);
  }
  for (size_t i = joint.output_count; i < g.outputs.size(); ++i) {
    backward.graph().outputs.push_back(backward[g.outputs[i]]);
  }
  graphs.forward = std::move(forward.graph());
  graphs.backward = std::move(backward.graph());
  return graphs;
}

ForwardBackward differentiate_split(Graph graph, const std::vector<size_t>& outputs,
                                    const std::vector<size_t>& wrt) {
  Graph joint = graph;
  ValueIds output_ids;
  ValueIds output_gradients;
  for (const size_t output : outputs) {
    output_ids.push_back(graph.outputs[output]);
    output_gradients.push_back(joint.add_input(graph[output_ids.back()].type, "gradient"));
  }
  ValueIds wrt_ids;
  for (const size_t input : wrt) wrt_ids.push_back(graph.inputs[input]);
  const ValueIds gradients = differentiate(joint, output_ids, wrt_ids, output_gradients);

  Tail tail(joint, graph.nodes.size());
  for (const ValueId id : output_gradients) tail.add_input(id);
  ForwardBackward graphs{.forward = std::move(graph), .backward = tail.take(gradients)};
  graphs.saved_count = tail.saved().size();
  // The joint graph only grew, so the forward graph knows the saved values by the same numbers.
  for (const ValueId id : tail.saved()) graphs.forward.outputs.push_back(id);
  return graphs;
}

}  // namespace ridge::aot
