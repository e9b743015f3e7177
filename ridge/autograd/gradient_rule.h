// How the gradient of an op is computed, and which values that takes.
//
// The record's own `.grad` comes first, then the derivative of its body. An op with neither can
// still be called on tensors that require grad; the error comes when a gradient is asked of it.
#pragma once

#include <optional>
#include <vector>

#include "ridge/autograd/node.h"
#include "ridge/ops/record.h"

namespace ridge::autograd {

// The gradient of a pointwise op, from the derivative of its body.
//
//   tanh: body tanh(x0), derivative 1 - tanh(x0) * tanh(x0) = 1 - result * result
//         -> saves the result and not x, and gives g * (1 - result * result)
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

class GradientRule {
 public:
  // `types`: of the operands, for a gradient that comes from the body.
  GradientRule(const ops::OpRecord& record, const std::vector<expr::Type>& types);

  // Is the value of this operand (of this parameter of the schema) or result to be saved?
  bool reads_operand(size_t number, size_t parameter, const Needed& needed) const;
  bool reads_result(size_t number, const Needed& needed) const;

  ops::Tensors apply(const ops::Grads& grads, const ops::Saved& saved) const;

 private:
  void read_saves();

  const ops::OpRecord& record_;
  std::vector<bool> saved_parameters_;
  std::vector<bool> saved_results_;
  std::optional<BodyGradient> from_body_;
};

// The rule for a call, made once for each op (and types of its operands) and kept.
const GradientRule& rule_for(const ops::OpRecord& record, const ops::Call& call);

}  // namespace ridge::autograd
