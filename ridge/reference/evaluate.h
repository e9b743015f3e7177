// The value of a definition, by plain loops over its extents.
//
//   for each point of the result
//     for each point of the reduced axes, row-major
//       combine the value of the expression there
//     round once, to the dtype of the result
//
// Reals are accumulated in double and integers in 64 bits, in the order of the loops. A scatter
// starts from `initial`, or from the value of an empty range where the definition gives none, and
// combines in row-major order of its points; it rounds once, too, after the last one.
//
// Operands may be strided, expanded, 0-d or empty. If anything throws (Error{index} from
// checked_index, Error{value} from an integer division), the output is left with any values.
#pragma once

#include <span>

#include "ridge/core/tensor.h"
#include "ridge/ops/definition.h"

namespace ridge::reference {

// `operands` by number, null where left out; `compute`: the dtypes they are converted to,
// ops::DTypes::inputs; `params`: numbers given as attributes, by position in the schema; `output`
// contiguous, in the shape that the definition gives.
void evaluate(const ops::Definition& definition, std::span<const Tensor* const> operands,
              std::span<const DType> compute, std::span<const expr::Number> params,
              const Tensor& output);

// Definitions over storage-only dtypes: allowed where elements are moved, not computed with.
//
//   select(i0 < 2, x0[i0], x1[i0 - 2])    moves elements of x0 and x1
//   x0[i0] + 1                            computes: Error{dtype}
//
// Elements of whole bytes are moved by their bits (see reader.h). Packed 4-bit tensors are copied
// whole or not at all.

// Does the definition read or write elements that have no value?
bool touches_storage_only(std::span<const Tensor* const> operands, const Tensor& output);

// Error{dtype} unless the definition only moves them.
void check_moves(const ops::Definition& definition, std::span<const Tensor* const> operands,
                 const Tensor& output);

// The operand that the output is a plain copy of, byte for byte; null if there is none.
const Tensor* copied_operand(const ops::Definition& definition,
                             std::span<const Tensor* const> operands, const Tensor& output);

}  // namespace ridge::reference
