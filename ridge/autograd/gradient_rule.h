// How the gradient of an op is computed, and which values that takes.
//
// The record's own `.grad` comes first, then the derivative of its body. An op with neither can
// still be called on tensors that require grad; the error comes when a gradient is asked of it.
#pragma once

#include <optional>
#include <vector>

#include "ridge/autograd/body_gradient.h"

namespace ridge::autograd {

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
