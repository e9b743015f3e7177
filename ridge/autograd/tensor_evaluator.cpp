#include "ridge/autograd/tensor_evaluator.h"

#include "ridge/dispatch/call.h"
#include "ridge/expr/text.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/registry.h"

namespace ridge::autograd {

using expr::Expr;
using expr::Function;
using expr::Kind;
using expr::Type;

namespace {

// A 0-d tensor, and not a plain number: among plain numbers alone a real counts as the default
// float, and f64 would lose digits.
Tensor scalar(DType dtype, const expr::Number& value) {
  if (dispatch::is_captured()) {
    // Only plain numbers enter a capture; the cast of one is none any more.
    return value.type == Type::real ? cast(value.real, dtype) : cast(value.integer, dtype);
  }
  Tensor t = Tensor::empty({}, dtype);
  store_element(dtype, t.raw_data(), 0, value);
  return t;
}

}  // namespace

Tensor TensorEvaluator::evaluate(const Expr& e) {
  expr::walk(e, [&](const Expr& node) {
    if (find(node) == nullptr) computed_.emplace_back(node, compute(node));
  });
  return *find(e);
}

Tensor TensorEvaluator::multiply(const Tensor& g, const Expr& e) {
  if (expr::is_constant(e, 1)) return g;
  if (expr::is_constant(e, -1)) return -g;
  if (expr::is_constant(e, 0)) return scalar(g.dtype(), expr::Number::of(0.0));
  if (is_call(e, Function::neg)) return -multiply(g, e->args[0]);
  if (is_call(e, Function::div)) return multiply(g, e->args[0]) / evaluate(e->args[1]);
  if (is_call(e, Function::select)) {
    // Also right where g is infinite and the other side zero.
    const Tensor condition = evaluate(e->args[0]);
    const Tensor if_true = multiply(g, e->args[1]), if_false = multiply(g, e->args[2]);
    return call(Function::select, {condition, if_true, if_false});
  }
  return g * evaluate(e);
}

const Tensor* TensorEvaluator::find(const Expr& e) const {
  for (const auto& [known, tensor] : computed_) {
    if (known->hash == e->hash && expr::same(known, e)) return &tensor;
  }
  return nullptr;
}

Tensor TensorEvaluator::compute(const Expr& e) {
  switch (e->kind) {
    case Kind::constant: return constant(*e);
    case Kind::input: return converted(inputs_(e->index), e->type);
    case Kind::param: return parameter(*e);
    case Kind::cast: return converted(*find(e->args[0]), e->type);
    case Kind::call: {
      std::vector<ops::Arg> args;
      for (const Expr& arg : e->args) args.emplace_back(*find(arg));
      return call(e->function, std::move(args));
    }
    case Kind::symbol:
    case Kind::axis:
    case Kind::load: break;
  }
  RIDGE_INTERNAL_CHECK(false, "not an expression of operands: " + expr::to_text(e));
  return {};
}

Tensor TensorEvaluator::converted(const Tensor& x, Type type) const {
  const DType dtype = type == Type::real ? real_ : type == Type::integer ? i64 : boolean;
  if (x.is_weak() && dispatch::is_captured()) return cast(x, dtype);
  if (x.is_weak()) return scalar(dtype, load_element(x.dtype(), x.raw_data(), 0));
  const bool is_fitting = type == Type::real ? x.dtype() == dtype : scalar_type(x.dtype()) == type;
  return is_fitting ? x : cast(x, dtype);
}

Tensor TensorEvaluator::constant(const expr::Node& node) const {
  switch (node.type) {
    case Type::boolean: return scalar(boolean, expr::Number::of(node.integer != 0));
    case Type::integer: return scalar(i64, expr::Number::of(node.integer));
    case Type::real: return scalar(real_, expr::Number::of(node.real));
  }
  return {};
}

Tensor TensorEvaluator::parameter(const expr::Node& node) const {
  const ops::Arg& arg = call_.args()[static_cast<size_t>(node.index)];
  switch (node.type) {
    case Type::boolean: return scalar(boolean, expr::Number::of(arg.flag));
    case Type::integer: return scalar(i64, expr::Number::of(arg.integer));
    case Type::real: return scalar(real_, expr::Number::of(arg.real));
  }
  return {};
}

Tensor TensorEvaluator::call(Function function, std::vector<ops::Arg> args) const {
  const ops::OpRecord* record = ops::registry().op_for(function);
  RIDGE_INTERNAL_CHECK(record != nullptr,
                       "no op computes just " + std::string(expr::info(function).name));
  return dispatch::call_values(*record->op, args)[0];
}

}  // namespace ridge::autograd
