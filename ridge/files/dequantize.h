// What the bytes of quantized blocks mean, as plain scalar code: the reference for kernels that
// dequantize in registers, and the way to numbers where speed does not matter.
//
//   std::vector<float> row(1536);
//   dequantize(BlockFormat::q4_1, bytes, row);      48 blocks of 20 bytes to 1536 numbers
//
// Values of GGUF's formats are those of its own definition, in f32 arithmetic, rounded after each operation.
#pragma once

#include <cstddef>
#include <span>

#include "ridge/files/weights.h"

namespace ridge::files {

// Whole blocks: Error{value} unless `out` has as many numbers as `blocks` stands for.
void dequantize(BlockFormat format, std::span<const std::byte> blocks, std::span<float> out);

// The numbers of a stored tensor: f32 of its logical shape if it is quantized, else its data.
Tensor dequantized(const StoredTensor& tensor);

}  // namespace ridge::files
