#include "ridge/ops/definition.h"

namespace ridge::ops {

std::vector<expr::Expr> all_axes(size_t rank) {
  std::vector<expr::Expr> axes;
  for (size_t i = 0; i < rank; ++i) axes.push_back(expr::axis(static_cast<int>(i)));
  return axes;
}

expr::Expr linear_index(const std::vector<expr::Expr>& position, const Shape& extents) {
  expr::Expr index = expr::constant(int64_t{0});
  for (size_t i = 0; i < extents.size(); ++i) {
    index = index * extents[i].expression() + position[i];
  }
  return index;
}

void verify(const Definition& definition, size_t operand_count) {
  const size_t rank = definition.extents.size();
  RIDGE_INTERNAL_CHECK(static_cast<bool>(definition.value), "a definition needs a value");
  const bool reduces = definition.reducer != Reducer::none;
  if (definition.is_scatter()) {
    RIDGE_INTERNAL_CHECK(reduces || static_cast<bool>(definition.initial),
                         "a scatter needs a reducer, or something to write into");
    RIDGE_INTERNAL_CHECK(definition.target.size() == definition.output_rank,
                         "a scatter target needs one index for each axis of the result");
  } else {
    RIDGE_INTERNAL_CHECK(definition.output_rank <= rank, "more output axes than axes");
    RIDGE_INTERNAL_CHECK(reduces || definition.output_rank == rank,
                         "axes beyond the result need a reducer");
  }
  const auto check_leaf = [&](const expr::Expr& e) {
    const expr::Node& node = *e;
    if (node.kind == expr::Kind::axis) {
      RIDGE_INTERNAL_CHECK(node.index >= 0 && static_cast<size_t>(node.index) < rank,
                           "axis outside of the extents");
    } else if (node.kind == expr::Kind::load) {
      RIDGE_INTERNAL_CHECK(node.index >= 0 && static_cast<size_t>(node.index) < operand_count,
                           "load of an operand that is not there");
    }
    RIDGE_INTERNAL_CHECK(node.kind != expr::Kind::input, "input of a body in a definition");
  };
  expr::walk(definition.value, check_leaf);
  for (const expr::Expr& index : definition.target) expr::walk(index, check_leaf);
}

}  // namespace ridge::ops
