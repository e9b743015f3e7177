#include <algorithm>

#include "ridge/schedule/rank_keys.h"

namespace ridge::schedule {

std::optional<ScanForm> scan_form(const ops::Definition& d) {
  if (d.reducer != ops::Reducer::sum || d.is_scatter()) return std::nullopt;
  if (d.extents.size() != d.output_rank + 1) return std::nullopt;
  const Expr& select = d.value;
  if (!is_call(select, expr::Function::select) || !expr::is_constant(select->args[2], 0)) {
    return std::nullopt;
  }
  const Expr& order = select->args[0];
  if (!is_call(order, expr::Function::less_equal) || order->args[0]->kind != expr::Kind::axis ||
      order->args[1]->kind != expr::Kind::axis) {
    return std::nullopt;
  }
  const auto low = static_cast<size_t>(order->args[0]->index);
  const auto high = static_cast<size_t>(order->args[1]->index);
  const size_t reduced = d.output_rank, along = low == reduced ? high : low;
  if (low == high || (low != reduced && high != reduced)) return std::nullopt;
  const bool sees_itself = ((axes_in(select->args[1]) >> along) & 1) != 0;
  if (sees_itself || !is_same({d.extents[along]}, {d.extents[reduced]})) return std::nullopt;
  return ScanForm{select->args[1], along, reduced, low == along};
}

std::optional<GroupScan> find_scan(const LoopInput& input) {
  std::optional<GroupScan> found;
  for (const Member& member : input.group.members) {
    const NodeDefinition& node_definition = input.program.node_definition(member.node);
    if (node_definition.is_map() && member.is_per_row) continue;
    const std::optional<ScanForm> form = scan_form(node_definition.definition);
    if (!form || found) return std::nullopt;
    found = GroupScan{&member, *form};
  }
  return found;
}

std::optional<RowsAlong> rows_along(const GroupEmitter& group, const Member& member, size_t axis) {
  const Expr& in_group = member.axes[axis];
  if (in_group->kind != expr::Kind::axis) return std::nullopt;
  const Expr& in_kernel = group.emitter.group_axes()[static_cast<size_t>(in_group->index)];
  if (in_kernel->kind != expr::Kind::axis) return std::nullopt;
  RowsAlong result{in_kernel->index, group.emitter.extent(in_kernel->index), {}};
  for (const int outer : group.axes.outer) {
    if (outer != result.along) result.rows.push_back(outer);
  }
  return result;
}

bool are_strided_rows(const GroupEmitter& group, const RowsAlong& rows) {
  if (rows.rows.empty()) return false;
  const int along = group.axes.inner.empty() ? rows.along : group.axes.inner[0];
  const std::vector<Expr> steps = steps_along(group.emitter, group.patterns, along);
  return std::ranges::none_of(
      steps, [](const Expr& step) { return step.get() != nullptr && is_constant(step, 1); });
}

}  // namespace ridge::schedule
