#include "ridge/codegen/cuda/precision.h"

#include <ranges>

#include "ridge/codegen/cuda/statement.h"

namespace ridge::codegen::cuda {
namespace {

using expr::Function;
using expr::Kind;

// Backwards over the statements: uses of a value come before its definition.
class PrecisionFinder {
 public:
  explicit PrecisionFinder(const loop::Kernel& kernel)
      : kernel_(kernel), is_needed_(kernel.values.size()), result_(kernel.values.size()) {}

  std::vector<bool> find() {
    std::vector<const loop::Statement*> statements;
    for_each_statement(kernel_.body, [&](const loop::Statement& s) { statements.push_back(&s); });
    for (const loop::Statement* statement : std::views::reverse(statements)) visit(*statement);
    return std::move(result_);
  }

 private:
  void visit(const loop::Statement& statement) {
    if (const auto* const let = as<loop::Let>(statement)) return visit_let(*let);
    if (const auto* const store = as<loop::Store>(statement)) {
      need_inputs(store->index);
      const DType dtype = kernel_.buffers[static_cast<size_t>(store->buffer)].dtype;
      if (!is_16_bit_float(dtype)) need(store->value);
      return;
    }
    for_each_expression(statement, [&](const Expr& e) { need_inputs(e); });
    if (const auto* const reduce = as<loop::Reduce>(statement)) need(reduce->operand);
  }

  void visit_let(const loop::Let& let) {
    const auto value = static_cast<size_t>(let.value);
    const bool is_rounded = let.rounds && is_16_bit_float(*let.rounds);
    if (is_needed_[value] && !is_rounded) {
      result_[value] = let.precision.has_value();
      return need_inputs(let.expression);
    }
    result_[value] = let.precision.has_value() || keeps_errors(let.expression);
    follow(let.expression);
  }

  // Whether an error of any inexact function in it is one of the result, no larger. Not of exp: the
  // pass before has often computed the same one in full, and it is then at hand.
  static bool keeps_errors(const Expr& e) {
    if (e->kind == Kind::cast) return keeps_errors(e->args[0]);
    if (e->kind != Kind::call) return true;
    if (is_factor(e->function)) return std::ranges::all_of(e->args, keeps_errors);
    return e->function != Function::exp && std::ranges::none_of(e->args, has_function);
  }
  static bool has_function(const Expr& e) {
    bool found = false;
    expr::walk(e, [&](const Expr& node) {
      found |= node->kind == Kind::call &&
               (node->function == Function::div || expr::info(node->function).instructions >= 10);
    });
    return found;
  }
  static bool is_factor(Function f) {
    return f == Function::mul || f == Function::div || f == Function::neg;
  }

  // Factors of what needs 16 bits need no more.
  void follow(const Expr& e) {
    if (e->kind == Kind::input) return;
    if (e->kind == Kind::cast || (e->kind == Kind::call && is_factor(e->function))) {
      for (const Expr& arg : e->args) follow(arg);
    } else {
      need_inputs(e);
    }
  }

  void need_inputs(const Expr& e) {
    expr::walk(e, [&](const Expr& node) {
      if (node->kind == Kind::input) need(node->index);
    });
  }
  void need(int value) { is_needed_[static_cast<size_t>(value)] = true; }

  const loop::Kernel& kernel_;
  std::vector<bool> is_needed_;  // in full
  std::vector<bool> result_;
};

}  // namespace

std::vector<bool> needs_16_bits(const loop::Kernel& kernel) {
  return PrecisionFinder(kernel).find();
}

}  // namespace ridge::codegen::cuda
