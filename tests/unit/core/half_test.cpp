#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "ridge/core/dtype.h"

namespace ridge::half_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
struct Format;
template <>
struct Format<Half> {
  static constexpr int mantissa_bits = 10, bias = 15;
  static constexpr uint16_t infinity = 0x7c00;
};
template <>
struct Format<BFloat16> {
  static constexpr int mantissa_bits = 7, bias = 127;
  static constexpr uint16_t infinity = 0x7f80;
};

template <class T>
T from_bits(int bits) {
  T value;
  value.bits = static_cast<uint16_t>(bits);
  return value;
}

// The definition of the format, written with ldexp and no bit tricks; infinity counts as the
// number after the largest, which is what rounding to nearest measures against.
template <class T>
double exact_value(int magnitude) {
  const int mantissa = magnitude % (1 << Format<T>::mantissa_bits);
  const int exponent = magnitude >> Format<T>::mantissa_bits;
  const int leading = exponent == 0 ? 0 : 1 << Format<T>::mantissa_bits;
  return std::ldexp(leading + mantissa,
                    std::max(exponent, 1) - Format<T>::bias - Format<T>::mantissa_bits);
}

// Nearest of all numbers of the format, found by search; a tie goes to the even pattern.
template <class T>
uint16_t nearest(double value) {
  static const std::vector<double> numbers = [] {
    std::vector<double> result;
    for (int m = 0; m <= Format<T>::infinity; ++m) result.push_back(exact_value<T>(m));
    return result;
  }();
  const double magnitude = std::abs(value);
  const int sign = std::signbit(value) ? 0x8000 : 0;
  const auto above = std::upper_bound(numbers.begin(), numbers.end(), magnitude);
  if (above == numbers.end()) return static_cast<uint16_t>(sign | Format<T>::infinity);
  const auto high = static_cast<int>(above - numbers.begin());
  const int low = high - 1;
  const double down = magnitude - numbers[static_cast<size_t>(low)];
  const double up = *above - magnitude;
  const int chosen = down < up ? low : up < down ? high : low % 2 == 0 ? low : high;
  return static_cast<uint16_t>(sign | chosen);
}

template <class T>
class HalfTest : public testing::Test {};
using HalfTypes = testing::Types<Half, BFloat16>;
TYPED_TEST_SUITE(HalfTest, HalfTypes);

TYPED_TEST(HalfTest, EveryPatternRoundTrips) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const TypeParam value = from_bits<TypeParam>(bits);
    ASSERT_EQ(TypeParam(static_cast<double>(value)).bits, bits);
    const int magnitude = bits & 0x7fff;
    if (magnitude > Format<TypeParam>::infinity) {
      ASSERT_TRUE(std::isnan(static_cast<double>(value))) << bits;
      ASSERT_TRUE(std::isnan(static_cast<float>(value))) << bits;
      continue;
    }
    const double expected =
        magnitude == Format<TypeParam>::infinity ? kInfinity : exact_value<TypeParam>(magnitude);
    ASSERT_EQ(static_cast<double>(value), bits < 0x8000 ? expected : -expected) << bits;
    ASSERT_EQ(std::signbit(static_cast<double>(value)), bits >= 0x8000) << bits;
    ASSERT_EQ(static_cast<float>(value), static_cast<double>(value)) << bits;
  }
}

// Between all neighbors: the tie itself, and the doubles next to it.
TYPED_TEST(HalfTest, RoundsOnceToNearestEven) {
  for (int bits = 0; bits < Format<TypeParam>::infinity; ++bits) {
    const double tie = (exact_value<TypeParam>(bits) + exact_value<TypeParam>(bits + 1)) / 2;
    for (double value : {std::nextafter(tie, 0), tie, std::nextafter(tie, kInfinity)}) {
      ASSERT_EQ(TypeParam(value).bits, nearest<TypeParam>(value)) << value;
      ASSERT_EQ(TypeParam(-value).bits, nearest<TypeParam>(-value)) << -value;
    }
  }
}

TYPED_TEST(HalfTest, RandomDoublesMatchTheDefinition) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    // Half of them with any exponent at all, half near the range of the format.
    uint64_t word = random();
    if (i % 2 == 0) word = (word & ~(uint64_t{0x7ff} << 52)) | ((1023 - 40 + word % 60) << 52);
    const double value = std::bit_cast<double>(word);
    if (std::isnan(value)) continue;
    ASSERT_EQ(TypeParam(value).bits, nearest<TypeParam>(value)) << value;
  }
}

TYPED_TEST(HalfTest, ExtremesKeepTheirMeaning) {
  EXPECT_EQ(TypeParam(kInfinity).bits, Format<TypeParam>::infinity);
  EXPECT_EQ(TypeParam(-std::numeric_limits<double>::max()).bits,
            0x8000 | Format<TypeParam>::infinity);
  EXPECT_EQ(TypeParam(-0.0).bits, 0x8000);
  EXPECT_EQ(TypeParam(-std::numeric_limits<double>::denorm_min()).bits, 0x8000);
  // A NaN whose payload lies in the dropped bits alone must not become infinity.
  const auto small_payload = std::bit_cast<double>((uint64_t{0x7ff} << 52) | 1);
  EXPECT_TRUE(std::isnan(static_cast<double>(TypeParam(small_payload))));
  EXPECT_FALSE(TypeParam(std::nan("")) == TypeParam(std::nan("")));
  EXPECT_TRUE(TypeParam(0.0) == TypeParam(-0.0));
}

TEST(Half, KnownValues) {
  EXPECT_EQ(Half(1.0).bits, 0x3c00);
  EXPECT_EQ(Half(65504.0).bits, 0x7bff);
  EXPECT_EQ(Half(65519.999).bits, 0x7bff);
  EXPECT_EQ(Half(65520.0).bits, 0x7c00);
  EXPECT_EQ(Half(0x1p-24).bits, 1);
  EXPECT_EQ(Half(0x1p-25).bits, 0);
  EXPECT_EQ(BFloat16(1.0).bits, 0x3f80);
  EXPECT_EQ(BFloat16(3.14159265).bits, 0x4049);
  // Through float this would be rounded twice, to a tie and then up.
  EXPECT_EQ(Half(1 + 0x1p-11 + 0x1p-40).bits, 0x3c01);
  EXPECT_EQ(Half(1 + 0x1p-11 - 0x1p-40).bits, 0x3c00);
}

}  // namespace
}  // namespace ridge::half_test
