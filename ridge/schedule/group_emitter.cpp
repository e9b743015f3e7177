#include "ridge/schedule/group_emitter.h"

#include "ridge/expr/simplify.h"

namespace ridge::schedule {

GroupEmitter::GroupEmitter(const LoopInput& given)
    : input(given),
      emitter(given.program, given.group, given.locations),
      patterns(access_patterns(given.program, given.group, given.locations, given.is_stored)),
      axes(merge_axes(emitter, given.program, given.group, patterns)) {}

bool GroupEmitter::is_stored(const Member& member) const {
  const ValueId id = input.program.result(member.node);
  return input.is_stored[static_cast<size_t>(id.index)];
}

DType GroupEmitter::accumulator(const Member& member) const {
  const NodeDefinition& node_definition = input.program.node_definition(member.node);
  const expr::Type type = node_definition.definition.value->type;
  if (type == expr::Type::real) return emitter.arithmetic_of(member.node);
  const bool is_logic =
      reducer(member) == ops::Reducer::any || reducer(member) == ops::Reducer::all;
  return is_logic || type == expr::Type::boolean ? boolean : i64;
}

Size GroupEmitter::extent_of(const std::vector<int>& over) const {
  Size extent = 1;
  for (const int axis : over) extent = extent * emitter.extent(axis);
  return extent;
}

void GroupEmitter::flatten(const std::vector<int>& over, const Expr& flat) {
  std::vector<Expr> parts(static_cast<size_t>(emitter.axis_count()));
  for (int i = 0; i < emitter.axis_count(); ++i) parts[static_cast<size_t>(i)] = expr::axis(i);
  Expr rest = flat;
  for (size_t i = over.size(); i-- > 0;) {
    const Expr size = emitter.extent(over[i]).expression();
    parts[static_cast<size_t>(over[i])] = i == 0 ? rest : expr::mod(rest, size);
    if (i > 0) rest = expr::floor_div(rest, size);
  }
  std::vector<Expr> group_axes;
  for (const Expr& e : emitter.group_axes()) {
    group_axes.push_back(emitter.simplified(substitute_axes(e, parts)));
  }
  emitter.set_group_axes(std::move(group_axes));
}

int GroupEmitter::declare(const Member& member) {
  const DType dtype = accumulator(member);
  const auto& node = input.program.graph().nodes[static_cast<size_t>(member.node)];
  const int var = emitter.new_value(node.op->name(), dtype);
  emitter.add({loop::Var{var, identity_of(reducer(member), dtype)}});
  return var;
}

void GroupEmitter::reduce(const Member& member, int var) {
  const int operand = emitter.reduced_value(member);
  emitter.add({loop::Reduce{var, combine_of(reducer(member)), operand}});
}

void GroupEmitter::emit_position(const Member& member) {
  const bool is_max = reducer(member) == ops::Reducer::argmax;
  const DType arithmetic = emitter.arithmetic_of(member.node);
  const int best = declare(member);
  const int at = emitter.new_value("position", i64);
  emitter.add({loop::Var{at, expr::constant(int64_t{0})}});
  for (const int axis : axes.inner) emitter.open(axis, loop::Place::serial);
  const Expr v = emitter.read(emitter.reduced_value(member)), b = emitter.read(best);
  // What never beats the start equals it, and then position 0 is right. A NaN counts as the
  // extremum, the first one of several.
  Expr beats = is_max ? v > b : v < b;
  if (v->type == expr::Type::real) beats = beats || (is_nan(v) && !is_nan(b));
  if (v->type == expr::Type::boolean) beats = is_max ? (v && !b) : (!v && b);
  const Expr wins = emitter.read(emitter.let("beats", boolean, arithmetic, beats));
  const Expr position = emitter.member_axes(member).back();
  emitter.add({loop::Assign{at, arithmetic, select(wins, position, emitter.read(at))}});
  emitter.add({loop::Assign{best, arithmetic, select(wins, v, b)}});
  for (size_t i = 0; i < axes.inner.size(); ++i) emitter.close();
  emitter.set_result(member, at);
}

bool GroupEmitter::writes_over_what_it_reads() const {
  const auto buffer = [&](ValueId id) {
    return input.locations[static_cast<size_t>(id.index)].buffer;
  };
  for (const Member& writer : input.group.members) {
    const ValueId result = input.program.result(writer.node);
    if (!is_stored(writer)) continue;
    for (const Member& reader : input.group.members) {
      for (const Read& read : input.program.reads(reader.node)) {
        if (read.value != result && buffer(read.value) == buffer(result)) return true;
      }
    }
  }
  return false;
}

void GroupEmitter::store_members(bool rows_only) {
  std::vector<const Member*> stored;
  for (const Member& member : input.group.members) {
    const bool is_wanted = !rows_only || member.is_per_row || is_reduction(member);
    if (is_stored(member) && is_wanted) stored.push_back(&member);
  }
  // An updated input is read by other members too: all of them before it is written.
  if (writes_over_what_it_reads()) {
    for (const Member* member : stored) emitter.member_value(*member);
  }
  for (const Member* member : stored) emitter.store(*member, emitter.member_value(*member));
}

EmittedKernel GroupEmitter::finish() {
  const std::vector<int> buffers = emitter.buffers();
  return {emitter.finish(), buffers, std::move(decisions)};
}

}  // namespace ridge::schedule
