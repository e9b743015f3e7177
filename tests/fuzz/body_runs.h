// Runs of pointwise ops whose body takes several steps: each step is moved by a rounding, because
// what cancels between two of them does not show in the operands.
//
//   gelu(-4) = -4 * 0.5 * (1 + erf(-2.83))     the 1 + erf(...) is off by a rounding of 1
#pragma once

#include <vector>

#include "ridge/base/random.h"
#include "ridge/graph/graph.h"

namespace ridge::fuzz {

// The scalar expressions that a node computes with: its body, or the value of its definition.
std::vector<expr::Expr> bodies_of(const graph::Node& node);
bool has_long_body(const dispatch::Operator& op);
// And among them quotients, roots or functions, whose results are rounded before the others read them?
bool has_inexact_body(const dispatch::Operator& op);

// The result, as f64 unless its dtype is not floating. Operands are as for the op.
Tensor run_body(const graph::Node& node, const Shape& shape, DType dtype,
                const std::vector<Tensor>& operands, SplitMix64& random);

}  // namespace ridge::fuzz
