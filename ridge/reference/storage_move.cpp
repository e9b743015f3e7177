#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/reference/evaluate.h"

namespace ridge::reference {
namespace {

using expr::Expr;
using expr::Kind;
using Operands = std::span<const Tensor* const>;

const Tensor& operand_of(const Expr& load, Operands operands) {
  const Tensor* operand = operands[static_cast<size_t>(load->index)];
  RIDGE_INTERNAL_CHECK(operand != nullptr, concat("no operand ", load->index));
  return *operand;
}

// Conditions and positions need values.
bool has_values(const Expr& e, Operands operands) {
  bool has = true;
  expr::walk(e, [&](const Expr& node) {
    if (node->kind == Kind::load) has = has && !is_storage_only(operand_of(node, operands).dtype());
  });
  return has;
}

bool reads_values_only(const ops::Definition& definition, Operands operands) {
  const auto has = [&](const Expr& e) { return has_values(e, operands); };
  return has(definition.value) && std::ranges::all_of(definition.target, has) &&
         (definition.initial ? has(definition.initial) : true);
}

bool moves(const Expr& e, Operands operands, DType dtype) {
  if (e->kind == Kind::load) {
    return operand_of(e, operands).dtype() == dtype &&
           std::ranges::all_of(e->args, [&](const Expr& i) { return has_values(i, operands); });
  }
  return e->kind == Kind::call && e->function == expr::Function::select &&
         has_values(e->args[0], operands) && moves(e->args[1], operands, dtype) &&
         moves(e->args[2], operands, dtype);
}

bool is_identity(const Expr& load) {
  for (size_t i = 0; i < load->args.size(); ++i) {
    const Expr& position = load->args[i];
    if (position->kind != Kind::axis || position->index != static_cast<int>(i)) return false;
  }
  return true;
}

}  // namespace

bool touches_storage_only(Operands operands, const Tensor& output) {
  return is_storage_only(output.dtype()) || std::ranges::any_of(operands, [](const Tensor* t) {
           return t != nullptr && is_storage_only(t->dtype());
         });
}

void check_moves(const ops::Definition& definition, Operands operands, const Tensor& output) {
  const bool is_plain = definition.reducer == ops::Reducer::none && !definition.is_scatter();
  // With values in the result, all that matters is that none is made from elements without one.
  const bool is_fine = is_storage_only(output.dtype())
                           ? is_plain && moves(definition.value, operands, output.dtype())
                           : reads_values_only(definition, operands);
  if (is_fine) return;
  const auto storage_only = std::ranges::find_if(
      operands, [](const Tensor* t) { return t != nullptr && is_storage_only(t->dtype()); });
  const bool is_output = storage_only == operands.end();
  const DType dtype = is_output ? output.dtype() : (*storage_only)->dtype();
  throw Error({.code = ErrorCode::dtype,
               .expected = "a dtype that can be computed with",
               .given = concat(name(dtype), ", which can only be stored, viewed and copied")});
}

const Tensor* copied_operand(const ops::Definition& definition, Operands operands,
                             const Tensor& output) {
  const Expr& value = definition.value;
  const bool is_load = value->kind == Kind::load && !definition.is_scatter() &&
                       definition.reducer == ops::Reducer::none;
  if (!is_load || !is_identity(value)) return nullptr;
  const Tensor& operand = operand_of(value, operands);
  const bool is_same_layout = operand.is_contiguous() && operand.shape() == output.shape() &&
                              operand.dtype() == output.dtype();
  return is_same_layout ? &operand : nullptr;
}

}  // namespace ridge::reference
