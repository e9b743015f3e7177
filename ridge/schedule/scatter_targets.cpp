#include "ridge/schedule/scatter_targets.h"

#include <algorithm>

namespace ridge::schedule {
namespace {

// The axes that a part of a node's definition depends on, through what is inlined into it.
uint64_t axes_behind(const InlinedGraph& program, int32_t node, const Expr& e,
                     const std::vector<Expr>& axes) {
  if (e->kind == expr::Kind::axis) return axes_in(axes[static_cast<size_t>(e->index)]);
  uint64_t found = 0;
  for (const Expr& arg : e->args) found |= axes_behind(program, node, arg, axes);
  if (e->kind != expr::Kind::load) return found;
  const ValueId value = program.node_definition(node).operands[static_cast<size_t>(e->index)];
  const int32_t producer = program.graph()[value].node;
  if (producer < 0 || !program.is_inlined(producer)) return found;
  // Only what it makes of its position counts: a broadcast drops axes.
  std::vector<Expr> position;
  for (const Expr& index : e->args) {
    if (has_load(index)) return found;
    position.push_back(substitute_axes(index, axes));
  }
  return axes_behind(program, producer, program.node_definition(producer).definition.value,
                     position);
}

}  // namespace

ScatterTargets scatter_targets(const InlinedGraph& program, int32_t node) {
  const ops::Definition& d = program.node_definition(node).definition;
  const int rank = static_cast<int>(d.extents.size());
  ScatterTargets result;
  std::vector<bool> is_shared(d.extents.size());
  uint64_t led = 0;
  for (size_t i = 0; i < d.target.size(); ++i) {
    const Expr& index = d.target[i];
    // An index may be looked up along the same axis as well; that is no second target.
    const bool is_axis = index->kind == expr::Kind::axis;
    if (is_axis && !is_shared[static_cast<size_t>(index->index)]) {
      is_shared[static_cast<size_t>(index->index)] = true;
      result.columns.push_back(static_cast<int>(i));
      result.column_axes.push_back(index->index);
    } else {
      result.slots.push_back(static_cast<int>(i));
      led |= axes_behind(program, node, index, ops::all_axes(d.extents.size()));
    }
  }
  for (int axis = 0; axis < rank; ++axis) {
    if (!is_shared[static_cast<size_t>(axis)]) result.scanned.push_back(axis);
    if (is_shared[static_cast<size_t>(axis)] && ((led >> axis) & 1) != 0) result.is_uniform = false;
  }
  result.has_neighbors = !result.columns.empty() &&
                         result.columns.back() + 1 == static_cast<int>(d.target.size()) &&
                         result.column_axes.back() + 1 == rank;
  return result;
}

}  // namespace ridge::schedule
