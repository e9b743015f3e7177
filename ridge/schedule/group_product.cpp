#include "ridge/schedule/group_product.h"

#include "ridge/schedule/contraction.h"

namespace ridge::schedule {
namespace {

using cost::AxisSet;

void fill_operands(cost::Product& product, const InlinedGraph& program, const Member& first,
                   GroupBlocks& blocks) {
  for (const Read& read : program.reads(first.node)) {
    AxisSet axes;
    for (const Expr& index : read.position) {
      axes |= AxisSet(axes_in(substitute_axes(index, first.axes)));
    }
    blocks.add_read(axes.has(product.n_axis) ? product.rhs : product.lhs, read, first);
  }
  product.is_lhs_along_k = cost::is_along(product.lhs, product.k_axis);
  product.is_rhs_along_n = cost::is_along(product.rhs, product.n_axis);
}

}  // namespace

std::optional<GroupProductAxes> product_axes_of(const InlinedGraph& program, const Group& group) {
  if (group.kind != GroupKind::contraction || group.inner.size() != 1) return std::nullopt;
  const Member& first = group.members.front();
  const auto factors = factors_of(program.node_definition(first.node).definition.value);
  if (!factors) return std::nullopt;
  const AxisSet lhs(axes_in(substitute_axes(factors->lhs, first.axes)));
  const AxisSet rhs(axes_in(substitute_axes(factors->rhs, first.axes)));
  const auto count = static_cast<int>(group.outer.size());
  int m = -1, n = -1;
  for (int axis = 0; axis < count; ++axis) {
    if (lhs.has(axis) != rhs.has(axis)) n = axis;
  }
  for (int axis = 0; axis < count; ++axis) {
    if (lhs.has(axis) != rhs.has(axis) && lhs.has(axis) != lhs.has(n)) m = axis;
  }
  if (m < 0) return std::nullopt;
  return GroupProductAxes{m, n, count};
}

cost::Product group_product(const InlinedGraph& program, const Group& group,
                            const GroupProductAxes& axes, GroupBlocks& blocks) {
  const Member& first = group.members.front();
  const Shape extents = group.extents();
  const auto extent = [&](int axis) { return number_of(extents[static_cast<size_t>(axis)]); };
  cost::Product product{.m_axis = axes.m,
                        .n_axis = axes.n,
                        .k_axis = axes.k,
                        .m = extent(axes.m),
                        .n = extent(axes.n),
                        .k = extent(axes.k),
                        .lhs = {},
                        .rhs = {},
                        .epilogue = {},
                        .is_wide = cost::is_wide(program.node_definition(first.node).dtype)};
  blocks.around().push_back({axes.m, product.m, loop::Place::serial});
  blocks.around().push_back({axes.k, product.k, loop::Place::serial});
  blocks.around().push_back({axes.n, product.n, loop::Place::vector});
  fill_operands(product, program, first, blocks);
  blocks.start_block();
  blocks.add_store(product.epilogue, first);
  for (size_t i = 1; i < group.members.size(); ++i) {
    blocks.add_member(product.epilogue, group.members[i]);
  }
  return product;
}

}  // namespace ridge::schedule
