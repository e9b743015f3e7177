#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <memory>

#include "../base/small_stack.h"
#include "ridge/core/element_cast.h"
#include "ridge/core/tensor.h"

namespace ridge::element_test {
namespace {

using expr::Number;

// Stores one value and reads it back.
Number through(DType dtype, Number value) {
  alignas(8) unsigned char memory[24] = {};
  store_element(dtype, memory, 1, value);
  return load_element(dtype, memory, 1);
}
int64_t integer_through(DType dtype, double value) {
  return through(dtype, Number::of(value)).integer;
}
int64_t integer_through(DType dtype, int64_t value) {
  return through(dtype, Number::of(value)).integer;
}

TEST(Element, TypesFollowTheDType) {
  for (DType dtype : complete_dtypes()) {
    const Number one = through(dtype, Number::of(1.0));
    EXPECT_EQ(one.type, scalar_type(dtype)) << name(dtype);
    EXPECT_EQ(one.as_real(), 1.0) << name(dtype);
  }
  EXPECT_THROW(through(u16, Number::of(1.0)), Error);
}

TEST(Element, RealsTruncateTowardZero) {
  EXPECT_EQ(integer_through(i32, 2.9), 2);
  EXPECT_EQ(integer_through(i32, -2.9), -2);
  EXPECT_EQ(integer_through(u8, -0.9), 0);
  EXPECT_EQ(integer_through(i64, 0x1p53), int64_t{1} << 53);
}

TEST(Element, IntegersOutOfRangeWrapToTheWidth) {
  EXPECT_EQ(integer_through(u8, int64_t{256 + 7}), 7);
  EXPECT_EQ(integer_through(u8, int64_t{-1}), 255);
  EXPECT_EQ(integer_through(i8, int64_t{200}), -56);
}

TEST(Element, RealsOutOfRangeSaturate) {
  EXPECT_EQ(integer_through(u8, -1.9), 0);
  EXPECT_EQ(integer_through(u8, 255.9), 255);
  EXPECT_EQ(integer_through(u8, 256.0), 255);
  EXPECT_EQ(integer_through(i8, 127.9), 127);
  EXPECT_EQ(integer_through(i8, 300.5), 127);
  EXPECT_EQ(integer_through(i8, -128.9), -128);
  EXPECT_EQ(integer_through(i8, -129.0), -128);
  EXPECT_EQ(integer_through(i32, 0x1p31 - 0.5), INT32_MAX);
  EXPECT_EQ(integer_through(i32, 0x1p31), INT32_MAX);
  EXPECT_EQ(integer_through(i32, 1e20), INT32_MAX);
  EXPECT_EQ(integer_through(i64, 1e20), INT64_MAX);
  EXPECT_EQ(integer_through(i64, 0x1p63), INT64_MAX);
  EXPECT_EQ(integer_through(i64, -0x1p63), INT64_MIN);
  EXPECT_EQ(integer_through(i64, -0x1p64), INT64_MIN);
}

TEST(Element, InfinitiesSaturateAndNaNGivesZero) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::pair<DType, std::pair<int64_t, int64_t>> ranges[] = {
      {i64, {INT64_MIN, INT64_MAX}},
      {i32, {INT32_MIN, INT32_MAX}},
      {i8, {-128, 127}},
      {u8, {0, 255}},
  };
  for (const auto& [dtype, range] : ranges) {
    EXPECT_EQ(integer_through(dtype, std::nan("")), 0);
    EXPECT_EQ(integer_through(dtype, -kInfinity), range.first);
    EXPECT_EQ(integer_through(dtype, kInfinity), range.second);
  }
}

TEST(Element, BooleanIsNotZero) {
  EXPECT_EQ(integer_through(boolean, 0.1), 1);
  EXPECT_EQ(integer_through(boolean, -0.0), 0);
  EXPECT_EQ(integer_through(boolean, std::nan("")), 1);
  EXPECT_EQ(integer_through(boolean, int64_t{256}), 1);
  EXPECT_EQ(through(f32, Number::of(true)).real, 1);
  const unsigned char other = 7;
  EXPECT_EQ(load_element(boolean, &other, 0).integer, 1);
}

TEST(Element, FloatsAreRoundedOnce) {
  EXPECT_EQ(through(f64, Number::of(0.1)).real, 0.1);
  EXPECT_EQ(through(f32, Number::of(0.1)).real, double(0.1f));
  EXPECT_EQ(through(f32, Number::of(1e300)).real, std::numeric_limits<double>::infinity());
  EXPECT_EQ(through(f16, Number::of(1 + 0x1p-11 + 0x1p-40)).real, 1 + 0x1p-10);
  EXPECT_EQ(through(bf16, Number::of(1 + 0x1p-8 + 0x1p-40)).real, 1 + 0x1p-7);
  const int64_t above_tie = (int64_t{1} << 62) + (int64_t{1} << 38) + 1;
  EXPECT_EQ(through(f32, Number::of(above_tie)).real, 0x1p62 + 0x1p39);
}

TEST(Element, EveryHalfPatternIsKept) {
  for (DType dtype : {f16, bf16}) {
    for (int bits = 0; bits < 0x10000; ++bits) {
      const auto pattern = static_cast<uint16_t>(bits);
      uint16_t stored = 0;
      store_element(dtype, &stored, 0, load_element(dtype, &pattern, 0));
      ASSERT_EQ(stored, pattern) << name(dtype);
    }
  }
}

TEST(Element, AddressesNeedNotBeAligned) {
  unsigned char memory[17] = {};
  store_element(f64, memory + 1, 1, Number::of(2.5));
  EXPECT_EQ(load_element(f64, memory + 1, 1).real, 2.5);
  EXPECT_EQ(load_element(f64, memory + 1, 0).real, 0);
}

// A defect on purpose: tests that are compiled without sanitizers show it in a layer compiled with them.
TEST(Element, ASanitizerSeesAReadPastTheEnd) {
  if (!is_address_sanitized()) GTEST_SKIP() << "no layer is sanitized";
  const auto memory = std::make_unique<unsigned char[]>(8);
  EXPECT_DEATH(load_element(boolean, memory.get(), 8), "heap-buffer-overflow");
}

}  // namespace
}  // namespace ridge::element_test
