// Makes one function of a product and the sum that alone reads it, inside of one expression:
//
//   x0 * x1 + x2      ->     fma(x0, x1, x2)
//   x2 - x0 * x1      ->     fma(-x0, x1, x2)
//
// It depends on the expression and the machine alone, so all who evaluate it get the same bits.
#pragma once

#include "ridge/expr/expr.h"

namespace ridge::expr {

Expr form_fma(const Expr& e);

// Does the CPU of this machine have an instruction for it? If not, a function is a call of the C library,
// and nothing is formed.
bool cpu_has_fma();

}  // namespace ridge::expr
