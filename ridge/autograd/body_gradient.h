// The gradient of a pointwise op, from the derivative of its body.
//
//   tanh: body tanh(x0), derivative 1 - tanh(x0) * tanh(x0) = 1 - result * result
//         -> saves the result and not x, and gives g * (1 - result * result)
#pragma once

#include <optional>
#include <vector>

#include "ridge/autograd/node.h"
#include "ridge/ops/record.h"

namespace ridge::autograd {

class BodyGradient {
 public:
  // `types` are those of the operands after the dtype rule converted them.
  BodyGradient(const ops::OpRecord& record, const std::vector<expr::Type>& types);

  // Does the derivative by some needed operand read this operand, or the result?
  bool reads_operand(size_t number, const Needed& needed) const;
  bool reads_result(const Needed& needed) const { return reads_operand(types_.size(), needed); }

  ops::Tensors apply(const ops::Grads& grads, const ops::Saved& saved) const;

 private:
  DType real_dtype(const ops::Saved& saved) const;

  const ops::OpRecord& record_;
  std::vector<expr::Type> types_;
  // By operand, nothing where it is zero. The result is one more input, numbered after the
  // operands; it stands for every subexpression that equals the body.
  std::vector<std::optional<expr::Expr>> derivatives_;
};

}  // namespace ridge::autograd
