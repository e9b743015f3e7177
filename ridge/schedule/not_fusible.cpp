#include "ridge/schedule/not_fusible.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "ridge/schedule/tuning.h"

namespace ridge::schedule {

using graph::Graph;
using graph::Node;
using graph::ValueId;

namespace {

bool is_array(const Graph& graph, ValueId id) { return numel(graph[id].type.shape).known() != 1; }

std::vector<bool> update_nodes(const Graph& graph) {
  std::vector<bool> is_update(graph.nodes.size()), is_read_elsewhere(graph.values.size());
  for (const ValueId output : graph.outputs) {
    is_read_elsewhere[static_cast<size_t>(output.index)] = true;
  }
  // Readers come after what they read.
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    const ValueId result = node.results[0];
    is_update[i] = node.phase == graph::Phase::optimizer &&
                   !is_read_elsewhere[static_cast<size_t>(result.index)] && is_array(graph, result);
    if (is_update[i]) continue;
    for (const ValueId operand : graph::operands(node)) {
      is_read_elsewhere[static_cast<size_t>(operand.index)] = true;
    }
  }
  return is_update;
}

// Sets of values, joined one by one.
class JoinedValues {
 public:
  explicit JoinedValues(size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  size_t set_of(ValueId id) {
    auto at = static_cast<size_t>(id.index);
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }
  void join(ValueId a, ValueId b) { parent_[set_of(a)] = set_of(b); }

 private:
  std::vector<size_t> parent_;
};

// A parameter and its state are updated by nodes that have arrays in common; different ones share
// numbers at most.
size_t parameter_count(const Graph& graph, const std::vector<bool>& is_update) {
  JoinedValues joined(graph.values.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!is_update[i]) continue;
    const Node& node = graph.nodes[i];
    for (const ValueId operand : graph::operands(node)) {
      if (is_array(graph, operand)) joined.join(operand, node.results[0]);
    }
  }
  std::set<size_t> parameters;
  for (const graph::Update& update : graph.updates) {
    const int32_t maker = graph[update.value].node;
    if (maker >= 0 && is_update[static_cast<size_t>(maker)]) {
      parameters.insert(joined.set_of(update.value));
    }
  }
  return parameters.size();
}

}  // namespace

std::vector<bool> parameter_updates(const Graph& graph, const cost::Sheet* sheet) {
  std::vector<bool> is_update = update_nodes(graph);
  const bool is_of_gpu = sheet != nullptr && sheet->kind == cost::SheetKind::gpu;
  const size_t fewest = is_of_gpu ? kMinGpuEntries : kMinCpuEntries;
  if (parameter_count(graph, is_update) < fewest) is_update.clear();
  return is_update;
}

namespace {

bool is_recomputed(const graph::Node& node) { return node.phase == graph::Phase::recomputed; }
bool is_forward(const graph::Node& node) {
  return node.phase == graph::Phase::forward || node.phase == graph::Phase::saved;
}

}  // namespace

bool has_recomputed(const graph::Graph& graph) {
  return std::ranges::any_of(graph.nodes, is_recomputed);
}

bool keeps_recomputed(const InlinedGraph& program, const Readers& readers, const Group& group) {
  if (readers.empty()) return false;
  const auto node_of = [&](const Member& member) -> const graph::Node& {
    return program.graph().nodes[static_cast<size_t>(member.node)];
  };
  if (std::ranges::none_of(group.members, is_forward, node_of)) return false;
  return std::ranges::any_of(group.members, [&](const Member& member) {
    const auto is_outside = [&](int32_t reader) {
      return std::ranges::find(group.members, reader, &Member::node) == group.members.end();
    };
    const ValueId result = program.result(member.node);
    return is_recomputed(node_of(member)) &&
           std::ranges::any_of(readers[static_cast<size_t>(result.index)], is_outside);
  });
}

}  // namespace ridge::schedule
