#include "ridge/expr/simplify.h"
#include "ridge/schedule/domain.h"
#include "ridge/schedule/loops.h"

namespace ridge::schedule {
namespace {

using expr::Kind;

// Axes that occur outside of the positions of loads, in a definition or what is inlined into it.
void bare_axes(const InlinedGraph& program, int32_t node, const std::vector<Expr>& axes,
               uint64_t& found) {
  const NodeDefinition& m = program.node_definition(node);
  const auto scan = [&](auto&& self, const Expr& e) -> void {
    if (e->kind == Kind::axis) found |= axes_in(axes[static_cast<size_t>(e->index)]);
    if (e->kind == Kind::load) return;
    for (const Expr& arg : e->args) self(self, arg);
  };
  scan(scan, m.definition.value);
  for (const LoadSite& site : load_sites(program.graph(), m)) {
    const int32_t producer = program.graph()[m.operands[static_cast<size_t>(site.operand)]].node;
    if (producer < 0 || !program.is_inlined(producer)) continue;
    std::vector<Expr> position;
    for (const Expr& index : site.position) position.push_back(substitute_axes(index, axes));
    bare_axes(program, producer, position, found);
  }
}

Expr address_of(const ValueLocation& place, const std::vector<Expr>& position,
                const Shape& extents) {
  Expr index = 0;
  for (size_t i = 0; i < place.strides.size(); ++i) {
    index = index + position[i] * place.strides[i].expression();
  }
  return expr::simplify(index, ranges_of(extents));
}

AccessPattern pattern(const ValueLocation& place, const std::vector<Expr>& position,
                      const graph::Type& type, bool is_store, const Shape& extents) {
  AccessPattern result{.buffer = place.buffer,
                       .address = address_of(place, position, extents),
                       .dtype = type.dtype,
                       .is_store = is_store,
                       .is_affine = false,
                       .coefficients = {},
                       .elements = numel(type.shape)};
  const Expr& address = result.address;
  if (has_load(address)) return result;
  if (auto affine = expr::as_affine(address, static_cast<int>(extents.size()))) {
    result.is_affine = true;
    result.coefficients = std::move(affine->coefficients);
  }
  return result;
}

bool can_merge(size_t axis, const Shape& extents, const std::vector<AccessPattern>& patterns,
               uint64_t bare) {
  const uint64_t both = uint64_t{3} << axis;
  if ((bare & both) != 0) return false;
  for (const AccessPattern& p : patterns) {
    if (!p.is_affine) {
      if ((axes_in(p.address) & both) != 0) return false;
      continue;
    }
    const Expr step = expr::simplify(p.coefficients[axis + 1] * extents[axis + 1].expression());
    if (!expr::same(expr::simplify(p.coefficients[axis]), step)) return false;
  }
  return true;
}

}  // namespace

std::vector<AccessPattern> access_patterns(const InlinedGraph& program, const Group& group,
                                           const ValueLocations& locations,
                                           const std::vector<bool>& is_stored) {
  const Shape extents = group.extents();
  std::vector<AccessPattern> patterns;
  for (const Member& member : group.members) {
    for (const Read& read : program.reads(member.node)) {
      const ValueLocation& place = locations[static_cast<size_t>(read.value.index)];
      std::vector<Expr> position;
      for (const Expr& index : read.position) {
        position.push_back(substitute_axes(index, member.axes));
      }
      if (place.buffer < 0) continue;  // a number, or a value that stays in a register
      patterns.push_back(
          pattern(place, position, program.graph()[read.value].type, false, extents));
    }
    const ValueId result = program.result(member.node);
    if (is_stored[static_cast<size_t>(result.index)]) {
      const ValueLocation& place = locations[static_cast<size_t>(result.index)];
      patterns.push_back(pattern(place, program.node_definition(member.node).position(member.axes),
                                 program.graph()[result].type, true, extents));
    }
  }
  return patterns;
}

KernelAxes merge_axes(Emitter& emitter, const InlinedGraph& program, const Group& group,
                      const std::vector<AccessPattern>& patterns) {
  const Shape extents = group.extents();
  uint64_t bare = 0;
  for (const Member& member : group.members) {
    bare_axes(program, member.node, member.axes, bare);
  }
  KernelAxes result;
  std::vector<Expr> made(extents.size());
  const auto merge_run = [&](size_t first, size_t last, std::vector<int>& list) {
    for (size_t begin = first; begin < last;) {
      size_t end = begin + 1;
      Size extent = extents[begin];
      while (end < last && can_merge(end - 1, extents, patterns, bare)) {
        extent = extent * extents[end++];
      }
      const int axis = emitter.add_axis(extent);
      list.push_back(axis);
      Expr rest = expr::axis(axis);
      for (size_t i = end; i-- > begin;) {
        const Expr size = extents[i].expression();
        made[i] = i == begin ? rest : expr::mod(rest, size);
        if (i != begin) rest = expr::floor_div(rest, size);
      }
      begin = end;
    }
  };
  merge_run(0, group.outer.size(), result.outer);
  merge_run(group.outer.size(), extents.size(), result.inner);
  emitter.set_group_axes(std::move(made));
  return result;
}

std::vector<Expr> steps_along(const Emitter& emitter, const std::vector<AccessPattern>& patterns,
                              int axis) {
  std::vector<Expr> steps;
  for (const AccessPattern& p : patterns) {
    const Expr address = emitter.simplified(substitute_axes(p.address, emitter.group_axes()));
    const auto affine =
        has_load(address) ? std::nullopt : expr::as_affine(address, emitter.axis_count());
    steps.push_back(affine ? expr::simplify(affine->coefficients[static_cast<size_t>(axis)])
                           : Expr());
  }
  return steps;
}

}  // namespace ridge::schedule
