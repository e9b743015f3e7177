// Block formats of quantized weights: how GGUF files keep a row of numbers in few bits.
//
// A row is cut into blocks of 32 or 256 numbers, and a block is a fixed number of bytes: scales, minima
// and the bits of each number. A quantized tensor is a u8 tensor of raw blocks beside its logical shape:
//
//   logical [576, 1536], q4_1     blocks u8[576, 960]: 48 blocks of 20 bytes in a row
//
// What the bytes of a block mean is defined by `dequantize` (files/dequantize.h). f8_e4m3 is no format of
// GGUF but of nn::quantize alone: fp8 storage, with a scale for every 32 numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ridge {

enum class BlockFormat : uint8_t {
  q4_0,
  q4_1,
  q5_0,
  q5_1,
  q8_0,
  q2_k,
  q3_k,
  q4_k,
  q5_k,
  q6_k,
  iq4_nl,
  iq4_xs,
  f8_e4m3,
};

struct BlockLayout {
  BlockFormat format;
  std::string_view name;  // "q4_1", as errors and commands write it
  int64_t elements;       // numbers in a block
  int64_t bytes;          // of a block
};

std::span<const BlockLayout> all_block_layouts();
const BlockLayout& layout_of(BlockFormat format);
inline std::string_view name(BlockFormat format) { return layout_of(format).name; }

}  // namespace ridge
