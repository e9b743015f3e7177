// What a register holds of elements in memory: floats as f32 or f64, integers as i64, booleans as such.
// Narrower ones wrap or round when they are stored.
#pragma once

#include "ridge/core/dtype.h"
#include "ridge/expr/expr.h"

namespace ridge::schedule {

// The register type of elements of a dtype.
DType register_dtype(DType dtype);

// A value as an element of that dtype has it, in its register. By core/element_cast.h a real becomes
// the nearest integer that the dtype has, not only the nearest of 64 bits.
expr::Expr stored_as(const expr::Expr& e, DType dtype);

// Does a register of `from` hold the value that storing as `to` would give?
bool is_exact_as(DType from, DType to);

}  // namespace ridge::schedule
