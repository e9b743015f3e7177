// The functions of expr/function.h on registers, scalar or in lanes.
//
// Arguments are already converted as the factories of expr promise (one common type where the
// function asks for it) and matched in lanes. `guard` narrows the lanes in which an error (a
// divisor of zero, an index out of range, a negative exponent) counts; null stands for all.
#pragma once

#include "ridge/codegen/llvm/emission.h"

namespace ridge::codegen {

// Not for `select`, whose sides are guarded by its condition.
Value* emit_function(Emission& emission, expr::Function function, llvm::ArrayRef<Value*> args,
                     Value* guard);

// integer_function.cpp
struct Quotient {
  Value* quotient;
  Value* rest;
};
// Rounds toward minus infinity; a divisor of zero is reported.
Quotient divide_integers(Emission& emission, Value* a, Value* b, Value* guard);
// The same for numbers below 2^53 in magnitude, as indices are, through double: lanes have no
// integer division.
Quotient divide_indices(Emission& emission, Value* a, Value* b, Value* guard);
Value* integer_power(Emission& emission, Value* base, Value* exponent, Value* guard);
Value* emit_philox(Code& code, llvm::ArrayRef<Value*> args);  // philox.cpp

// Which of `if_true` and `if_false` (matched, of one type), by a condition of any lanes.
Value* choose(Code& code, Value* condition, Value* if_true, Value* if_false);
// As expr/apply.cpp: NaN in either operand comes out.
Value* emit_min(Code& code, Value* a, Value* b);
Value* emit_max(Code& code, Value* a, Value* b);

}  // namespace ridge::codegen
