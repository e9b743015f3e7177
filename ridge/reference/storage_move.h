// Definitions over storage-only dtypes: allowed where elements are moved, not computed with.
//
//   select(i0 < 2, x0[i0], x1[i0 - 2])    moves elements of x0 and x1
//   x0[i0] + 1                            computes: Error{dtype}
//
// Elements of whole bytes are moved by their bits (see reader.h). Packed 4-bit tensors are copied
// whole or not at all.
#pragma once

#include <span>

#include "ridge/core/tensor.h"
#include "ridge/ops/definition.h"

namespace ridge::reference {

// Does the definition read or write elements that have no value?
bool touches_storage_only(std::span<const Tensor* const> operands, const Tensor& output);

// Error{dtype} unless the definition only moves them.
void check_moves(const ops::Definition& definition, std::span<const Tensor* const> operands,
                 const Tensor& output);

// The operand that the output is a plain copy of, byte for byte; null if there is none.
const Tensor* copied_operand(const ops::Definition& definition,
                             std::span<const Tensor* const> operands, const Tensor& output);

}  // namespace ridge::reference
