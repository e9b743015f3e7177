#include "ridge/autograd/body_gradient.h"

#include "ridge/autograd/tensor_evaluator.h"
#include "ridge/expr/derivative.h"
#include "ridge/expr/simplify.h"

namespace ridge::autograd {

using expr::Expr;

namespace {

bool reads(const Expr& e, int input) {
  bool found = false;
  expr::walk(e, [&](const Expr& node) {
    found |= node->kind == expr::Kind::input && node->index == input;
  });
  return found;
}

bool computes(const Expr& e) { return e->kind == expr::Kind::call; }

}  // namespace

BodyGradient::BodyGradient(const ops::OpRecord& record, const std::vector<expr::Type>& types)
    : record_(record), types_(types), derivatives_(types.size()) {
  // Simplified, as the derivatives will be, or the body would not be found in them.
  const Expr body = expr::simplify(record.body(ops::Scalars(record.op->schema(), types)));
  if (body->type != expr::Type::real) return;
  const Expr result = expr::input(static_cast<int>(types.size()), expr::Type::real);
  for (size_t i = 0; i < types.size(); ++i) {
    if (types[i] != expr::Type::real) continue;
    const Expr derivative = expr::derivative(body, static_cast<int>(i));
    if (expr::is_constant(derivative, 0)) continue;
    derivatives_[i] = expr::transform(
        derivative, [&](const Expr& e) { return expr::same(e, body) ? result : e; });
  }
}

bool BodyGradient::reads_operand(size_t number, const Needed& needed) const {
  for (size_t i = 0; i < derivatives_.size(); ++i) {
    if (needed[i] && derivatives_[i] && reads(*derivatives_[i], static_cast<int>(number))) {
      return true;
    }
  }
  return false;
}

// A derivative of several steps is computed in f32 for 16-bit operands, as one kernel would: each
// step of its own would round.
DType BodyGradient::real_dtype(const ops::Saved& saved) const {
  const auto dtypes = record_.dtype.apply(saved).inputs;
  DType real = kDefaultFloat;
  bool is_long = false;
  for (size_t i = 0; i < derivatives_.size(); ++i) {
    if (!saved.needs(i) || !derivatives_[i]) continue;
    real = dtypes[i];
    is_long |= computes(*derivatives_[i]);
  }
  return is_long && real.bits == 16 ? f32 : real;
}

ops::Tensors BodyGradient::apply(const ops::Grads& grads, const ops::Saved& saved) const {
  const auto input = [&](int number) {
    const size_t i = static_cast<size_t>(number);
    return i == types_.size() ? saved.output() : saved.operand(i);
  };
  TensorEvaluator evaluator(input, saved, real_dtype(saved));
  ops::Tensors results(types_.size());
  for (size_t i = 0; i < results.size(); ++i) {
    if (saved.needs(i) && derivatives_[i]) {
      results[i] = evaluator.multiply(grads[0], *derivatives_[i]);
    }
  }
  return results;
}

}  // namespace ridge::autograd
