// A total order of expressions by structure.
//
// It puts the terms of a canonical sum in one place. It depends on kinds, indices, values and
// symbol names only, never on addresses, so two runs of a program order alike.
#pragma once

#include <compare>

#include "ridge/expr/expr.h"

namespace ridge::expr {

// By kind first (constant, symbol, axis, ...), then by what the node holds, then by arguments.
// Equal exactly when `same`.
std::strong_ordering compare(const Expr& a, const Expr& b);

}  // namespace ridge::expr
