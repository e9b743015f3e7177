#include "ridge/aot/joint.h"

#include "ridge/aot/differentiate.h"

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
    tail_.nodes[static_cast<size_t>(position)].phase = node.phase;
    const ValueIds& results = tail_.nodes[static_cast<size_t>(position)].results;
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

Halves differentiate_in_halves(Graph graph, const std::vector<size_t>& outputs,
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
  Halves halves{.forward = std::move(graph), .backward = tail.take(gradients)};
  halves.saved_count = tail.saved().size();
  // The joint graph only grew, so the forward half knows the saved values by the same numbers.
  for (const ValueId id : tail.saved()) halves.forward.outputs.push_back(id);
  return halves;
}

}  // namespace ridge::aot
