#include "ridge/schedule/group_blocks.h"

#include <algorithm>

#include "ridge/schedule/contraction.h"
#include "ridge/schedule/loops.h"

namespace ridge::schedule {

namespace {

loop::Combine combine_in(const NodeDefinition& node_definition) {
  const ops::Reducer reducer = node_definition.definition.reducer;
  // A position is found with the extremum it is of; a scatter may just store.
  if (gives_position(reducer)) return loop::Combine::max;
  return reducer == ops::Reducer::none ? loop::Combine::sum : combine_of(reducer);
}

// Loads by value, so that equal arguments of two nodes are seen to be equal.
Expr with_values(const NodeDefinition& node_definition) {
  return expr::transform(node_definition.definition.value, [&](const Expr& node) -> Expr {
    if (node->kind != expr::Kind::load) return node;
    const ValueId value = node_definition.operands[static_cast<size_t>(node->index)];
    return expr::load(value.index, node->type, {node->args.begin(), node->args.end()});
  });
}

}  // namespace

double number_of(const Size& size) { return static_cast<double>(size.hint_or(1)); }

GroupBlocks::GroupBlocks(const InlinedGraph& program, const Group& group, const Readers& readers)
    : program_(program), readers_(readers) {
  for (const Member& member : group.members) inside_.insert(member.node);
}

void GroupBlocks::start_block() {
  filler_.start_block();
  computed_.clear();
}

void GroupBlocks::add_member(cost::BasicBlock& block, const Member& member) {
  add_functions(block, member.node);
  const NodeDefinition& node_definition = program_.node_definition(member.node);
  if (!node_definition.is_map())
    filler_.add_reduction(block, combine_in(node_definition), node_definition.dtype);
  for (const Read& read : program_.reads(member.node)) add_read(block, read, member);
  if (node_definition.is_map()) add_store(block, member);
}

// A value that two members read is computed once.
void GroupBlocks::add_functions(cost::BasicBlock& block, int32_t node) {
  if (!computed_.insert(node).second) return;
  const NodeDefinition& node_definition = program_.node_definition(node);
  const DType arithmetic = node_definition.dtype == f64 ? f64 : f32;
  filler_.add_value(block, with_values(node_definition), node_definition.dtype, arithmetic,
                    [](const Expr&) {});
  for (const ValueId operand : node_definition.operands) {
    const int32_t producer = operand.index < 0 ? -1 : program_.graph()[operand].node;
    if (producer >= 0 && program_.is_inlined(producer)) add_functions(block, producer);
  }
}

void GroupBlocks::add_read(cost::BasicBlock& block, const Read& read, const Member& member) {
  const int32_t producer = program_.graph()[read.value].node;
  if (producer >= 0 && inside_.contains(producer)) return;
  std::vector<Expr> position;
  for (const Expr& index : read.position) position.push_back(substitute_axes(index, member.axes));
  add_access(block, read.value, position, false, read.is_indirect);
}

void GroupBlocks::add_store(cost::BasicBlock& block, const Member& member) {
  const ValueId value = program_.result(member.node);
  if (!is_needed_outside(value)) return;
  add_access(block, value, program_.node_definition(member.node).position(member.axes), true,
             false);
}

void GroupBlocks::add_collective(cost::BasicBlock& block, const Member& member, double threads) {
  const NodeDefinition& node_definition = program_.node_definition(member.node);
  filler_.add_collective(block, combine_in(node_definition), node_definition.dtype, threads);
}

bool GroupBlocks::is_needed_outside(ValueId value) const {
  if (program_.is_live_out(value)) return true;
  const auto& readers = readers_[static_cast<size_t>(value.index)];
  return std::ranges::any_of(readers, [&](int32_t reader) { return !inside_.contains(reader); });
}

void GroupBlocks::add_access(cost::BasicBlock& block, ValueId value,
                             const std::vector<Expr>& position, bool is_store, bool is_indirect) {
  const auto& type = program_.graph()[value].type;
  Expr index = expr::constant(int64_t{0});
  for (size_t i = 0; i < position.size(); ++i) {
    index = index * type.shape[i].expression() + position[i];
  }
  filler_.add_access(block,
                     {.buffer = value.index,
                      .is_store = is_store,
                      .elements = number_of(numel(type.shape)),
                      .steps = {},
                      .dtype = type.dtype},
                     index, is_indirect ? cost::AxisSet(axes_in(index)) : cost::AxisSet());
}

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
