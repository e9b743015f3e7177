#include "ridge/schedule/contraction.h"

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

}  // namespace ridge::schedule
