#include "ridge/loop/exponent.h"

#include <algorithm>
#include <ranges>

#include "ridge/loop/statement_walk.h"

namespace ridge::loop {
namespace {

using expr::Function;
using expr::Kind;

// Backwards over the statements: uses of a value come before its definition.
class ExponentFinder {
 public:
  explicit ExponentFinder(const Kernel& kernel)
      : kernel_(kernel),
        is_needed_(kernel.values.size()),
        is_rounded_sum_(kernel.values.size()),
        result_(kernel.values.size()) {}

  std::vector<bool> find() {
    std::vector<const Statement*> statements;
    for_each_statement(kernel_.body, [&](const Statement& s) { statements.push_back(&s); });
    for (const Statement* statement : statements) {
      const auto* const let = as<Let>(*statement);
      if (let == nullptr) continue;
      is_rounded_sum_[static_cast<size_t>(let->value)] =
          let->arithmetic == f32 && is_sum(let->expression);
    }
    for (const Statement* statement : std::views::reverse(statements)) visit(*statement);
    return std::move(result_);
  }

 private:
  static bool is_sum(const Expr& e) {
    return e->kind == Kind::call && e->type == expr::Type::real &&
           (e->function == Function::add || e->function == Function::sub);
  }
  // Errors of its operands do not grow beyond what they are to the result's own operands.
  static bool is_plain(const Expr& e) {
    if (e->kind == Kind::cast) return e->type == expr::Type::real;
    if (e->kind != Kind::call) return e->kind != Kind::load;
    switch (e->function) {
      case Function::neg:
      case Function::add:
      case Function::sub:
      case Function::mul:
      case Function::div:
      case Function::select: return true;
      default: return false;
    }
  }

  void visit(const Statement& statement) {
    if (const auto* const let = as<Let>(statement)) return visit_let(*let);
    if (const auto* const store = as<Store>(statement)) {
      need_inputs(store->index);
      const DType dtype = kernel_.buffers[static_cast<size_t>(store->buffer)].dtype;
      if (!is_16_bit_float(dtype)) need(store->value);
      return;
    }
    for_each_expression(statement, [&](const Expr& e) { need_inputs(e); });
    const auto* const reduce = as<Reduce>(statement);
    if (reduce != nullptr && reduce->combine != Combine::sum) need(reduce->operand);
  }

  void visit_let(const Let& let) {
    const auto value = static_cast<size_t>(let.value);
    const bool is_rounded = let.rounds && is_16_bit_float(*let.rounds);
    if (is_needed_[value] && !is_rounded) return need_inputs(let.expression);
    result_[value] = let.arithmetic == f32 && has_rounded_exponents(let.expression);
    follow(let.expression);
  }
  bool has_rounded_exponents(const Expr& e) const {
    bool all = true;
    expr::walk(e, [&](const Expr& node) {
      if (node->kind != Kind::call || node->function != Function::exp) return;
      const Expr& x = node->args[0];
      all &=
          is_sum(x) || (x->kind == Kind::input && is_rounded_sum_[static_cast<size_t>(x->index)]);
    });
    return all;
  }

  // Only plain arithmetic leads on to others that need not be exact.
  void follow(const Expr& e) {
    if (e->kind == Kind::input) return;
    if (!is_plain(e)) return need_inputs(e);
    for (const Expr& arg : e->args) follow(arg);
  }
  void need_inputs(const Expr& e) {
    expr::walk(e, [&](const Expr& node) {
      if (node->kind == Kind::input) need(node->index);
    });
  }
  void need(int value) { is_needed_[static_cast<size_t>(value)] = true; }

  const Kernel& kernel_;
  std::vector<bool> is_needed_;  // in full
  std::vector<bool> is_rounded_sum_;
  std::vector<bool> result_;
};

}  // namespace

std::vector<bool> plain_exponents(const Kernel& kernel) { return ExponentFinder(kernel).find(); }

}  // namespace ridge::loop
