// The emitter's values: what the members of a group compute, each value once, and what is stored of it.
#include "ridge/schedule/domain.h"
#include "ridge/schedule/emit.h"

namespace ridge::schedule {

using expr::Kind;

DType Emitter::arithmetic_of(int32_t node) const {
  const NodeDefinition& node_definition = program_.node_definition(node);
  if (node_definition.dtype == f64) return f64;
  for (size_t i = 0; i < node_definition.operands.size(); ++i) {
    if (node_definition.operands[i].index >= 0 && node_definition.compute[i] == f64) return f64;
  }
  return f32;
}

int Emitter::node_value(int32_t node, const std::vector<Expr>& axes) {
  const ValueId result = program_.result(node);
  const NodeDefinition& node_definition = program_.node_definition(node);
  const std::vector<Expr> position = node_definition.position(axes);
  return scopes_.once(
      result.index, linear_position(position, node_definition.shape, extents_), [&] {
        const Expr e = lower(node_definition.definition.value, node, axes, Guard::none);
        const graph::Node& of = program_.graph().nodes[static_cast<size_t>(node)];
        std::optional<DType> rounds;
        const bool is_narrow = is_integer(node_definition.dtype) && node_definition.dtype != i64;
        if (is_narrow || program_.rounds(node)) rounds = node_definition.dtype;
        const DType dtype = register_dtype(node_definition.dtype);
        const FunctionForms forms =
            dtype == f32 ? of.forms.value_or(FunctionForms{}) : FunctionForms{};
        return let(of.op->name(), dtype, arithmetic_of(node), e, rounds, forms);
      });
}

int Emitter::member_value(const Member& member) {
  const auto found = results_.find(member.node);
  if (found != results_.end()) return found->second;
  RIDGE_INTERNAL_CHECK(program_.node_definition(member.node).is_map(),
                       "the result of a reduction is read before it is there");
  return node_value(member.node, member_axes(member));
}

void Emitter::set_result(const Member& member, int value) {
  if (program_.rounds(member.node)) {
    const DType dtype = program_.node_definition(member.node).dtype;
    value = let("rounded", register_dtype(dtype), arithmetic_of(member.node), read(value), dtype);
  }
  results_[member.node] = value;
}

int Emitter::reduced_value(const Member& member) {
  const NodeDefinition& node_definition = program_.node_definition(member.node);
  const Expr e =
      lower(node_definition.definition.value, member.node, member_axes(member), Guard::none);
  const std::string& name = program_.graph().nodes[static_cast<size_t>(member.node)].op->name();
  const DType dtype =
      node_definition.definition.value->type == expr::Type::real
          ? arithmetic_of(member.node)
          : (node_definition.definition.value->type == expr::Type::boolean ? boolean : i64);
  if (e->kind == Kind::input && kernel_.values[static_cast<size_t>(e->index)].dtype == dtype) {
    return e->index;
  }
  return let(name, dtype, arithmetic_of(member.node), e);
}

void Emitter::store(const Member& member, int value) {
  const ValueId result = program_.result(member.node);
  const std::vector<Expr> position =
      program_.node_definition(member.node).position(member_axes(member));
  const Expr index = address(result, position);
  const int number = buffer(result, loop::Access::out);
  add({loop::Store{number, index, value}});
}

}  // namespace ridge::schedule
