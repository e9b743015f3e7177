#include "ridge/schedule/group_blocks.h"

#include <algorithm>

#include "ridge/schedule/loops.h"

namespace ridge::schedule {
namespace {

loop::Combine combine_in(const Meaning& meaning) {
  const ops::Reducer reducer = meaning.definition.reducer;
  // A position is found with the extremum it is of; a scatter may just store.
  if (gives_position(reducer)) return loop::Combine::max;
  return reducer == ops::Reducer::none ? loop::Combine::sum : combine_of(reducer);
}

// Loads by value, so that equal arguments of two nodes are seen to be equal.
Expr with_values(const Meaning& meaning) {
  return expr::transform(meaning.definition.value, [&](const Expr& node) -> Expr {
    if (node->kind != expr::Kind::load) return node;
    const ValueId value = meaning.operands[static_cast<size_t>(node->index)];
    return expr::load(value.index, node->type, {node->args.begin(), node->args.end()});
  });
}

}  // namespace

double number_of(const Size& size) { return static_cast<double>(size.hint_or(1)); }

GroupBlocks::GroupBlocks(const Program& program, const Group& group, const Readers& readers)
    : program_(program), readers_(readers) {
  for (const Member& member : group.members) inside_.insert(member.node);
}

void GroupBlocks::start_block() {
  filler_.start_block();
  computed_.clear();
}

void GroupBlocks::add_member(cost::Block& block, const Member& member) {
  add_functions(block, member.node);
  const Meaning& meaning = program_.meaning(member.node);
  if (!meaning.is_map()) filler_.add_reduction(block, combine_in(meaning), meaning.dtype);
  for (const Read& read : program_.reads(member.node)) add_read(block, read, member);
  if (meaning.is_map()) add_store(block, member);
}

// A value that two members read is computed once.
void GroupBlocks::add_functions(cost::Block& block, int32_t node) {
  if (!computed_.insert(node).second) return;
  const Meaning& meaning = program_.meaning(node);
  const DType arithmetic = meaning.dtype == f64 ? f64 : f32;
  filler_.add_value(block, with_values(meaning), meaning.dtype, arithmetic, [](const Expr&) {});
  for (const ValueId operand : meaning.operands) {
    const int32_t producer = operand.index < 0 ? -1 : program_.graph()[operand].node;
    if (producer >= 0 && program_.is_inlined(producer)) add_functions(block, producer);
  }
}

void GroupBlocks::add_read(cost::Block& block, const Read& read, const Member& member) {
  const int32_t producer = program_.graph()[read.value].node;
  if (producer >= 0 && inside_.contains(producer)) return;
  std::vector<Expr> position;
  for (const Expr& index : read.position) position.push_back(substitute_axes(index, member.axes));
  add_access(block, read.value, position, false, read.is_indirect);
}

void GroupBlocks::add_store(cost::Block& block, const Member& member) {
  const ValueId value = program_.result(member.node);
  if (!is_needed_outside(value)) return;
  add_access(block, value, program_.meaning(member.node).position(member.axes), true, false);
}

void GroupBlocks::add_across(cost::Block& block, const Member& member, double threads) {
  const Meaning& meaning = program_.meaning(member.node);
  filler_.add_thread_reduction(block, combine_in(meaning), meaning.dtype, threads);
}

bool GroupBlocks::is_needed_outside(ValueId value) const {
  if (program_.is_kept(value)) return true;
  const auto& readers = readers_[static_cast<size_t>(value.index)];
  return std::ranges::any_of(readers, [&](int32_t reader) { return !inside_.contains(reader); });
}

void GroupBlocks::add_access(cost::Block& block, ValueId value, const std::vector<Expr>& position,
                             bool is_store, bool is_indirect) {
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

}  // namespace ridge::schedule
