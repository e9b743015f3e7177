// What a gradient rule is given, and what it returns.
//
//   .saves = "x",
//   .grad  = [](const Grads& g, const Saved& v) -> Tensors { return {g[0] * cos(v.tensor("x"))}; }
//
// `Saved` is the call again, by name; reading a tensor value that `.saves` does not list is an
// internal error (shapes and dtypes are always there), so what a rule holds on to is declared and
// checked. The rule returns one gradient for each tensor operand, undefined where there is none.
// The caller then sums a gradient over broadcast dimensions and casts it to the operand's dtype,
// so rules need not.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "ridge/ops/call.h"

namespace ridge::ops {

// Gradients of the results, in order; undefined where a result took no part.
using Grads = Tensors;

class Saved : public Call {
 public:
  // `args` hold meta tensors for tensors that were not saved; `outputs` likewise.
  Saved(const Schema& schema, std::span<const Arg> args, std::span<const Tensor> outputs,
        std::vector<bool> needed);

  const Tensor& output(size_t number = 0) const;
  // Does anybody want the gradient of this operand? Lets a rule skip work.
  bool needs(size_t operand) const { return needed_[operand]; }

 private:
  std::span<const Tensor> outputs_;
  std::vector<bool> needed_;
};

using GradRule = std::function<Tensors(const Grads&, const Saved&)>;

}  // namespace ridge::ops
