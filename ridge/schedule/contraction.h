// Sums of products: which reductions are matrix products, and along which axes.
//
//   sum over k of x[b, m, k] * w[k, n]    ->    batch {b}, m {m}, n {n}, k {k}
//
// A contraction is computed in tiles (Note [Contraction] in loop/loop.h), so that each element that
// is loaded serves many products.
#pragma once

#include "ridge/base/decision.h"
#include "ridge/schedule/node_definition.h"

namespace ridge::schedule {

// The two factors of the summed product, casts around it removed.
struct Factors {
  Expr lhs, rhs;
};
std::optional<Factors> factors_of(const Expr& value);

// Is this node a sum of products of two operands that each leave out an axis of the result?
Decision can_contract(const NodeDefinition& node_definition);

}  // namespace ridge::schedule
