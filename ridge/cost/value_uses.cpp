#include "ridge/cost/value_uses.h"

#include "ridge/loop/statement_walk.h"

namespace ridge::cost {

using expr::Expr;
using expr::Kind;

ValueUses::ValueUses(const loop::Kernel& kernel) : kernel_(kernel), uses_(kernel.values.size()) {
  loop::for_each_statement(kernel.body, [&](const loop::Statement& s) { add(s); });
}

bool ValueUses::is_handed_on(int value) const {
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
