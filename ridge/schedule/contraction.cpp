#include "ridge/schedule/contraction.h"

#include "ridge/expr/simplify.h"

namespace ridge::schedule {

namespace {

// One load, perhaps cast: what a tile can be filled with.
bool is_plain_load(const Expr& e) {
  if (e->kind == expr::Kind::cast) return is_plain_load(e->args[0]);
  if (e->kind != expr::Kind::load) return false;
  for (const Expr& index : e->args) {
    if (has_load(index)) return false;
  }
  return true;
}

// A set of the first so many axes.
uint64_t first_axes(size_t count) {
  RIDGE_INTERNAL_CHECK(count <= 64, "more axes than a set of them holds");
  return count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

}  // namespace

std::optional<Factors> factors_of(const Expr& value) {
  if (value->kind == expr::Kind::cast && value->type == value->args[0]->type) {
    return factors_of(value->args[0]);
  }
  if (!is_call(value, expr::Function::mul)) return std::nullopt;
  if (!is_plain_load(value->args[0]) || !is_plain_load(value->args[1])) return std::nullopt;
  return Factors{value->args[0], value->args[1]};
}

Decision can_contract(const NodeDefinition& node_definition) {
  const ops::Definition& d = node_definition.definition;
  if (d.reducer != ops::Reducer::sum || d.is_scatter()) return Decision::no("not a sum");
  const auto factors = factors_of(d.value);
  if (!factors) return Decision::no("not a product of two operands");
  const uint64_t lhs = axes_in(factors->lhs), rhs = axes_in(factors->rhs);
  const uint64_t result = first_axes(d.output_rank);
  const uint64_t reduced = first_axes(d.extents.size()) & ~result;
  if ((lhs & reduced) != reduced || (rhs & reduced) != reduced) {
    return Decision::no("a factor leaves out a summed axis");
  }
  if (((lhs & ~rhs) & result) == 0 || ((rhs & ~lhs) & result) == 0) {
    return Decision::no("an operand is read at every element of the result");
  }
  if (is_16_bit_float(node_definition.dtype) || is_floating(node_definition.dtype) ||
      node_definition.dtype == i64) {
    return Decision::yes("a sum of products");
  }
  return Decision::no("the sum would have to wrap");
}

namespace {

bool has(const Expr& e, int axis) { return ((axes_in(e) >> axis) & 1) != 0; }

// From where the two factors move.
ProductAxes product_axes(Expr lhs, Expr rhs, const std::vector<int>& outer) {
  // n is the last axis of the result that only one factor has; that factor is rhs.
  ProductAxes axes;
  for (const int axis : outer) {
    if (has(lhs, axis) != has(rhs, axis)) axes.n = axis;
  }
  if (axes.n >= 0 && has(lhs, axes.n)) std::swap(lhs, rhs);
  for (const int axis : outer) {
    if (has(lhs, axis) && !has(rhs, axis)) axes.m = axis;
  }
  return axes;
}

ProductAxes product_axes(GroupEmitter& group) {
  const Member& product = group.input.group.members.front();
  const auto factors =
      factors_of(group.input.program.node_definition(product.node).definition.value);
  return product_axes(group.emitter.raw(product, factors->lhs),
                      group.emitter.raw(product, factors->rhs), group.axes.outer);
}

}  // namespace

Split split(Emitter& emitter, int axis, int64_t chunk) {
  const Expr whole = emitter.extent(axis).expression();
  const Size parts = divided_up(emitter.extent(axis), chunk);
  const int part = emitter.add_axis(parts), within = emitter.add_axis(chunk);
  const Expr index = expr::axis(part) * chunk + expr::axis(within);
  std::vector<Expr> axes;
  for (const Expr& e : emitter.group_axes()) {
    axes.push_back(expr::transform(e, [&](const Expr& node) {
      const bool is_it = node->kind == expr::Kind::axis && node->index == axis;
      return is_it ? index : node;
    }));
  }
  emitter.set_group_axes(std::move(axes));
  return {part, within, expr::min(Expr(chunk), whole - expr::axis(part) * chunk)};
}

std::optional<ProductExtents> product_extents(GroupEmitter& group) {
  Emitter& emitter = group.emitter;
  if (group.axes.inner.size() != 1) return std::nullopt;
  const ProductAxes axes = product_axes(group);
  ProductExtents extents{1, 1, emitter.extent(group.axes.inner[0]), 1};
  for (const int axis : group.axes.outer) {
    if (axis == axes.m) {
      extents.m = emitter.extent(axis);
    } else if (axis == axes.n) {
      extents.n = emitter.extent(axis);
    } else {
      extents.batch = extents.batch * emitter.extent(axis);
    }
  }
  return extents;
}

std::optional<ProductAxes> emit_contraction(GroupEmitter& group, const ProductTile& tile,
                                            const PartialProduct* partial) {
  Emitter& emitter = group.emitter;
  const Member& product = group.input.group.members.front();
  const auto factors =
      factors_of(group.input.program.node_definition(product.node).definition.value);
  ProductAxes axes = product_axes(group);
  const bool is_gpu = tile.place == loop::Place::gpu_block;
  if (group.axes.inner.size() != 1) return std::nullopt;
  if (!is_gpu && (axes.m < 0 || axes.n < 0)) return std::nullopt;
  int k = group.axes.inner[0];
  Expr k_extent = emitter.extent(k).expression();
  const bool has_both = axes.m >= 0 && axes.n >= 0;
  if (axes.m < 0) axes.m = emitter.add_axis(1);
  if (axes.n < 0) axes.n = emitter.add_axis(1);

  std::vector<int> around;
  for (const int axis : group.axes.outer) {
    if (axis != axes.m && axis != axes.n) around.push_back(axis);
  }
  int part = -1;
  if (partial != nullptr) {
    const int64_t chunk = *emitter.extent(k).known() / partial->parts;
    const Split parts = split(emitter, k, chunk);
    part = parts.part, k = parts.within, k_extent = chunk;
    around.insert(around.begin(), part);
  }
  const Split rows = split(emitter, axes.m, tile.rows);
  const Split columns = split(emitter, axes.n, tile.columns);
  around.push_back(rows.part);
  around.push_back(columns.part);
  for (const int axis : around) emitter.open(axis, tile.place);
  loop::Contract contract{.m = rows.within,
                          .n = columns.within,
                          .k = k,
                          .m_extent = emitter.simplified(rows.within_extent),
                          .n_extent = emitter.simplified(columns.within_extent),
                          .k_extent = k_extent,
                          // Over the axes as they are now.
                          .lhs = emitter.raw(product, factors->lhs),
                          .rhs = emitter.raw(product, factors->rhs),
                          .accumulator = group.accumulator(product),
                          .value = emitter.new_value("product", group.accumulator(product)),
                          .body = {}};
  if (has(contract.lhs, columns.within)) std::swap(contract.lhs, contract.rhs);
  emitter.open_body((uint64_t{1} << rows.within) | (uint64_t{1} << columns.within));
  // No index mentions an axis of extent 1: what follows from the sum would be made in front of it.
  if (!has_both) emitter.stay_inside();
  if (partial != nullptr) {
    const auto whole = [&](const Split& split, int64_t chunk) {
      return expr::axis(split.part) * chunk + expr::axis(split.within);
    };
    Expr element(0);
    for (const int axis : group.axes.outer) {
      const Expr at = axis == axes.m   ? whole(rows, tile.rows)
                      : axis == axes.n ? whole(columns, tile.columns)
                                       : expr::axis(axis);
      element = element * emitter.extent(axis).expression() + at;
    }
    emitter.add({partial->store(expr::axis(part), element, contract.value)});
  } else {
    emitter.set_result(product, contract.value);
    group.store_members(false);
  }
  contract.body = emitter.close_body();
  emitter.add({std::move(contract)});
  for (size_t i = 0; i < around.size(); ++i) emitter.close();
  return axes;
}

}  // namespace ridge::schedule
