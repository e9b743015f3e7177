// Evaluates a scalar expression on whole tensors, by calling ops: how a derivative that was found
// on paper becomes something that runs, and that is recorded again when grad mode is on.
//
//   x1 * exp(x0)     ->     mul(operand 1, exp(operand 0))
//
// Each function becomes the op whose body it is (Registry::op_for). Equal subexpressions are
// computed once per evaluator.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "ridge/core/tensor.h"
#include "ridge/expr/expr.h"
#include "ridge/ops/call.h"

namespace ridge::autograd {

class TensorEvaluator {
 public:
  // `inputs` gives the tensor for input i; `call` the arguments that params read; `real` is the
  // dtype in which reals are computed, to which inputs of another dtype are brought.
  TensorEvaluator(std::function<Tensor(int)> inputs, const ops::Call& call, DType real)
      : inputs_(std::move(inputs)), call_(call), real_(real) {}

  Tensor evaluate(const expr::Expr& e);
  // g * e, without multiplying where e is a choice, a quotient or a sign.
  Tensor multiply(const Tensor& g, const expr::Expr& e);

 private:
  const Tensor* find(const expr::Expr& e) const;
  Tensor compute(const expr::Expr& e);
  Tensor converted(const Tensor& x, expr::Type type) const;
  Tensor constant(const expr::Node& node) const;
  Tensor parameter(const expr::Node& node) const;
  Tensor call(expr::Function function, std::vector<ops::Arg> args) const;

  std::function<Tensor(int)> inputs_;
  const ops::Call& call_;
  DType real_;
  std::vector<std::pair<expr::Expr, Tensor>> computed_;  // short: a search beats a table
};

}  // namespace ridge::autograd
