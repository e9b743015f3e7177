// Quantized weights: blocks of bytes as the numbers they stand for.
//
//   Tensor w = dequantize(blocks, BlockFormat::q4_1);     u8[576, 960] -> f32[576, 1536]
//   Tensor y = linear(x, w);                              inside `compile`: read as blocks, never stored as f32
//
// Formats are those of core/block_format.h; int8, int4 in groups and fp8 are q8_0, q4_0 and
// q4_1, f8_e4m3.
#pragma once

#include <optional>

#include "ridge/core/block_format.h"
#include "ridge/ops/at.h"

namespace ridge {

// The last dimension holds whole blocks. No gradient reaches the blocks.
Tensor dequantize(const At& blocks, BlockFormat format);
// x W^T + b, as `linear`, of a weight in blocks [out, bytes of a row].
Tensor quantized_linear(const At& x, const At& blocks, BlockFormat format, const Tensor& bias = {});
// Rows of a table in blocks, as numbers.
Tensor quantized_embedding(const At& blocks, BlockFormat format, const At& index);

}  // namespace ridge
