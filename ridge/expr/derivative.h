// The derivative of a real scalar expression by one of its inputs.
//
// Rules for every function stand in one table here; a pointwise op whose record gives only a body
// gets its gradient from it. Piecewise functions take the derivative of the side that is chosen;
// abs and sign are flat at 0; min and max split evenly at a tie, as PyTorch does; step functions
// (floor, round, comparisons) have derivative zero.
#pragma once

#include "ridge/expr/expr.h"

namespace ridge::expr {

// d e / d input(index), simplified; the constant 0.0 where e does not depend on it.
Expr derivative(const Expr& e, int input_index);

}  // namespace ridge::expr
