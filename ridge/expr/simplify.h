// Simplification that never changes a value.
//
// Integer expressions come out in one canonical form (a sum of products with sorted terms), so that
// equal index expressions are usually equal trees, which is what exact index matching in the
// scheduler rests on. Real expressions are only touched where IEEE results stay the same
// (x * 1, x - 0, select with a constant condition); no reassociation, no x * 0.
//
//   (a + b) * 2 - 2 * a          ->  2 * b
//   floor_div(12 * i + j, 12)    ->  i          when 0 <= j < 12
//   mod(12 * i + j, 12)          ->  j          when 0 <= j < 12
#pragma once

#include "ridge/expr/expr.h"
#include "ridge/expr/interval.h"

namespace ridge::expr {

Expr simplify(const Expr& e, const AxisRanges& axes = {});

// A condition, simplified, whose comparisons have lost the terms that cannot decide them, so that neighbors which
// share the outcome share the condition; itself if there are none. Not a rule of `simplify`: elsewhere a condition is
// best in the terms of the addresses it stands by.
//   12 * i + j < 120             ->  i < 10     when 0 <= j < 12
Expr without_rests(const Expr& e, const AxisRanges& axes = {});

// Coefficients of an integer expression that is affine in the axes 0 .. axis_count-1:
// e = constant + sum_i coefficient[i] * axis(i), where constant and coefficients hold no axis.
struct Affine {
  Expr constant;
  std::vector<Expr> coefficients;
};
std::optional<Affine> as_affine(const Expr& e, int axis_count);

// Makes one function of a product and the sum that alone reads it, inside of one expression:
//
//   x0 * x1 + x2      ->     fma(x0, x1, x2)
//   x2 - x0 * x1      ->     fma(-x0, x1, x2)
//
// It depends on the expression and the machine alone, so all who evaluate it get the same bits.

Expr form_fma(const Expr& e);

// Does the CPU of this machine have an instruction for it? If not, a function is a call of the C library,
// and nothing is formed.
bool cpu_has_fma();

}  // namespace ridge::expr
