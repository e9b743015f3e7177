#include "ridge/ops/rank.h"

#include "ridge/expr/simplify.h"

namespace ridge::ops {
namespace {

using expr::Expr;
using expr::Type;

// a < b, where NaN is larger than all others.
Expr is_less(const Expr& a, const Expr& b) {
  if (a->type != Type::real) return a < b;
  return a < b || (!is_nan(a) && is_nan(b));
}

// The type operand 0 is read as.
std::optional<Type> type_read(const Expr& value) {
  std::optional<Type> type;
  expr::walk(value, [&](const Expr& e) {
    if (e->kind == expr::Kind::load && e->index == 0) type = e->type;
  });
  return type;
}

}  // namespace

Definition rank_definition(const Shape& shape, size_t dim, Type type, bool is_descending) {
  const size_t rank = shape.size();
  Shape extents = shape;
  extents.push_back(shape[dim]);
  std::vector<Expr> position = all_axes(rank);
  const Expr mine = expr::load(0, type, position);
  const Expr here = position[dim];
  const Expr there = expr::axis(static_cast<int>(rank));
  position[dim] = there;
  const Expr other = expr::load(0, type, position);
  const Expr before = is_descending ? is_less(mine, other) : is_less(other, mine);
  const Expr after = is_descending ? is_less(other, mine) : is_less(mine, other);
  return {.extents = extents,
          .output_rank = rank,
          .reducer = Reducer::sum,
          .value = expr::cast(before || (!after && there < here), Type::integer)};
}

std::optional<RankForm> rank_form(const Definition& definition) {
  const Shape& extents = definition.extents;
  const bool may_be = definition.reducer == Reducer::sum && !definition.is_scatter() &&
                      extents.size() == definition.output_rank + 1 &&
                      definition.value->kind == expr::Kind::cast &&
                      definition.value->type == Type::integer;
  if (!may_be) return std::nullopt;
  const std::optional<Type> type = type_read(definition.value);
  if (!type) return std::nullopt;
  const Expr value = expr::simplify(definition.value);
  const Shape shape(extents.begin(), extents.end() - 1);
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (!shape[dim].is_same(extents.back())) continue;
    for (const bool is_descending : {false, true}) {
      const Definition rank = rank_definition(shape, dim, *type, is_descending);
      if (expr::same(value, expr::simplify(rank.value))) return RankForm{dim, *type, is_descending};
    }
  }
  return std::nullopt;
}

}  // namespace ridge::ops
