#include "ridge/ops/record.h"

namespace ridge::ops {

std::string_view name(Autocast autocast) {
  switch (autocast) {
    case Autocast::keep: return "keep";
    case Autocast::low: return "low";
    case Autocast::full: return "full";
    case Autocast::widest: return "widest";
  }
  return "?";
}

expr::Expr Scalars::param(std::string_view parameter) const {
  const size_t index = schema_.index_of(parameter);
  const ArgKind kind = schema_.parameters[index].kind;
  const expr::Type type = kind == ArgKind::integer ? expr::Type::integer
                          : kind == ArgKind::flag  ? expr::Type::boolean
                                                   : expr::Type::real;
  return expr::param(static_cast<int>(index), type);
}

bool OpRecord::has_gradient() const { return differentiable && (grad || body || decompose); }

Saved::Saved(const Schema& schema, std::span<const Arg> args, std::span<const Tensor> outputs,
             std::vector<bool> needed)
    : Call(schema, args), outputs_(outputs), needed_(std::move(needed)) {}

const Tensor& Saved::output(size_t number) const { return outputs_[number]; }

}  // namespace ridge::ops
