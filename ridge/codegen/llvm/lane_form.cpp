#include "ridge/codegen/llvm/lane_form.h"

#include <algorithm>

#include "ridge/expr/simplify.h"

namespace ridge::codegen {
namespace {

using expr::Function;
using expr::Kind;
using expr::Node;

bool may_report(const Node& node) {
  if (node.kind == Kind::load) return true;
  if (node.kind != Kind::call || node.type == expr::Type::real) return false;
  if (node.function == Function::checked_index) return true;
  const bool divides = node.function == Function::floor_div || node.function == Function::mod;
  if (!divides && node.function != Function::pow) return false;
  return !expr::is_constant(node.args[1]) || node.args[1]->integer <= 0;
}

bool is_per_lane(const Slot& slot) {
  if (slot.memory != nullptr) return slot.memory->getAllocatedType()->isVectorTy();
  return slot.value != nullptr && slot.value->getType()->isVectorTy();
}

}  // namespace

const LaneForm::Facts& LaneForm::facts(const Expr& e) {
  const auto found = known_.find(e.get());
  if (found != known_.end()) return found->second;
  expr::walk(e, [&](const Expr& node) {
    if (known_.contains(node.get())) return;
    Facts facts;
    facts.is_unsafe = may_report(*node);
    facts.reads_values = node->kind == Kind::load || node->kind == Kind::input;
    if (node->kind == Kind::axis) facts.varies = node->index == axis_;
    if (node->kind == Kind::input) {
      facts.varies = is_per_lane(emission_.frame.values[static_cast<size_t>(node->index)]);
    }
    for (const Expr& arg : node->args) {
      const Facts& below = known_.at(arg.get());
      facts.varies |= below.varies;
      facts.is_unsafe |= below.is_unsafe;
      facts.reads_values |= below.reads_values;
    }
    known_.emplace(node.get(), facts);
  });
  return known_.at(e.get());
}

bool LaneForm::is_aligned_division(const Node& node) {
  const Frame& frame = emission_.frame;
  if (!frame.is_aligned || frame.vector_axis != axis_ || node.kind != Kind::call) return false;
  if (node.function != Function::floor_div && node.function != Function::mod) return false;
  const Expr &a = node.args[0], &b = node.args[1];
  if (!expr::is_constant(b) || b->integer <= 0 || b->integer % frame.lanes != 0) return false;
  if (a->kind == Kind::axis) return a->index == axis_;
  return is_call(a, Function::mod) && is_aligned_division(*a);
}

std::optional<Expr> LaneForm::linear(const Expr& e) {
  if (is_uniform(e)) return Expr(0);
  if (e->kind == Kind::axis) return Expr(1);
  if (e->kind != Kind::call || e->type == expr::Type::real) return std::nullopt;
  // Made of quotients that all lanes share.
  const bool is_shared = std::ranges::all_of(e->args, [&](const Expr& arg) {
    const std::optional<Expr> step = linear(arg);
    return step && expr::is_constant(*step, 0);
  });
  if (is_shared) return Expr(0);
  if (e->type != expr::Type::integer) return std::nullopt;
  if (e->function == Function::mul) {
    const size_t varying = is_uniform(e->args[0]) ? 1 : 0;
    const Expr& factor = e->args[1 - varying];
    const std::optional<Expr> step = linear(e->args[varying]);
    return step && is_uniform(factor) ? std::optional(*step * factor) : std::nullopt;
  }
  if (is_aligned_division(*e)) return Expr(e->function == Function::mod ? 1 : 0);
  const bool is_sum = e->function == Function::add || e->function == Function::sub;
  if (!is_sum && e->function != Function::neg) return std::nullopt;
  const std::optional<Expr> a = linear(e->args[0]);
  if (!a) return std::nullopt;
  if (!is_sum) return -*a;
  const std::optional<Expr> b = linear(e->args[1]);
  if (!b) return std::nullopt;
  return e->function == Function::add ? *a + *b : *a - *b;
}

std::optional<Expr> LaneForm::stride(const Expr& e) {
  std::optional<Expr> result = linear(e);
  return result && !expr::is_constant(*result) ? expr::simplify(*result) : result;
}

}  // namespace ridge::codegen
