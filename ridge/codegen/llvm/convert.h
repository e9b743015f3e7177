// Conversions: between register types as expressions mean them, and between registers and memory
// as core/element_cast.h means them. Each works on scalars and on lanes.
//
//   widen(<16 x i16>, bf16)        -> <16 x float>
//   narrow(<16 x float>, bf16)     -> <16 x i16>, rounded to nearest even, NaN stays NaN
#pragma once

#include "ridge/codegen/llvm/code.h"

namespace ridge::codegen {

// `real` is the scalar type that reals have: float or double. A real becomes an integer by
// truncation; what does not fit saturates and NaN gives 0.
Value* convert(Code& code, Value* value, expr::Type type, llvm::Type* real);
Value* convert(Code& code, Value* value, DType register_dtype);

// How an element lies in memory, as a scalar LLVM type.
llvm::Type* storage_type(Code& code, DType dtype);
Value* widen(Code& code, Value* element, DType dtype);
Value* narrow(Code& code, Value* value, DType dtype);
// The value as if it had been stored and loaded again; its type does not change.
Value* round_through(Code& code, Value* value, DType dtype);

}  // namespace ridge::codegen
