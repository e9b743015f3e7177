#include "ridge/nn/quantize.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/dequantize.h"
#include "ridge/ops/view.h"

namespace ridge::nn {
namespace {

constexpr float kLargestWeight = 65504;  // the largest f16

void store_f16(unsigned char* at, float value) {
  const Half half(value);
  std::memcpy(at, &half.bits, sizeof(half.bits));
}

// 0 for a scale too small to divide by: an f16 has none of it, and its numbers are stored as 0.
float inverse(float scale) {
  const float by = 1 / scale;
  return std::isfinite(by) ? by : 0;
}

// Scale, 32 signed bytes.
void encode_q8_0(std::span<const float> x, unsigned char* out) {
  float largest = 0;
  for (const float v : x) largest = std::max(largest, std::fabs(v));
  const float scale = largest / 127, by = inverse(scale);
  store_f16(out, scale);
  for (size_t i = 0; i < x.size(); ++i) {
    out[2 + i] = static_cast<unsigned char>(static_cast<int>(std::round(x[i] * by)));
  }
}

void store_nibbles(unsigned char* out, std::span<const float> codes) {
  const auto code = [&](size_t i) { return static_cast<unsigned>(std::min(15.0f, codes[i])); };
  for (size_t i = 0; i < 16; ++i) {
    out[i] = static_cast<unsigned char>(code(i) | code(i + 16) << 4);
  }
}

// Scale, nibbles around 8; the number of largest magnitude is exact, as -8.
void encode_q4_0(std::span<const float> x, unsigned char* out) {
  const float extreme =
      *std::ranges::max_element(x, [](float a, float b) { return std::fabs(a) < std::fabs(b); });
  const float scale = extreme / -8, by = inverse(scale);
  store_f16(out, scale);
  std::vector<float> codes;
  for (const float v : x) codes.push_back(v * by + 8.5f);
  store_nibbles(out + 2, codes);
}

// Scale, minimum, nibbles.
void encode_q4_1(std::span<const float> x, unsigned char* out) {
  const auto [low, high] = std::ranges::minmax(x);
  const float scale = (high - low) / 15, by = inverse(scale);
  store_f16(out, scale);
  store_f16(out + 2, low);
  std::vector<float> codes;
  for (const float v : x) codes.push_back((v - low) * by + 0.5f);
  store_nibbles(out + 4, codes);
}

// The nearest e4m3, ties to even, of a number from -448 to 448.
unsigned char e4m3_code(float x) {
  constexpr int kLeastExponent = -6, kLargestCode = 126;
  const float size = std::fabs(x);
  const int exponent = size == 0 ? kLeastExponent : std::max(std::ilogb(size), kLeastExponent);
  const auto steps = static_cast<int>(std::nearbyint(std::ldexp(size, 3 - exponent)));
  // Subnormals have the least exponent and fewer than 8 steps; 16 of them carry into the exponent.
  const int code = std::min((exponent - kLeastExponent) * 8 + steps, kLargestCode);
  return static_cast<unsigned char>(code | (std::signbit(x) ? 128 : 0));
}

// Scale, 32 numbers in e4m3.
void encode_f8_e4m3(std::span<const float> x, unsigned char* out) {
  float largest = 0;
  for (const float v : x) largest = std::max(largest, std::fabs(v));
  const Half scale(largest / 448);
  const float by = inverse(static_cast<float>(scale));
  store_f16(out, static_cast<float>(scale));
  for (size_t i = 0; i < x.size(); ++i) out[2 + i] = e4m3_code(x[i] * by);
}

using Encode = void (*)(std::span<const float>, unsigned char*);

Encode encoder_of(BlockFormat format, Location where) {
  if (format == BlockFormat::q8_0) return encode_q8_0;
  if (format == BlockFormat::q4_0) return encode_q4_0;
  if (format == BlockFormat::q4_1) return encode_q4_1;
  if (format == BlockFormat::f8_e4m3) return encode_f8_e4m3;
  throw_error({.code = ErrorCode::value,
               .op = "quantize",
               .expected = "a format to write: q8_0, q4_0, q4_1 or f8_e4m3",
               .given = concat(name(format), ", which is only read"),
               .where = where});
}

bool is_wanted(const QuantizeOptions& options, const std::string& path) {
  return options.layers.empty() || std::ranges::any_of(options.layers, [&](const auto& name) {
           return path == name || path.ends_with("." + name);
         });
}

Tensor as_floats(const Tensor& weight) { return contiguous(to_device(cast(weight, f32), kCpu)); }

int64_t bytes_of(const Tensor& t) {
  return static_cast<int64_t>(bytes_for(t.dtype(), t.numel().value()));
}

}  // namespace

Tensor quantized_blocks(const Tensor& weight, BlockFormat format, Location where) {
  const Encode encode = encoder_of(format, where);
  const BlockLayout& layout = layout_of(format);
  const bool has_blocks = weight.rank() > 0 && weight.size(-1).value() % layout.elements == 0 &&
                          is_floating(weight.dtype());
  RIDGE_CHECK(has_blocks, .code = ErrorCode::shape, .op = "quantize",
              .expected = concat("floating rows of whole blocks of ", layout.elements, " numbers"),
              .given = describe(weight), .where = where);
  const Tensor numbers = as_floats(weight);
  Shape shape = weight.shape();
  shape.back() = weight.size(-1).value() / layout.elements * layout.bytes;
  const Tensor blocks = Tensor::empty(shape, u8);
  const int64_t count = numbers.numel().value() / layout.elements;
  for (int64_t i = 0; i < count; ++i) {
    const std::span<const float> x(numbers.data<float>() + i * layout.elements,
                                   static_cast<size_t>(layout.elements));
    const auto bad =
        std::ranges::find_if_not(x, [](float v) { return std::fabs(v) <= kLargestWeight; });
    RIDGE_CHECK(bad == x.end(), .code = ErrorCode::value, .op = "quantize",
                .expected = concat("numbers of at most ", kLargestWeight,
                                   ", of which an f16 can hold scale and minimum"),
                .given = concat(*bad), .where = where);
    encode(x, blocks.data<uint8_t>() + i * layout.bytes);
  }
  return to_device(blocks, weight.device());
}

namespace detail {

QuantizedLayer quantize_weight(const std::string& path, Tensor& weight,
                               std::optional<BlockFormat>& format, const QuantizeOptions& options,
                               Location where) {
  const BlockLayout& layout = layout_of(options.format);
  encoder_of(options.format, where);
  QuantizedLayer result{.path = path};
  result.bytes_before = result.bytes_after = bytes_of(weight);
  const auto left_alone = [&](std::string reason) {
    result.is_quantized = false;
    result.reason = std::move(reason);
    return result;
  };
  if (!is_wanted(options, path)) return left_alone("not asked for");
  if (format) return left_alone(concat("is ", name(*format), " already"));
  const int64_t width = weight.size(-1).value();
  if (width % layout.elements != 0) {
    return left_alone(concat("rows of ", width, " are no blocks of ", layout.elements));
  }
  const Tensor blocks = quantized_blocks(weight, options.format, where);
  const Tensor before = as_floats(weight), after = as_floats(dequantize(blocks, options.format));
  double wrong = 0, all = 0;
  for (int64_t i = 0; i < before.numel().value(); ++i) {
    const double x = before.data<float>()[i], y = after.data<float>()[i];
    wrong += (x - y) * (x - y);
    all += x * x;
  }
  result.error = all == 0 ? 0 : std::sqrt(wrong / all);
  weight = blocks;
  format = options.format;
  result.bytes_after = bytes_of(blocks);
  return result;
}

}  // namespace detail
}  // namespace ridge::nn
