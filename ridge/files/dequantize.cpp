#include "ridge/files/dequantize.h"

#include <array>
#include <cstring>

#include "ridge/base/text.h"

namespace ridge::files {
namespace {

// The bytes of one block; a member of it is found by its offset.
struct Block {
  const std::byte* bytes;

  int u8(int64_t at) const { return std::to_integer<int>(bytes[at]); }
  int i8(int64_t at) const { return static_cast<int8_t>(u8(at)); }
  int u16(int64_t at) const { return u8(at) | u8(at + 1) << 8; }
  float f16(int64_t at) const {
    Half half;
    std::memcpy(&half.bits, bytes + at, sizeof(half.bits));
    return static_cast<float>(half);
  }
  // Nibbles of 16 bytes: the low ones are numbers 0 to 15, the high ones 16 to 31.
  int nibble(int64_t at, int i) const { return u8(at + i % 16) >> (i < 16 ? 0 : 4) & 15; }
  int bit(int64_t at, int i) const { return u8(at + i / 8) >> (i % 8) & 1; }
};

// Levels of the iq4 formats, denser around zero.
constexpr std::array<float, 16> kLevels = {-127, -104, -83, -65, -49, -35, -22, -10,
                                           1,    13,   25,  38,  53,  69,  89,  113};

// scale, 16 bytes of nibbles
void q4_0(Block b, float* out) {
  const float scale = b.f16(0);
  for (int i = 0; i < 32; ++i) out[i] = scale * static_cast<float>(b.nibble(2, i) - 8);
}

// scale, minimum, nibbles
void q4_1(Block b, float* out) {
  const float scale = b.f16(0), minimum = b.f16(2);
  for (int i = 0; i < 32; ++i) out[i] = scale * static_cast<float>(b.nibble(4, i)) + minimum;
}

// scale, 32 fifth bits, nibbles
void q5_0(Block b, float* out) {
  const float scale = b.f16(0);
  for (int i = 0; i < 32; ++i) {
    out[i] = scale * static_cast<float>((b.nibble(6, i) | b.bit(2, i) << 4) - 16);
  }
}

// scale, minimum, fifth bits, nibbles
void q5_1(Block b, float* out) {
  const float scale = b.f16(0), minimum = b.f16(2);
  for (int i = 0; i < 32; ++i) {
    out[i] = scale * static_cast<float>(b.nibble(8, i) | b.bit(4, i) << 4) + minimum;
  }
}

// scale, 32 signed bytes
void q8_0(Block b, float* out) {
  const float scale = b.f16(0);
  for (int i = 0; i < 32; ++i) out[i] = scale * static_cast<float>(b.i8(2 + i));
}

// In blocks of 256, two bits of number i: each half of 128 numbers has 32 bytes, and each byte has one
// number of every quarter of it.
int two_bits(Block b, int64_t at, int i) {
  return b.u8(at + i / 128 * 32 + i % 32) >> (i % 128 / 32 * 2) & 3;
}

// 16 bytes of 4-bit scale and 4-bit minimum, 64 bytes of numbers, scale of scales, scale of minima
void q2_k(Block b, float* out) {
  const float scale = b.f16(80), minimum = b.f16(82);
  for (int i = 0; i < 256; ++i) {
    const int both = b.u8(i / 16);
    const float s = scale * static_cast<float>(both & 15);
    const float m = minimum * static_cast<float>(both >> 4);
    out[i] = s * static_cast<float>(two_bits(b, 16, i)) - m;
  }
}

// 32 bytes of third bits, 64 bytes of numbers, 12 bytes of sixteen 6-bit scales, scale of scales
void q3_k(Block b, float* out) {
  const float scale = b.f16(108);
  for (int i = 0; i < 256; ++i) {
    const int group = i / 16;
    const int low = b.u8(96 + group % 8) >> (group / 8 * 4) & 15;
    const int high = b.u8(104 + group % 4) >> (group / 4 * 2) & 3;
    const float s = scale * static_cast<float>((low | high << 4) - 32);
    const int third = b.u8(i % 32) >> (i / 32) & 1;
    out[i] = s * static_cast<float>(two_bits(b, 32, i) + third * 4 - 4);
  }
}

// Eight 6-bit scales and minima in 12 bytes: of the first four the low six bits of bytes 0 to 3 and 4 to
// 7; of the others a nibble of bytes 8 to 11, and above it the top bits of bytes 0 to 7.
struct ScaleAndMinimum {
  float scale, minimum;
};
ScaleAndMinimum six_bits(Block b, int64_t at, int group) {
  if (group < 4) {
    return {static_cast<float>(b.u8(at + group) & 63),
            static_cast<float>(b.u8(at + group + 4) & 63)};
  }
  const int both = b.u8(at + group + 4);
  return {static_cast<float>((both & 15) | b.u8(at + group - 4) >> 6 << 4),
          static_cast<float>(both >> 4 | b.u8(at + group) >> 6 << 4)};
}

// In blocks of 256, the nibble of number i: 32 bytes hold 64 numbers, the low nibbles the first half.
int nibble_of_64(Block b, int64_t at, int i) {
  return b.u8(at + i / 64 * 32 + i % 32) >> (i % 64 / 32 * 4) & 15;
}

// scale of scales, scale of minima, 12 bytes of them, 128 bytes of nibbles
void q4_k(Block b, float* out) {
  const float scale = b.f16(0), minimum = b.f16(2);
  for (int i = 0; i < 256; ++i) {
    const ScaleAndMinimum group = six_bits(b, 4, i / 32);
    out[i] =
        scale * group.scale * static_cast<float>(nibble_of_64(b, 16, i)) - minimum * group.minimum;
  }
}

// as q4_k, with 32 bytes of fifth bits before the nibbles
void q5_k(Block b, float* out) {
  const float scale = b.f16(0), minimum = b.f16(2);
  for (int i = 0; i < 256; ++i) {
    const ScaleAndMinimum group = six_bits(b, 4, i / 32);
    const int fifth = b.u8(16 + i % 32) >> (i / 32) & 1;
    out[i] = scale * group.scale * static_cast<float>(nibble_of_64(b, 48, i) | fifth << 4) -
             minimum * group.minimum;
  }
}

// 128 bytes of low nibbles, 64 bytes of high bits, 16 signed scales, scale of scales
void q6_k(Block b, float* out) {
  const float scale = b.f16(208);
  for (int i = 0; i < 256; ++i) {
    // 64 bytes hold the nibbles of 128 numbers, the low ones the first half.
    const int low = b.u8(i / 128 * 64 + i % 64) >> (i % 128 / 64 * 4) & 15;
    const int value = (low | two_bits(b, 128, i) << 4) - 32;
    out[i] = scale * static_cast<float>(b.i8(192 + i / 16)) * static_cast<float>(value);
  }
}

// scale, nibbles that number levels
void iq4_nl(Block b, float* out) {
  const float scale = b.f16(0);
  for (int i = 0; i < 32; ++i) out[i] = scale * kLevels[static_cast<size_t>(b.nibble(2, i))];
}

// scale of scales, the high two bits of eight 6-bit scales, their low four, nibbles that number levels
void iq4_xs(Block b, float* out) {
  const float scale = b.f16(0);
  for (int i = 0; i < 256; ++i) {
    const int group = i / 32;
    const int low = b.u8(4 + group / 2) >> (group % 2 * 4) & 15;
    const int high = b.u16(2) >> (group * 2) & 3;
    const float s = scale * static_cast<float>((low | high << 4) - 32);
    out[i] = s * kLevels[static_cast<size_t>(b.nibble(8 + group * 16, i % 32))];
  }
}

// The sign, exponent and fraction of an e4m3 stand at the top of those of an f16, whose exponent has another
// bias: 2^8 is between them, for subnormals too. The codes of NaN, which nothing writes, are 480 so.
float e4m3(int code) {
  Half half;
  half.bits = static_cast<uint16_t>((code & 127) << 7 | (code & 128) << 8);
  return static_cast<float>(half) * 256;
}

// scale, 32 numbers of 8 bits
void f8_e4m3(Block b, float* out) {
  const float scale = b.f16(0);
  for (int i = 0; i < 32; ++i) out[i] = scale * e4m3(b.u8(2 + i));
}

using Dequantize = void (*)(Block, float*);

Dequantize function_of(BlockFormat format) {
  switch (format) {
    case BlockFormat::q4_0: return q4_0;
    case BlockFormat::q4_1: return q4_1;
    case BlockFormat::q5_0: return q5_0;
    case BlockFormat::q5_1: return q5_1;
    case BlockFormat::q8_0: return q8_0;
    case BlockFormat::q2_k: return q2_k;
    case BlockFormat::q3_k: return q3_k;
    case BlockFormat::q4_k: return q4_k;
    case BlockFormat::q5_k: return q5_k;
    case BlockFormat::q6_k: return q6_k;
    case BlockFormat::iq4_nl: return iq4_nl;
    case BlockFormat::iq4_xs: return iq4_xs;
    case BlockFormat::f8_e4m3: return f8_e4m3;
  }
  RIDGE_INTERNAL_CHECK(false, "a block format without a definition");
}

}  // namespace

void dequantize(BlockFormat format, std::span<const std::byte> blocks, std::span<float> out) {
  const BlockLayout& layout = layout_of(format);
  const auto bytes = static_cast<size_t>(layout.bytes);
  const auto elements = static_cast<size_t>(layout.elements);
  RIDGE_CHECK(
      blocks.size() % bytes == 0 && blocks.size() / bytes * elements == out.size(),
      .code = ErrorCode::value, .op = "dequantize",
      .expected = concat("blocks of ", bytes, " bytes for ", elements, " numbers of ", layout.name),
      .given = concat(blocks.size(), " bytes for ", out.size(), " numbers"));
  const Dequantize one = function_of(format);
  for (size_t i = 0; i < blocks.size() / bytes; ++i) {
    one({blocks.data() + i * bytes}, out.data() + i * elements);
  }
}

Tensor dequantized(const StoredTensor& tensor) {
  if (!tensor.blocks) return tensor.data;
  const Tensor out = Tensor::empty(shape_of(tensor.shape), f32);
  const auto count = static_cast<size_t>(out.numel().value());
  if (count == 0) return out;
  const auto bytes = static_cast<size_t>(tensor.data.numel().value());
  dequantize(*tensor.blocks, {static_cast<const std::byte*>(tensor.data.raw_data()), bytes},
             {out.data<float>(), count});
  return out;
}

}  // namespace ridge::files
