#include <algorithm>
#include <bit>

#include "ridge/core/dtype.h"

namespace ridge {
namespace {

// A 16-bit format: sign, then exponent, then mantissa.
struct Format {
  int mantissa_bits;
  int min_exponent;  // of the normal numbers: the smallest is 2^min_exponent

  constexpr int exponent_bits() const { return 15 - mantissa_bits; }
  constexpr uint64_t infinity() const {
    return ((uint64_t{1} << exponent_bits()) - 1) << mantissa_bits;
  }
};
constexpr Format kHalf{.mantissa_bits = 10, .min_exponent = -14};
constexpr Format kBFloat16{.mantissa_bits = 7, .min_exponent = -126};

constexpr int kDoubleMantissaBits = 52;
constexpr int kDoubleBias = 1023;
constexpr uint64_t kDoubleInfinity = uint64_t{0x7ff} << kDoubleMantissaBits;

constexpr uint16_t narrow(Format format, double value) {
  const auto word = std::bit_cast<uint64_t>(value);
  const uint64_t sign = word >> 63 << 15;
  const uint64_t magnitude = word & ~(uint64_t{1} << 63);
  const int dropped_bits = kDoubleMantissaBits - format.mantissa_bits;

  if (magnitude > kDoubleInfinity) {
    // The payload is kept as far as it fits. If nothing is left of it, a bit must be set, or the
    // NaN would turn into infinity.
    uint64_t payload = magnitude >> dropped_bits & ~format.infinity() & 0x7fff;
    if (payload == 0) payload = uint64_t{1} << (format.mantissa_bits - 1);
    return static_cast<uint16_t>(sign | format.infinity() | payload);
  }

  const int exponent = static_cast<int>(magnitude >> kDoubleMantissaBits) - kDoubleBias;
  if (exponent > 1 - format.min_exponent) return static_cast<uint16_t>(sign | format.infinity());

  // The significand as an integer in units of the result's last place. Below the normal range
  // that unit stays where it is, so more bits are dropped and the result is subnormal. Subnormal
  // doubles would need no leading one here, but they are far too small to matter.
  const int unit_exponent = std::max(exponent, format.min_exponent);
  const int shift = dropped_bits + (unit_exponent - exponent);
  if (shift > kDoubleMantissaBits + 1) return static_cast<uint16_t>(sign);
  const uint64_t one = uint64_t{1} << kDoubleMantissaBits;
  const uint64_t significand = (magnitude & (one - 1)) | one;
  uint64_t rounded = significand >> shift;
  const uint64_t rest = significand - (rounded << shift);
  const uint64_t tie = uint64_t{1} << (shift - 1);
  if (rest > tie || (rest == tie && rounded % 2 == 1)) ++rounded;

  // Adding, not or-ing: the leading one of a normal number, and a carry out of rounding, both
  // belong in the exponent. A carry out of the largest number gives exactly infinity.
  const uint64_t binade = static_cast<uint64_t>(unit_exponent - format.min_exponent);
  const uint64_t result = (binade << format.mantissa_bits) + rounded;
  return static_cast<uint16_t>(sign | std::min(result, format.infinity()));
}

constexpr double widen(Format format, uint16_t bits) {
  const uint64_t sign = uint64_t{bits} >> 15 << 63;
  const uint64_t magnitude = bits & 0x7fffu;
  const int added_bits = kDoubleMantissaBits - format.mantissa_bits;
  const uint64_t mantissa = magnitude & ((uint64_t{1} << format.mantissa_bits) - 1);
  const uint64_t exponent_field = magnitude >> format.mantissa_bits;

  if (magnitude >= format.infinity()) {
    return std::bit_cast<double>(sign | kDoubleInfinity | mantissa << added_bits);
  }
  // Zero and subnormals: an integer times the smallest subnormal, exact in double.
  if (exponent_field == 0) {
    const auto unit_exponent =
        static_cast<uint32_t>(format.min_exponent - format.mantissa_bits + kDoubleBias);
    const double unit =
        std::bit_cast<double>(sign | uint64_t{unit_exponent} << kDoubleMantissaBits);
    return static_cast<double>(mantissa) * unit;
  }
  const uint64_t exponent =
      exponent_field + static_cast<uint64_t>(kDoubleBias + format.min_exponent - 1);
  return std::bit_cast<double>(sign | exponent << kDoubleMantissaBits | mantissa << added_bits);
}

}  // namespace

Half::Half(double value) : bits(narrow(kHalf, value)) {}
Half::operator double() const { return widen(kHalf, bits); }

BFloat16::BFloat16(double value) : bits(narrow(kBFloat16, value)) {}
BFloat16::operator double() const { return widen(kBFloat16, bits); }

}  // namespace ridge
