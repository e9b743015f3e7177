#include "ridge/core/dtype.h"

#include <gtest/gtest.h>

#include <limits>

#include "ridge/base/error.h"

namespace ridge::dtype_test {
namespace {

TEST(DType, NamesReadBack) {
  EXPECT_EQ(all_dtypes().size(), 17u);
  EXPECT_EQ(complete_dtypes().size(), 9u);
  for (DType dtype : all_dtypes()) EXPECT_EQ(find_dtype(name(dtype)), dtype) << name(dtype);
  EXPECT_EQ(name(boolean), "bool");
  EXPECT_EQ(name(f8e4m3), "f8e4m3");
  EXPECT_FALSE(find_dtype("f33"));
}

TEST(DType, ClassesAreDisjoint) {
  for (DType dtype : all_dtypes()) {
    EXPECT_EQ(is_floating(dtype) + is_integer(dtype) + is_boolean(dtype), 1) << name(dtype);
  }
  EXPECT_EQ(scalar_type(bf16), expr::Type::real);
  EXPECT_EQ(scalar_type(u4), expr::Type::integer);
  EXPECT_EQ(scalar_type(boolean), expr::Type::boolean);
  EXPECT_FALSE(is_storage_only(u8));
  EXPECT_TRUE(is_storage_only(u16));
}

TEST(DType, BytesArePackedAndChecked) {
  EXPECT_EQ(bytes_for(f64, 3), 24u);
  EXPECT_EQ(bytes_for(boolean, 3), 3u);
  EXPECT_EQ(bytes_for(i4, 3), 2u);
  EXPECT_EQ(bytes_for(u4, 4), 2u);
  EXPECT_EQ(bytes_for(f32, 0), 0u);
  EXPECT_THROW(bytes_for(f32, -1), Error);
  EXPECT_THROW(bytes_for(f64, std::numeric_limits<int64_t>::max() / 8), Error);
}

TEST(DType, EpsilonIsTheStepAfterOne) {
  EXPECT_EQ(epsilon(f64), std::numeric_limits<double>::epsilon());
  EXPECT_EQ(epsilon(f32), std::numeric_limits<float>::epsilon());
  for (DType dtype : {f16, bf16}) {
    Half half(1.0);
    BFloat16 brain(1.0);
    ++half.bits;
    ++brain.bits;
    EXPECT_EQ(1 + epsilon(dtype), dtype == f16 ? double(half) : double(brain));
  }
  EXPECT_EQ(epsilon(f8e4m3), 0.125);
  EXPECT_EQ(epsilon(f8e5m2), 0.25);
  EXPECT_EQ(epsilon(i32), 0);
  EXPECT_EQ(epsilon(boolean), 0);
}

// torch.promote_types for every pair, but for u8 with i8, where it says i16.
TEST(DType, PromotesLikePyTorch) {
  constexpr DType kOrder[] = {boolean, u8, i8, i32, i64, f16, bf16, f32, f64};
  constexpr DType kTable[9][9] = {
      {boolean, u8, i8, i32, i64, f16, bf16, f32, f64},  // bool
      {u8, u8, i32, i32, i64, f16, bf16, f32, f64},      // u8
      {i8, i32, i8, i32, i64, f16, bf16, f32, f64},      // i8
      {i32, i32, i32, i32, i64, f16, bf16, f32, f64},    // i32
      {i64, i64, i64, i64, i64, f16, bf16, f32, f64},    // i64
      {f16, f16, f16, f16, f16, f16, f32, f32, f64},     // f16
      {bf16, bf16, bf16, bf16, bf16, f32, bf16, f32, f64},
      {f32, f32, f32, f32, f32, f32, f32, f32, f64},
      {f64, f64, f64, f64, f64, f64, f64, f64, f64},
  };
  for (size_t i = 0; i < 9; ++i) {
    for (size_t j = 0; j < 9; ++j) {
      EXPECT_EQ(promote(kOrder[i], kOrder[j]), kTable[i][j])
          << name(kOrder[i]) << " with " << name(kOrder[j]);
    }
  }
}

TEST(DType, StorageOnlyTypesDoNotPromote) {
  EXPECT_EQ(promote(u16, u16), u16);
  for (DType dtype : all_dtypes()) {
    if (!is_storage_only(dtype)) continue;
    EXPECT_THROW(promote(dtype, f32), Error) << name(dtype);
    EXPECT_THROW(promote(boolean, dtype), Error) << name(dtype);
  }
}

TEST(DType, VisitFindsTheElementType) {
  for (DType dtype : complete_dtypes()) {
    EXPECT_EQ(visit_dtype(dtype, []<class T>() { return DTypeOf<T>::value; }), dtype);
    EXPECT_EQ(visit_dtype(dtype, []<class T>() { return sizeof(T); }), bytes_for(dtype, 1));
  }
  try {
    visit_dtype(f8e5m2, []<class T>() {});
    FAIL() << "visited a storage-only type";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::dtype);
    EXPECT_NE(error.given().find("f8e5m2"), std::string::npos);
  }
}

static_assert(Element<float> && Element<bool> && Element<Half> && !Element<char16_t>);

}  // namespace
}  // namespace ridge::dtype_test
