#include "ridge/cost/known_values.h"

#include <algorithm>

#include "ridge/expr/expr.h"
#include "ridge/loop/statement_walk.h"

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

}  // namespace

KnownValues::KnownValues(const loop::Kernel& kernel)
    : kernel_(kernel), values_(kernel.values.size()) {}

ValueFacts KnownValues::facts_of(const loop::Let& let) const {
  return {.forms = let.forms,
          .is_available = [this](const Expr& call) { return is_available(call); }};
}

int KnownValues::kept_in(const loop::Let& let) const {
  int count = 0;
  expr::walk(let.expression, [&](const Expr& node) {
    count += is_worth_keeping(node) && is_available(node) ? 1 : 0;
  });
  return count;
}

void KnownValues::define(const loop::Let& let) {
  Value& value = at(let.value);
  value.definition = spelled_out(let.expression);
  expr::walk(let.expression, [&](const Expr& node) {
    if (!is_computed(node)) return;
    if (const Expr whole = spelled_out(node); whole.get() != nullptr) kept_.insert(whole->hash);
  });
}

void KnownValues::change(int var) { ++at(var).version; }

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

bool KnownValues::is_available(const Expr& call) const {
  if (!is_computed(call) || kept_.empty()) return false;
  const Expr whole = spelled_out(call);
  return whole.get() != nullptr && kept_.contains(whole->hash);
}

using expr::Expr;
using expr::Kind;

ValueUses::ValueUses(const loop::Kernel& kernel) : kernel_(kernel), uses_(kernel.values.size()) {
  loop::for_each_statement(kernel.body, [&](const loop::Statement& s) { add(s); });
}

bool ValueUses::is_forwarded(int value) const {
  const Use& use = uses_[static_cast<size_t>(value)];
  return use.type && use.count > 0 && use.stored == use.count;
}

// Statements come in order, so what a value is made of is known when it is used.
void ValueUses::add(const loop::Statement& statement) {
  loop::for_each_expression(statement, [&](const Expr& e) {
    expr::walk(e, [&](const Expr& node) {
      if (node->kind == Kind::input) ++at(node->index).count;
    });
  });
  if (const auto* let = loop::as<loop::Let>(statement)) {
    define(*let);
  } else if (const auto* reduce = loop::as<loop::Reduce>(statement)) {
    ++at(reduce->operand).count;
    if (reduce->factor >= 0) ++at(reduce->factor).count;
  } else if (const auto* store = loop::as<loop::Store>(statement)) {
    Use& use = at(store->value);
    ++use.count;
    use.stored += use.type == dtype_of(store->buffer) ? 1 : 0;
  }
}

void ValueUses::define(const loop::Let& let) {
  const Expr& e = let.expression;
  Use& use = at(let.value);
  if (e->kind == Kind::load) use.type = dtype_of(e->index);
  if (let.rounds) use.type = *let.rounds;
}

DType ValueUses::dtype_of(int buffer) const {
  return kernel_.buffers[static_cast<size_t>(buffer)].dtype;
}

}  // namespace ridge::cost
