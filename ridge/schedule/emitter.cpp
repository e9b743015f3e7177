#include "ridge/schedule/emitter.h"

#include <cctype>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/domain.h"

namespace ridge::schedule {

Emitter::Emitter(const InlinedGraph& program, const Group& group, const ValueLocations& locations)
    : program_(program), group_(group), locations_(locations) {}

int Emitter::add_axis(const Size& extent) {
  extents_.push_back(extent);
  return kernel_.axis_count++;
}

void Emitter::open(int axis, const Expr& extent, loop::Place place, bool defines_values) {
  scopes_.open(axis, simplified(extent), place, defines_values);
}

Expr Emitter::simplified(const Expr& e) const { return expr::simplify(e, ranges_of(extents_)); }

std::vector<Expr> Emitter::member_axes(const Member& member) const {
  std::vector<Expr> axes;
  for (const Expr& axis : member.axes)
    axes.push_back(simplified(substitute_axes(axis, group_axes_)));
  return axes;
}

int Emitter::new_value(std::string name, DType dtype) {
  kernel_.values.push_back({std::move(name), dtype});
  return static_cast<int>(kernel_.values.size()) - 1;
}

Expr Emitter::read(int value) const {
  return expr::input(value, scalar_type(kernel_.values[static_cast<size_t>(value)].dtype));
}

int Emitter::let(std::string name, DType dtype, DType arithmetic, const Expr& e,
                 std::optional<DType> rounds, FunctionForms forms) {
  const int value = new_value(std::move(name), dtype);
  add({loop::Let{value, arithmetic, stored_as(e, rounds.value_or(dtype)), rounds, forms}});
  return value;
}

loop::Kernel Emitter::finish() {
  kernel_.body = scopes_.finish();
  return std::move(kernel_);
}

std::string buffer_name(const Graph& graph, ValueId value, int planned) {
  const std::string& given = graph[value].name;
  std::string name = given.empty() ? concat("b", value.index) : given;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return concat(name, "_", planned);
}

std::string scratch_name(int planned) { return concat("scratch_", planned); }

int Emitter::buffer(ValueId value, loop::Access access) {
  const int id = locations_[static_cast<size_t>(value.index)].buffer;
  RIDGE_INTERNAL_CHECK(id >= 0, concat("value %", value.index, " is read and has no memory"));
  const auto found = kernel_buffer_.find(id);
  if (found != kernel_buffer_.end()) {
    loop::Access& known = kernel_.buffers[static_cast<size_t>(found->second)].access;
    if (known != access) known = loop::Access::in_out;
    return found->second;
  }
  const graph::Value& info = program_.graph()[value];
  Expr elements = 1;
  const Shape& strides = locations_[static_cast<size_t>(value.index)].strides;
  for (size_t i = 0; i < strides.size(); ++i) {
    elements = elements + (info.type.shape[i].expression() - 1) * strides[i].expression();
  }
  const int number = static_cast<int>(kernel_.buffers.size());
  kernel_.buffers.push_back({buffer_name(program_.graph(), value, id), info.type.dtype, access,
                             loop::Space::global, expr::simplify(elements)});
  buffer_ids_.push_back(id);
  kernel_buffer_[id] = number;
  return number;
}

int Emitter::scratch(int planned, DType dtype, const Shape& shape) {
  const int number = static_cast<int>(kernel_.buffers.size());
  kernel_.buffers.push_back({scratch_name(planned), dtype, loop::Access::in_out,
                             loop::Space::global, numel(shape).expression()});
  buffer_ids_.push_back(planned);
  return number;
}

Expr Emitter::address(ValueId value, const std::vector<Expr>& position) {
  const Shape& strides = locations_[static_cast<size_t>(value.index)].strides;
  Expr index = 0;
  for (size_t i = 0; i < strides.size(); ++i) {
    index = index + position[i] * strides[i].expression();
  }
  return simplified(index);
}

int Emitter::load(ValueId value, const std::vector<Expr>& position) {
  const Expr index = address(value, position);
  const graph::Value& info = program_.graph()[value];
  return scopes_.once(value.index, index, [&] {
    const DType dtype = register_dtype(info.type.dtype);
    const int number = buffer(value, loop::Access::in);
    const DType arithmetic = dtype == f64 ? f64 : f32;
    return let(info.name, dtype, arithmetic,
               expr::load(number, scalar_type(info.type.dtype), {index}));
  });
}

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
        const Expr e = lower(node_definition.definition.value, node, axes, Predication::none);
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
      lower(node_definition.definition.value, member.node, member_axes(member), Predication::none);
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

DType register_dtype(DType dtype) {
  if (is_floating(dtype)) return dtype == f64 ? f64 : f32;
  return is_boolean(dtype) ? boolean : i64;
}

expr::Expr stored_as(const expr::Expr& e, DType dtype) {
  const expr::Expr value = expr::cast(e, scalar_type(dtype));
  const bool is_narrowed = e->type == expr::Type::real && is_integer(dtype) && dtype.bits < 64;
  if (!is_narrowed) return value;
  const bool is_signed = dtype.kind == DTypeKind::signed_integer;
  const int64_t end = int64_t{1} << (is_signed ? dtype.bits - 1 : dtype.bits);
  return expr::min(expr::max(value, is_signed ? -end : 0), end - 1);
}

bool is_exact_as(DType from, DType to) {
  if (from == to) return true;
  if (is_boolean(from)) return true;
  if (is_floating(to)) {
    if (!is_floating(from)) return !is_16_bit_float(to);  // rounded by the arithmetic itself
    return to.bits >= 32;
  }
  if (is_floating(from) || is_boolean(to)) return false;
  return to == i64 || (to == i32 && from.bits < 32);
}

}  // namespace ridge::schedule
