// How the emitter lowers expressions: from the axes and operands of a node's definition to those of the
// kernel, where an operand may be a constant, a view of another value, a value computed in place or memory.
#include "ridge/expr/simplify.h"
#include "ridge/schedule/domain.h"
#include "ridge/schedule/emitter.h"

namespace ridge::schedule {

using expr::Kind;

// A constant of one element, rounded as the op's rule converts it.
std::optional<Expr> Emitter::number(ValueId value, DType compute) const {
  const graph::Value& info = program_.graph()[value];
  if (!info.constant.defined() || numel(info.type.shape).known() != 1) return std::nullopt;
  alignas(16) unsigned char element[16] = {};
  store_element(compute, element, 0, load_element(info.type.dtype, info.constant.raw_data(), 0));
  return expr::constant(load_element(compute, element, 0));
}

Expr Emitter::converted(int value, DType from, DType to) {
  Expr e = stored_as(read(value), to);
  if (is_exact_as(from, to)) return e;
  const DType dtype = register_dtype(to);
  const DType arithmetic = from == f64 ? f64 : f32;
  // Values narrower than a register wrap or round here; where they are stored they would anyway.
  const std::string name = kernel_.values[static_cast<size_t>(value)].name;
  const std::optional<DType> rounds = dtype == to ? std::nullopt : std::optional(to);
  const int id = let(name, dtype, arithmetic, e, rounds);
  return read(id);
}

// `merge` has proven that every read of a member is at the index where it is computed.
const Member* Emitter::matching_member(ValueId value) const {
  const int32_t node = program_.graph()[value].node;
  for (const Member& member : group_.members) {
    if (member.node == node) return &member;
  }
  return nullptr;
}

Expr Emitter::fetch(ValueId value, const std::vector<Expr>& position, DType compute) {
  if (const auto constant = number(value, compute)) return *constant;
  const graph::Value& info = program_.graph()[value];
  if (info.node >= 0 && program_.is_inlined(info.node)) {
    if (program_.is_transparent(info.node)) {
      std::vector<Expr> through = position;
      const ValueId operand = behind_view(info.node, through);
      const Expr e = fetch(operand, through, info.type.dtype);
      if (info.type.dtype == compute || e->kind != Kind::input) {
        return expr::cast(e, scalar_type(compute));
      }
      return converted(e->index, info.type.dtype, compute);
    }
    return converted(node_value(info.node, position), info.type.dtype, compute);
  }
  if (info.node >= 0) {
    if (const Member* member = matching_member(value)) {
      return converted(member_value(*member), info.type.dtype, compute);
    }
  }
  return converted(load(value, position), info.type.dtype, compute);
}

ValueId Emitter::behind_view(int32_t node, std::vector<Expr>& position) const {
  const NodeDefinition& view = program_.node_definition(node);
  const Expr& site = view.definition.value;
  std::vector<Expr> through;
  for (const Expr& index : site->args) {
    through.push_back(simplified(substitute_axes(index, position)));
  }
  position = std::move(through);
  return view.operands[static_cast<size_t>(site->index)];
}

ValueId Emitter::behind_views(ValueId value, std::vector<Expr>& position) const {
  while (true) {
    const int32_t producer = program_.graph()[value].node;
    const bool is_view =
        producer >= 0 && program_.is_inlined(producer) && program_.is_transparent(producer);
    if (!is_view) return value;
    value = behind_view(producer, position);
  }
}

Expr Emitter::lower_load(const Expr& site, int32_t node, const std::vector<Expr>& axes,
                         Predication predication) {
  const NodeDefinition& node_definition = program_.node_definition(node);
  const auto operand = static_cast<size_t>(site->index);
  const ValueId value = node_definition.operands[operand];
  std::vector<Expr> position;
  for (const Expr& index : site->args) {
    position.push_back(simplified(lower(index, node, axes, predication)));
  }
  const graph::Type& type = program_.graph()[value].type;
  const std::span<const Expr> indices(site->args.data(), site->args.size());
  const bool must_stay = predication == Predication::outside ||
                         (predication == Predication::select &&
                          !is_in_range(indices, type.shape, node_definition.definition.extents));
  if (!must_stay) {
    return expr::cast(fetch(value, position, node_definition.compute[operand]), site->type);
  }
  const ValueId source = behind_views(value, position);
  if (const auto constant = number(source, node_definition.compute[operand])) return *constant;
  return expr::cast(made_in_place(source, position), site->type);
}

Expr Emitter::made_in_place(ValueId value, const std::vector<Expr>& position) {
  const graph::Value& info = program_.graph()[value];
  if (info.node >= 0 && program_.is_inlined(info.node)) {
    const Expr& computed = program_.node_definition(info.node).definition.value;
    return lower(computed, info.node, position, Predication::outside);
  }
  const Expr index = address(value, position);
  return expr::load(buffer(value, loop::Access::in), scalar_type(info.type.dtype), {index});
}

Expr Emitter::lower(const Expr& e, int32_t node, const std::vector<Expr>& axes,
                    Predication predication) {
  if (e->kind == Kind::axis) return axes[static_cast<size_t>(e->index)];
  if (e->kind == Kind::load) return lower_load(e, node, axes, predication);
  if (e->args.empty()) return e;
  const bool is_select = is_call(e, expr::Function::select);
  const Predication chosen = predication == Predication::none ? Predication::select : predication;
  std::vector<Expr> args;
  for (size_t i = 0; i < e->args.size(); ++i) {
    args.push_back(lower(e->args[i], node, axes, is_select && i > 0 ? chosen : predication));
  }
  // What neighbors share, they should see to be the same: a condition, the counter of random numbers.
  if (is_select) args[0] = expr::without_rests(args[0], ranges_of(extents_));
  if (is_call(e, expr::Function::philox)) {
    for (Expr& arg : args) arg = simplified(arg);
  }
  return expr::with_args(e, std::move(args));
}

Expr Emitter::raw(const Member& member, const Expr& e) {
  // As if predicated and never in range: every load stays where it stands.
  const NodeDefinition& node_definition = program_.node_definition(member.node);
  const std::vector<Expr> axes = member_axes(member);
  return expr::transform(e, [&](const Expr& node) -> Expr {
    if (node->kind != Kind::load) return node;
    ValueId source = node_definition.operands[static_cast<size_t>(node->index)];
    std::vector<Expr> position;
    for (const Expr& index : node->args) {
      position.push_back(simplified(substitute_axes(index, axes)));
    }
    source = behind_views(source, position);
    return expr::cast(made_in_place(source, position), node->type);
  });
}

}  // namespace ridge::schedule
