#include "ridge/ops/dequantize.h"

#include <array>

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/indexing.h"
#include "ridge/ops/matmul.h"
#include "ridge/ops/registry.h"

namespace ridge {

Tensor dequantize(const At& blocks, BlockFormat format) {
  static const auto& op = ops::find_op("dequantize");
  return dispatch::call_one(op, blocks.where(), blocks, static_cast<int64_t>(format));
}

Tensor quantized_linear(const At& x, const At& blocks, BlockFormat format, const Tensor& bias) {
  return linear(x, {dequantize(blocks, format), x.where()}, bias);
}

Tensor quantized_embedding(const At& blocks, BlockFormat format, const At& index) {
  return dequantize({embedding(blocks, index), index.where()}, format);
}

namespace ops {
namespace {

using expr::Expr;

BlockFormat format_of(const Call& call) {
  const int64_t format = call.integer("format");
  if (format < 0 || std::cmp_greater_equal(format, all_block_layouts().size())) {
    call.fail(ErrorCode::value, concat("a format from 0 to ", all_block_layouts().size() - 1),
              ridge::to_text(format));
  }
  return static_cast<BlockFormat>(format);
}

std::vector<Shape> numbers_shape(const Call& call) {
  const BlockLayout& layout = layout_of(format_of(call));
  Shape shape = call.shape(0);
  const auto bytes = shape.empty() ? std::nullopt : shape.back().known();
  if (shape.empty() || (bytes && *bytes % layout.bytes != 0)) {
    call.fail(ErrorCode::shape,
              concat("rows of whole blocks of ", layout.name, ", ", layout.bytes, " bytes each"),
              describe(call.operand(0)));
  }
  shape.back() = shape.back() / layout.bytes * layout.elements;
  return {shape};
}

// One block, by expressions: its bytes, and number `i` of it. What each format means is
// files/dequantize.cpp in plain code; a test holds the two equal.
class Block {
 public:
  Block(std::vector<Expr> position, int64_t block_bytes, int64_t block_elements)
      : row_(std::move(position)), i(mod(row_.back(), block_elements)) {
    first_ = floor_div(row_.back(), block_elements) * block_bytes;
  }

  Expr number(BlockFormat format) const {
    switch (format) {
      case BlockFormat::q4_0: return f16(0) * real(nibble(2, i) - 8);
      case BlockFormat::q4_1: return fma(f16(0), real(nibble(4, i)), f16(2));
      case BlockFormat::q5_0: return f16(0) * real(nibble(6, i) + bit(2, i) * 16 - 16);
      case BlockFormat::q5_1: return fma(f16(0), real(nibble(8, i) + bit(4, i) * 16), f16(2));
      case BlockFormat::q8_0: return f16(0) * real(signed_byte(2 + i));
      case BlockFormat::q2_k: return q2_k();
      case BlockFormat::q3_k: return q3_k();
      case BlockFormat::q4_k: return q4_k();
      case BlockFormat::q5_k: return q5_k();
      case BlockFormat::q6_k: return q6_k();
      case BlockFormat::iq4_nl: return f16(0) * level(nibble(2, i));
      case BlockFormat::iq4_xs: return iq4_xs();
      case BlockFormat::f8_e4m3: return f16(0) * e4m3(byte(2 + i));
    }
    RIDGE_INTERNAL_CHECK(false, "a block format without a definition");
  }

 private:
  static Expr real(const Expr& e) { return cast(e, expr::Type::real); }
  static Expr bits(const Expr& e, const Expr& from, int count) {
    return mod(shift_right(e, from), int64_t{1} << count);
  }

  Expr byte(const Expr& at) const {
    std::vector<Expr> position = row_;
    position.back() = first_ + at;
    return expr::load(0, expr::Type::integer, std::move(position));
  }
  Expr signed_byte(const Expr& at) const { return mod(byte(at) + 128, 256) - 128; }
  Expr u16(const Expr& at) const { return byte(at) + byte(at + 1) * 256; }
  Expr f16(int64_t at) const { return f16_value(u16(at)); }
  // Nibbles of 16 bytes: the low ones are numbers 0 to 15, the high ones 16 to 31.
  Expr nibble(const Expr& at, const Expr& of) const {
    return bits(byte(at + mod(of, 16)), floor_div(of, 16) * 4, 4);
  }
  Expr bit(const Expr& at, const Expr& of) const {
    return bits(byte(at + floor_div(of, 8)), mod(of, 8), 1);
  }
  // In blocks of 256: each half has 32 bytes, each of which has one number of every quarter of it.
  Expr two_bits(const Expr& at) const {
    return bits(byte(at + floor_div(i, 128) * 32 + mod(i, 32)), floor_div(mod(i, 128), 32) * 2, 2);
  }
  // In blocks of 256: 32 bytes hold 64 numbers, the low nibbles the first half.
  Expr nibble_of_64(const Expr& at) const {
    return bits(byte(at + floor_div(i, 64) * 32 + mod(i, 32)), floor_div(mod(i, 64), 32) * 4, 4);
  }
  // As bits of an f16, whose exponent is 8 larger by its bias.
  static Expr e4m3(const Expr& code) {
    return f16_value(mod(code, 128) * 128 + shift_right(code, 7) * 32768) * 256.0;
  }
  // Levels of the iq4 formats, denser around zero.
  static Expr level(const Expr& code) {
    constexpr std::array<int, 16> kLevels = {-127, -104, -83, -65, -49, -35, -22, -10,
                                             1,    13,   25,  38,  53,  69,  89,  113};
    Expr result = real(kLevels[15]);
    for (int k = 14; k >= 0; --k) result = select(code <= k, real(kLevels[size_t(k)]), result);
    return result;
  }

