#include "ridge/schedule/recomputed_values.h"

#include <algorithm>

namespace ridge::schedule {
namespace {

bool is_recomputed(const graph::Node& node) { return node.phase == graph::Phase::recomputed; }
bool is_forward(const graph::Node& node) {
  return node.phase == graph::Phase::forward || node.phase == graph::Phase::saved;
}

}  // namespace

bool has_recomputed(const graph::Graph& graph) {
  return std::ranges::any_of(graph.nodes, is_recomputed);
}

bool keeps_recomputed(const Program& program, const Readers& readers, const Group& group) {
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
