#include "ridge/codegen/cuda/lane_condition.h"

#include "ridge/codegen/cuda/lane_loop.h"
#include "ridge/codegen/cuda/statement.h"
#include "ridge/expr/simplify.h"

namespace ridge::codegen::cuda {
namespace {

using expr::Function;
using expr::Kind;

// n < i: if the first lane is active, all are.
bool starts_at_bound(Emission& emission, const Expr& condition) {
  return expr::is_call(condition, Function::less) &&
         condition->args[0]->type == expr::Type::integer &&
         lane_stride(emission, condition->args[0]) == 0 &&
         lane_stride(emission, condition->args[1]) == 1;
}

Expr at_lane(const Emission& emission, const Expr& condition, int64_t lane) {
  const int axis = emission.region->axis;
  return expr::simplify(expr::transform(condition, [&](const Expr& node) -> Expr {
    return node->kind == Kind::axis && node->index == axis ? Expr(lane) : node;
  }));
}

// The mask in a few instructions; nothing where each lane must evaluate the condition.
std::optional<std::string> mask_text(Emission& emission, const Expr& condition) {
  const auto first_lanes = [&](const Expr& count) {
    emission.use("first_lanes_mask");
    return concat("ridge::first_lanes_mask<", emission.region->lanes, ">(",
                  write_index(emission, expr::simplify(count)), ")");
  };
  if (expr::is_call(condition, Function::logical_and)) {
    const auto a = mask_text(emission, condition->args[0]);
    const auto b = mask_text(emission, condition->args[1]);
    return a && b ? std::optional(concat("(", *a, ") & (", *b, ")")) : std::nullopt;
  }
  const Expr first = at_lane(emission, condition, 0);
  if (!expr::is_call(first, Function::less)) return std::nullopt;
  if (ends_at_bound(emission, condition)) return first_lanes(first->args[1] - first->args[0]);
  if (!starts_at_bound(emission, condition)) return std::nullopt;
  const uint64_t all = (uint64_t{1} << emission.region->lanes) - 1;
  return concat(all, " & ~", first_lanes(first->args[0] - first->args[1] + 1));
}

}  // namespace

bool ends_at_bound(Emission& emission, const Expr& condition) {
  return expr::is_call(condition, Function::less) &&
         condition->args[0]->type == expr::Type::integer &&
         lane_stride(emission, condition->args[0]) == 1 &&
         lane_stride(emission, condition->args[1]) == 0;
}

std::optional<Expr> if_all_lanes(Emission& emission, const Expr& condition) {
  if (expr::is_call(condition, Function::logical_and)) {
    const auto a = if_all_lanes(emission, condition->args[0]);
    const auto b = if_all_lanes(emission, condition->args[1]);
    return a && b ? std::optional(*a && *b) : std::nullopt;
  }
  if (ends_at_bound(emission, condition)) {
    return at_lane(emission, condition, emission.region->lanes - 1);
  }
  if (starts_at_bound(emission, condition)) return at_lane(emission, condition, 0);
  return std::nullopt;
}

std::optional<Expr> if_some_lane(Emission& emission, const Expr& condition, int64_t first,
                                 int64_t count) {
  if (ends_at_bound(emission, condition)) return at_lane(emission, condition, first);
  if (starts_at_bound(emission, condition)) {
    return at_lane(emission, condition, first + count - 1);
  }
  return std::nullopt;
}

std::string write_lane_mask(Emission& emission, const Expr& condition) {
  const std::string mask = emission.names.add("mask");
  if (const auto text = mask_text(emission, condition)) {
    emission.out.line("const unsigned ", mask, " = ", *text, ";");
    return mask;
  }
  emission.out.line("unsigned ", mask, " = 0;");
  for_each_lane(emission, [&] {
    const std::string text = condition_text(emission, condition);
    emission.out.line("if (", text, ") ", mask, " |= 1u << ", lane_name(emission), ";");
  });
  return mask;
}

}  // namespace ridge::codegen::cuda
