#include "ridge/schedule/emit.h"

#include <algorithm>
#include <limits>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/domain.h"

namespace ridge::schedule {

using expr::Kind;
using loop::Statement;

DType register_dtype(DType dtype) {
  if (is_floating(dtype)) return dtype == f64 ? f64 : f32;
  return is_boolean(dtype) ? boolean : i64;
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

Emitter::Emitter(const Program& program, const Group& group, const Places& places)
    : program_(program), group_(group), places_(places) {
  scopes_.emplace_back();
}

int Emitter::add_axis(const Size& extent) {
  extents_.push_back(extent);
  return kernel_.axis_count++;
}

void Emitter::open(int axis, const Expr& extent, loop::Place place, bool binds) {
  Scope scope;
  scope.axes = scopes_.back().axes | (binds ? uint64_t{1} << axis : 0);
  scope.axis = axis;
  scope.extent = simplified(extent);
  scope.place = place;
  scopes_.push_back(std::move(scope));
}

void Emitter::close() {
  Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  add({loop::Loop{scope.axis, scope.extent, scope.place, std::move(scope.body)}});
}

void Emitter::open_body(uint64_t axes) {
  Scope scope;
  scope.axes = scopes_.back().axes | axes;
  scopes_.push_back(std::move(scope));
}

loop::Body Emitter::close_body() {
  loop::Body body = std::move(scopes_.back().body);
  scopes_.pop_back();
  return body;
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

// As core/element_cast.h says: infinities are 0 among the integers.
static Expr stored_as(const Expr& e, expr::Type type) {
  if (e->type != expr::Type::real || type != expr::Type::integer) return expr::cast(e, type);
  const Expr is_finite = expr::abs(e) < std::numeric_limits<double>::infinity();
  return expr::cast(expr::select(is_finite, e, 0.0), type);
}

int Emitter::let(std::string name, DType dtype, DType arithmetic, const Expr& e,
                 std::optional<DType> rounds, std::optional<DType> precision) {
  const int value = new_value(std::move(name), dtype);
  add({loop::Let{value, arithmetic, stored_as(e, scalar_type(dtype)), rounds, precision}});
  return value;
}

int Emitter::buffer(ValueId value, loop::Access access) {
  const int id = places_[static_cast<size_t>(value.index)].buffer;
  RIDGE_INTERNAL_CHECK(id >= 0, concat("value %", value.index, " is read and has no memory"));
  const auto found = kernel_buffer_.find(id);
  if (found != kernel_buffer_.end()) {
    loop::Access& known = kernel_.buffers[static_cast<size_t>(found->second)].access;
    if (known != access) known = loop::Access::in_out;
    return found->second;
  }
  const graph::Value& info = program_.graph()[value];
  Expr elements = 1;
  const Shape& strides = places_[static_cast<size_t>(value.index)].strides;
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
  const Shape& strides = places_[static_cast<size_t>(value.index)].strides;
  Expr index = 0;
  for (size_t i = 0; i < strides.size(); ++i) {
    index = index + position[i] * strides[i].expression();
  }
  return simplified(index);
}

template <class Make>
int Emitter::once(int32_t id, const Expr& index, Make make) {
  const uint64_t needs = axes_in(index);
  // A value read through the index (a gather) belongs where it was made: here.
  bool reads_values = false;
  expr::walk(index, [&](const Expr& e) { reads_values |= e->kind == Kind::input; });
  size_t level = scopes_.size() - 1;
  if (!reads_values) {
    // Nothing stands between the loops that are spread over threads.
    level = 0;
    for (size_t i = 1; i < scopes_.size(); ++i) {
      const bool is_spread =
          scopes_[i].place != loop::Place::serial && scopes_[i].place != loop::Place::vector;
      if (scopes_[i].axis >= 0 && is_spread) level = i;
    }
    level = std::max(level, std::min(innermost_kept_, scopes_.size() - 1));
    while ((scopes_[level].axes & needs) != needs) ++level;
  }
  const std::pair key(id, index->hash);
  for (size_t i = 0; i <= level; ++i) {
    const auto found = scopes_[i].known.find(key);
    if (found == scopes_[i].known.end()) continue;
    for (const auto& [known, value] : found->second) {
      if (expr::same(known, index)) return value;
    }
  }
  // Written into the scope it belongs to: what is open inside is set aside meanwhile.
  std::vector<Scope> inside;
  while (scopes_.size() > level + 1) {
    inside.push_back(std::move(scopes_.back()));
    scopes_.pop_back();
  }
  const int value = make();
  scopes_.back().known[key].emplace_back(index, value);
  while (!inside.empty()) {
    scopes_.push_back(std::move(inside.back()));
    inside.pop_back();
  }
  return value;
}

int Emitter::load(ValueId value, const std::vector<Expr>& position) {
  const Expr index = address(value, position);
  const graph::Value& info = program_.graph()[value];
  return once(value.index, index, [&] {
    const DType dtype = register_dtype(info.type.dtype);
    const int number = buffer(value, loop::Access::in);
    const DType arithmetic = dtype == f64 ? f64 : f32;
    return let(info.name, dtype, arithmetic,
               expr::load(number, scalar_type(info.type.dtype), {index}));
  });
}

// A constant of one element, rounded as the op's rule converts it.
std::optional<Expr> Emitter::number(ValueId value, DType compute) const {
  const graph::Value& info = program_.graph()[value];
  if (!info.constant.defined() || numel(info.type.shape).known() != 1) return std::nullopt;
  alignas(16) unsigned char element[16] = {};
  store_element(compute, element, 0, load_element(info.type.dtype, info.constant.raw_data(), 0));
  return expr::constant(load_element(compute, element, 0));
}

// Does a register of `from` hold the value that storing as `to` would give?
static bool is_exact(DType from, DType to) {
  if (from == to) return true;
  if (is_boolean(from)) return true;
  if (is_floating(to)) {
    if (!is_floating(from)) return !is_16_bit_float(to);  // rounded by the arithmetic itself
    return to.bits >= 32;
  }
  if (is_floating(from) || is_boolean(to)) return false;
  return to == i64 || (to == i32 && from.bits < 32);
}

Expr Emitter::converted(int value, DType from, DType to) {
  Expr e = stored_as(read(value), scalar_type(to));
  if (is_exact(from, to)) return e;
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
      const Meaning& view = program_.meaning(info.node);
      const Expr& site = view.definition.value;
      std::vector<Expr> through;
      for (const Expr& index : site->args) {
        through.push_back(simplified(substitute_axes(index, position)));
      }
      const ValueId operand = view.operands[static_cast<size_t>(site->index)];
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

ValueId Emitter::behind_views(ValueId value, std::vector<Expr>& position) const {
  while (true) {
    const int32_t producer = program_.graph()[value].node;
    const bool is_view =
        producer >= 0 && program_.is_inlined(producer) && program_.is_transparent(producer);
    if (!is_view) return value;
    const Meaning& view = program_.meaning(producer);
    const Expr& load = view.definition.value;
    std::vector<Expr> through;
    for (const Expr& index : load->args) {
      through.push_back(simplified(substitute_axes(index, position)));
    }
    position = std::move(through);
    value = view.operands[static_cast<size_t>(load->index)];
  }
}

Expr Emitter::lower_load(const Expr& site, int32_t node, const std::vector<Expr>& axes,
                         Guard guard) {
  const Meaning& meaning = program_.meaning(node);
  const auto operand = static_cast<size_t>(site->index);
  const ValueId value = meaning.operands[operand];
  std::vector<Expr> position;
  for (const Expr& index : site->args) {
    position.push_back(simplified(lower(index, node, axes, guard)));
  }
  const graph::Type& type = program_.graph()[value].type;
  const std::span<const Expr> indices(site->args.data(), site->args.size());
  const bool must_stay =
      guard == Guard::outside ||
      (guard == Guard::select && !is_in_range(indices, type.shape, meaning.definition.extents));
  if (!must_stay) {
    return expr::cast(fetch(value, position, meaning.compute[operand]), site->type);
  }
  // Made where it stands: through views to memory, or to what is computed there.
  const ValueId source = behind_views(value, position);
  if (const auto constant = number(source, meaning.compute[operand])) return *constant;
  const graph::Value& info = program_.graph()[source];
  if (info.node >= 0 && program_.is_inlined(info.node)) {
    const Expr& computed = program_.meaning(info.node).definition.value;
    return expr::cast(lower(computed, info.node, position, Guard::outside), site->type);
  }
  const Expr index = address(source, position);
  return expr::cast(
      expr::load(buffer(source, loop::Access::in), scalar_type(info.type.dtype), {index}),
      site->type);
}

Expr Emitter::lower(const Expr& e, int32_t node, const std::vector<Expr>& axes, Guard guard) {
  if (e->kind == Kind::axis) return axes[static_cast<size_t>(e->index)];
  if (e->kind == Kind::load) return lower_load(e, node, axes, guard);
  if (e->args.empty()) return e;
  const bool is_select = is_call(e, expr::Function::select);
  const Guard chosen = guard == Guard::none ? Guard::select : guard;
  std::vector<Expr> args;
  for (size_t i = 0; i < e->args.size(); ++i) {
    args.push_back(lower(e->args[i], node, axes, is_select && i > 0 ? chosen : guard));
  }
  // What neighbors share, they should see to be the same: a condition, the counter of random numbers.
  if (is_select) args[0] = expr::without_rests(args[0], ranges_of(extents_));
  if (is_call(e, expr::Function::philox)) {
    for (Expr& arg : args) arg = simplified(arg);
  }
  return expr::with_args(e, std::move(args));
}

DType Emitter::arithmetic_of(int32_t node) const {
  const Meaning& meaning = program_.meaning(node);
  if (meaning.dtype == f64) return f64;
  for (size_t i = 0; i < meaning.operands.size(); ++i) {
    if (meaning.operands[i].index >= 0 && meaning.compute[i] == f64) return f64;
  }
  return f32;
}

// Functions that have cheaper forms where 16 bits of the result are enough.
static bool has_inexact_function(const Expr& e) {
  bool found = false;
  expr::walk(e, [&](const Expr& node) {
    if (node->kind != Kind::call) return;
    const expr::Function f = node->function;
    found |= f == expr::Function::div || f == expr::Function::sqrt || f == expr::Function::exp ||
             f == expr::Function::sin || f == expr::Function::cos || f == expr::Function::tanh ||
             f == expr::Function::erf;
  });
  return found;
}

int Emitter::node_value(int32_t node, const std::vector<Expr>& axes) {
  const ValueId result = program_.result(node);
  const Meaning& meaning = program_.meaning(node);
  const std::vector<Expr> position = meaning.position(axes);
  return once(result.index, linear_position(position, meaning.shape, extents_), [&] {
    const Expr e = lower(meaning.definition.value, node, axes, Guard::none);
    std::optional<DType> rounds;
    const Expr& value = meaning.definition.value;
    const bool is_cast = value->kind == Kind::load || value->kind == Kind::cast;
    if (is_16_bit_float(meaning.dtype) && is_cast) rounds = meaning.dtype;
    const bool is_narrow = is_integer(meaning.dtype) && meaning.dtype != i64;
    if (is_narrow) rounds = meaning.dtype;
    std::optional<DType> precision;
    if (is_16_bit_float(meaning.dtype) && !rounds && has_inexact_function(e)) {
      precision = meaning.dtype;
    }
    const std::string& name = program_.graph().nodes[static_cast<size_t>(node)].op->name();
    return let(name, register_dtype(meaning.dtype), arithmetic_of(node), e, rounds, precision);
  });
}

int Emitter::member_value(const Member& member) {
  const auto found = results_.find(member.node);
  if (found != results_.end()) return found->second;
  RIDGE_INTERNAL_CHECK(program_.meaning(member.node).is_map(),
                       "the result of a reduction is read before it is there");
  return node_value(member.node, member_axes(member));
}

int Emitter::reduced_value(const Member& member) {
  const Meaning& meaning = program_.meaning(member.node);
  const Expr e = lower(meaning.definition.value, member.node, member_axes(member), Guard::none);
  const std::string& name = program_.graph().nodes[static_cast<size_t>(member.node)].op->name();
  const DType dtype = meaning.definition.value->type == expr::Type::real
                          ? arithmetic_of(member.node)
                          : (meaning.definition.value->type == expr::Type::boolean ? boolean : i64);
  if (e->kind == Kind::input && kernel_.values[static_cast<size_t>(e->index)].dtype == dtype) {
    return e->index;
  }
  return let(name, dtype, arithmetic_of(member.node), e);
}

Expr Emitter::raw(const Member& member, const Expr& e) {
  // As if guarded and never in range: every load stays where it stands.
  const Meaning& meaning = program_.meaning(member.node);
  const std::vector<Expr> axes = member_axes(member);
  return expr::transform(e, [&](const Expr& node) -> Expr {
    if (node->kind != Kind::load) return node;
    ValueId source = meaning.operands[static_cast<size_t>(node->index)];
    std::vector<Expr> position;
    for (const Expr& index : node->args) {
      position.push_back(simplified(substitute_axes(index, axes)));
    }
    source = behind_views(source, position);
    const DType dtype = program_.graph()[source].type.dtype;
    return expr::cast(expr::load(buffer(source, loop::Access::in), scalar_type(dtype),
                                 {address(source, position)}),
                      node->type);
  });
}

void Emitter::store(const Member& member, int value) {
  const ValueId result = program_.result(member.node);
  const std::vector<Expr> position = program_.meaning(member.node).position(member_axes(member));
  const Expr index = address(result, position);
  const int number = buffer(result, loop::Access::out);
  add({loop::Store{number, index, value}});
}

loop::Kernel Emitter::finish() {
  RIDGE_INTERNAL_CHECK(scopes_.size() == 1, "loops left open");
  kernel_.body = std::move(scopes_[0].body);
  return std::move(kernel_);
}

}  // namespace ridge::schedule
