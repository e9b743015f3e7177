#include "ridge/schedule/scatter_loops.h"

#include <algorithm>

#include "ridge/expr/simplify.h"

namespace ridge::schedule {

namespace {

Expr combined(ops::Reducer reducer, const Expr& a, const Expr& b) {
  switch (reducer) {
    case ops::Reducer::sum: return a + b;
    case ops::Reducer::prod: return a * b;
    case ops::Reducer::max: return expr::max(a, b);
    case ops::Reducer::min: return expr::min(a, b);
    case ops::Reducer::any: return a || b;
    case ops::Reducer::all: return a && b;
    case ops::Reducer::none: return b;
    case ops::Reducer::argmax:
    case ops::Reducer::argmin: break;
  }
  RIDGE_INTERNAL_CHECK(false, "a scatter that gives positions");
  return {};
}

// Do different points along the last axis have different targets? Then lanes may take them.
bool has_lanes(const ops::Definition& d) {
  if (d.extents.empty()) return false;
  const int last = static_cast<int>(d.extents.size()) - 1;
  if (d.target.back()->kind != expr::Kind::axis || d.target.back()->index != last) return false;
  for (size_t i = 0; i + 1 < d.target.size(); ++i) {
    if (((axes_in(d.target[i]) >> last) & 1) != 0) return false;
  }
  return true;
}

std::vector<Expr> open_loops(Emitter& emitter, const Shape& extents, bool last_is_vector) {
  std::vector<Expr> axes;
  for (size_t i = 0; i < extents.size(); ++i) {
    const int axis = emitter.add_axis(extents[i]);
    const bool is_vector = last_is_vector && i + 1 == extents.size();
    emitter.open(axis, is_vector ? loop::Place::vector : loop::Place::serial);
    axes.push_back(expr::axis(axis));
  }
  return axes;
}

void close_loops(Emitter& emitter, const Shape& extents) {
  for (size_t i = 0; i < extents.size(); ++i) emitter.close();
}

void copy_out(Emitter& emitter, const Shape& shape, int from, ValueId to, bool may_use_lanes) {
  const std::vector<Expr> at = open_loops(emitter, shape, may_use_lanes);
  const Expr index = emitter.simplified(ops::linear_index(at, shape));
  const int value = emitter.let("sum", f32, f32, expr::load(from, expr::Type::real, {index}));
  const int buffer = emitter.buffer(to, loop::Access::out);
  emitter.add({loop::Store{buffer, emitter.address(to, at), value}});
  close_loops(emitter, shape);
}

}  // namespace

int ScatterStep::initial(const std::vector<Expr>& at) const {
  const NodeDefinition& node_definition = input.program.node_definition(node);
  const ops::Definition& d = node_definition.definition;
  const DType dtype = register_dtype(node_definition.dtype);
  const Expr start =
      d.initial ? emitter.lowered(node, d.initial, at) : identity_of(d.reducer, dtype);
  return emitter.let("initial", dtype, emitter.arithmetic_of(node), start);
}

int ScatterStep::value_at(const std::vector<Expr>& point) const {
  const NodeDefinition& node_definition = input.program.node_definition(node);
  const std::string& name = input.program.graph().nodes[static_cast<size_t>(node)].op->name();
  return emitter.let(name, register_dtype(node_definition.dtype), emitter.arithmetic_of(node),
                     emitter.lowered(node, node_definition.definition.value, point));
}

void ScatterStep::store_combined(int buffer, const Expr& index, int before, int value) const {
  const NodeDefinition& node_definition = input.program.node_definition(node);
  const std::string& name = input.program.graph().nodes[static_cast<size_t>(node)].op->name();
  const int after = emitter.let(
      name, register_dtype(node_definition.dtype), emitter.arithmetic_of(node),
      combined(node_definition.definition.reducer, emitter.read(before), emitter.read(value)));
  emitter.add({loop::Store{buffer, index, after}});
}

void ScatterStep::combine(int buffer, const Expr& index, const std::vector<Expr>& point) const {
  const NodeDefinition& node_definition = input.program.node_definition(node);
  const int value = value_at(point);
  const Expr element = expr::load(buffer, scalar_type(node_definition.dtype), {index});
  const int before = emitter.let("before", register_dtype(node_definition.dtype),
                                 emitter.arithmetic_of(node), element);
  store_combined(buffer, index, before, value);
}

void ScatterStep::begin(int buffer, const Expr& index, const std::vector<Expr>& at,
                        const std::vector<Expr>& point) const {
  const int value = value_at(point);
  store_combined(buffer, index, initial(at), value);
}

std::vector<Expr> scatter_target(Emitter& emitter, int32_t node, const ops::Definition& d,
                                 const std::vector<Expr>& point) {
  std::vector<Expr> target;
  for (const Expr& index : d.target) {
    const Expr position = emitter.simplified(emitter.lowered(node, index, point));
    const bool is_simple = position->kind == expr::Kind::axis || is_constant(position);
    // Named: a sum reads there before it writes.
    target.push_back(is_simple ? position
                               : emitter.read(emitter.let("target", i64, f32, position)));
  }
  return target;
}

void emit_scatter(Emitter& emitter, const LoopInput& input, bool may_use_lanes) {
  const int32_t node = input.group.members.front().node;
  const NodeDefinition& node_definition = input.program.node_definition(node);
  const ops::Definition& d = node_definition.definition;
  const ValueId result = input.program.result(node);
  const bool rounds_once = input.scratch >= 0;
  const ScatterStep step{emitter, input, node};
  const auto address = [&](const std::vector<Expr>& position) {
    if (!rounds_once) return emitter.address(result, position);
    return emitter.simplified(ops::linear_index(position, node_definition.shape));
  };

  const std::vector<Expr> at = open_loops(emitter, node_definition.shape, may_use_lanes);
  const int initial = step.initial(at);
  const int buffer = rounds_once ? emitter.scratch(input.scratch, f32, node_definition.shape)
                                 : emitter.buffer(result, loop::Access::in_out);
  emitter.add({loop::Store{buffer, address(at), initial}});
  close_loops(emitter, node_definition.shape);

  const std::vector<Expr> points = open_loops(emitter, d.extents, may_use_lanes && has_lanes(d));
  const std::vector<Expr> target = scatter_target(emitter, node, d, points);
  if (d.reducer == ops::Reducer::none) {
    emitter.add({loop::Store{buffer, address(target), step.value_at(points)}});
  } else {
    step.combine(buffer, address(target), points);
  }
  close_loops(emitter, d.extents);
  if (rounds_once) copy_out(emitter, node_definition.shape, buffer, result, may_use_lanes);
}

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
