#include "ridge/cost/known_values.h"

#include <algorithm>

#include "ridge/expr/expr.h"

namespace ridge::cost {
namespace {

using expr::Expr;
using expr::Kind;

constexpr double kWorthKeeping = 4;  // instructions

bool is_computed(const Expr& node) {
  return node->kind == Kind::call && node->type == expr::Type::real;
}
bool is_worth_keeping(const Expr& node) {
  return is_computed(node) && expr::info(node->function).instructions >= kWorthKeeping;
}

void mark_short(const loop::Kernel& kernel, const loop::Body& body, std::vector<bool>& stored) {
  for (const loop::Statement& statement : body) {
    if (const auto* inner = std::get_if<loop::Loop>(&statement.kind)) {
      mark_short(kernel, inner->body, stored);
    } else if (const auto* branch = std::get_if<loop::If>(&statement.kind)) {
      mark_short(kernel, branch->then, stored);
    } else if (const auto* store = std::get_if<loop::Store>(&statement.kind)) {
      const DType dtype = kernel.buffers[static_cast<size_t>(store->buffer)].dtype;
      if (is_16_bit_float(dtype)) stored[static_cast<size_t>(store->value)] = true;
    }
  }
}

}  // namespace

KnownValues::KnownValues(const loop::Kernel& kernel)
    : kernel_(kernel), values_(kernel.values.size()) {
  std::vector<bool> stored(kernel.values.size());
  mark_short(kernel, kernel.body, stored);
  for (size_t i = 0; i < values_.size(); ++i) values_[i].is_stored_short = stored[i];
}

ValueFacts KnownValues::facts_of(const loop::Let& let) const {
  const bool is_rounded = let.rounds && is_16_bit_float(*let.rounds);
  return {.is_short = is_rounded || let.precision || at(let.value).is_stored_short,
          .is_all_short = let.precision.has_value(),
          .range_of = [this](int input) { return at(input).range; },
          .is_total = [this](int input) { return at(input).is_total; },
          .is_at_hand = [this](const Expr& call) { return is_at_hand(call); }};
}

int KnownValues::kept_in(const loop::Let& let) const {
  int count = 0;
  expr::walk(let.expression, [&](const Expr& node) {
    count += is_worth_keeping(node) && is_at_hand(node) ? 1 : 0;
  });
  return count;
}

void KnownValues::define(const loop::Let& let) {
  Value& value = at(let.value);
  value.range = expr::real_range(let.expression, [this](int input) { return at(input).range; });
  value.definition = spelled_out(let.expression);
  expr::walk(let.expression, [&](const Expr& node) {
    if (!is_computed(node)) return;
    if (const Expr whole = spelled_out(node); whole.get() != nullptr) kept_.insert(whole->hash);
  });
}

void KnownValues::change(int var) {
  ++at(var).version;
  at(var).is_total = false;
}

void KnownValues::combine(int var) {
  change(var);
  at(var).is_total = true;
}

bool KnownValues::is_first_read(const Expr& load) {
  const loop::Buffer& buffer = kernel_.buffers[static_cast<size_t>(load->index)];
  return buffer.space != loop::Space::local || kept_.insert(load->hash).second;
}

Expr KnownValues::spelled_out(const Expr& e) const {
  bool is_known = true, has_row = false;
  const Expr whole = expr::transform(e, [&](const Expr& node) -> Expr {
    if (node->kind == Kind::load) {
      const loop::Buffer& buffer = kernel_.buffers[static_cast<size_t>(node->index)];
      is_known &= buffer.space == loop::Space::local;
      has_row = true;
    }
    if (node->kind != Kind::input) return node;
    const Value& value = at(node->index);
    if (value.definition.get() != nullptr) {
      has_row = true;
      return value.definition;
    }
    // Each state of a var is another number.
    const auto count = static_cast<int>(values_.size());
    return expr::input(node->index + count * value.version, node->type);
  });
  return is_known && has_row ? whole : Expr();
}

bool KnownValues::is_at_hand(const Expr& call) const {
  if (!is_computed(call) || kept_.empty()) return false;
  const Expr whole = spelled_out(call);
  return whole.get() != nullptr && kept_.contains(whole->hash);
}

}  // namespace ridge::cost
