// Elements between memory and registers, converted on the way.
//
// A mask says which lanes may touch memory; where it is off, a load gives zero (or any value) and
// a store does nothing. Null stands for all lanes.
#pragma once

#include "ridge/codegen/llvm/code.h"

namespace ridge::codegen {

struct MemoryOperand {
  Value* buffer;  // pointer to element 0
  DType dtype;
  bool is_constant = false;  // nothing writes to it while the kernel runs
};

// One element. `predicate` is a scalar.
Value* load_one(Code& code, const MemoryOperand& operand, Value* index, Value* predicate);
// How far ahead blocks of quantized weights are prefetched, in bytes: where rows are taken one by one, and several at
// once. Q4_1 from memory, a core of Zen 5: four rows at once take 28 us with 2 KiB, 24 with 4, 21 with 6, 20 with 8.
constexpr int64_t kAhead = 2048, kAheadOfRows = 8192;
// What lies so many bytes behind an element comes into the caches.
void prefetch(Code& code, const MemoryOperand& operand, Value* index, int64_t bytes);
// `lanes` elements beside each other from `index` on.
Value* load_run(Code& code, const MemoryOperand& operand, Value* index, unsigned lanes,
                Value* mask);
// An element for each lane; `indices` has lanes.
Value* gather(Code& code, const MemoryOperand& operand, Value* indices, Value* mask);

void store_one(Code& code, const MemoryOperand& operand, Value* index, Value* value);
void store_run(Code& code, const MemoryOperand& operand, Value* index, Value* value, Value* mask);
void scatter(Code& code, const MemoryOperand& operand, Value* indices, Value* value, Value* mask);

// Conversions: between register types as expressions mean them, and between registers and memory
// as core/element_cast.h means them. Each works on scalars and on lanes.
//
//   widen(<16 x i16>, bf16)        -> <16 x float>
//   narrow(<16 x float>, bf16)     -> <16 x i16>, rounded to nearest even, NaN stays NaN

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