  Expr q2_k() const {
    const Expr both = byte(floor_div(i, 16));
    const Expr scale = f16(80) * real(mod(both, 16)),
               minimum = f16(82) * real(shift_right(both, 4));
    return fma(scale, real(two_bits(16)), -minimum);
  }
  Expr q3_k() const {
    const Expr group = floor_div(i, 16);
    const Expr low = bits(byte(96 + mod(group, 8)), floor_div(group, 8) * 4, 4);
    const Expr high = bits(byte(104 + mod(group, 4)), floor_div(group, 4) * 2, 2);
    const Expr third = bits(byte(mod(i, 32)), floor_div(i, 32), 1);
    return f16(108) * real(low + high * 16 - 32) * real(two_bits(32) + third * 4 - 4);
  }
  // Eight 6-bit scales and minima in the 12 bytes from 4 on: of the first four the low six bits of bytes 0
  // to 3 and 4 to 7; of the others a nibble of bytes 8 to 11, and above it the top bits of bytes 0 to 7.
  Expr scaled(const Expr& code) const {
    const Expr group = floor_div(i, 32);
    const Expr both = byte(4 + group + 4);
    const Expr top = byte(4 + group - 4 * floor_div(group, 4));
    const Expr scale = select(group < 4, mod(top, 64), mod(both, 16) + shift_right(top, 6) * 16);
    const Expr above = byte(4 + group + 4 - 4 * floor_div(group, 4));
    const Expr minimum =
        select(group < 4, mod(above, 64), shift_right(both, 4) + shift_right(above, 6) * 16);
    return fma(f16(0) * real(scale), real(code), -(f16(2) * real(minimum)));
  }
  Expr q4_k() const { return scaled(nibble_of_64(16)); }
  Expr q5_k() const {
    return scaled(nibble_of_64(48) + bits(byte(16 + mod(i, 32)), floor_div(i, 32), 1) * 16);
  }
  Expr q6_k() const {
    const Expr at = floor_div(i, 128) * 64 + mod(i, 64);
    const Expr low = bits(byte(at), floor_div(mod(i, 128), 64) * 4, 4);
    return f16(208) * real(signed_byte(192 + floor_div(i, 16))) *
           real(low + two_bits(128) * 16 - 32);
  }
  Expr iq4_xs() const {
    const Expr group = floor_div(i, 32);
    const Expr low = bits(byte(4 + floor_div(group, 2)), mod(group, 2) * 4, 4);
    const Expr high = bits(u16(2), group * 2, 2);
    return f16(0) * real(low + high * 16 - 32) * level(nibble(8 + group * 16, mod(i, 32)));
  }

  std::vector<Expr> row_;
  Expr first_;  // byte of the block
  Expr i;
};

Definition define_dequantize(const Call& call) {
  const BlockFormat format = format_of(call);
  const BlockLayout& layout = layout_of(format);
  Definition definition{.extents = numbers_shape(call)[0]};
  definition.output_rank = definition.extents.size();
  definition.value =
      Block(all_axes(definition.output_rank), layout.bytes, layout.elements).number(format);
  return definition;
}

DTypeRule blocks_to_f32() {
  return {"u8 to f32", {Accept::integer}, [](const Call& call) -> DTypes {
            if (call.operand(0).dtype() != u8) {
              call.fail(ErrorCode::dtype, "blocks as u8", describe(call.operand(0)));
            }
            return {{u8}, {f32}};
          }};
}

void block_samples(SampleMaker& m) {
  if (m.dtype() != u8) return;
  for (const BlockLayout& layout : all_block_layouts()) {
    // Bytes of which no two are an f16 above 32.
    const Shape shape = {2, layout.bytes * (layout.elements > 32 ? 1 : 3)};
    m.add(m.integers(shape, 0, 0x4f, u8), static_cast<int64_t>(layout.format));
  }
}

}  // namespace

void register_dequantize(Registry& ops) {
  ops.add({.schema = "dequantize(Tensor blocks, Int format) -> Tensor",
           .doc = "the numbers that blocks of quantized weights stand for",
           .dtype = blocks_to_f32,
           .shape = numbers_shape,
           .define = define_dequantize,
           .differentiable = false,
           .samples = block_samples});
}

}  // namespace ops
}  // namespace ridge
