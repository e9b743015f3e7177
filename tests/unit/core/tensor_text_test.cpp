#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "ridge/core/device_copy.h"
#include "ridge/core/tensor.h"
#include "tests/unit/core/fake_runtime.h"

namespace ridge::tensor_text_test {
namespace {

Tensor count_to(int64_t count, const Shape& shape) {
  std::vector<int32_t> values;
  for (int32_t i = 0; i < count; ++i) values.push_back(i);
  return Tensor::of(values, shape);
}

TEST(TensorText, Describe) {
  EXPECT_EQ(describe(Tensor::empty({2, 3})), "f32[2, 3]");
  EXPECT_EQ(describe(Tensor::empty({}, boolean)), "bool[]");
  EXPECT_EQ(describe(Tensor::empty({symbolic_size("n", {1, 2}), 3}, i8, kMeta)),
            "i8[n, 3] on meta");
  EXPECT_EQ(describe(Tensor()), "undefined tensor");
}

TEST(TensorText, ShortValuesStandOnOneLine) {
  EXPECT_EQ(to_text(Tensor::of<float>({1, -2.5, 0.333333333f}, {3})),
            "f32[3] [      1,    -2.5, 0.33333]");
  EXPECT_EQ(to_text(Tensor::number(2.5)), "f64[] 2.5");
  EXPECT_EQ(to_text(Tensor::of<bool>({true, false}, {2})), "bool[2] [ true, false]");
  EXPECT_EQ(to_text(Tensor::empty({0})), "f32[0] []");
}

TEST(TensorText, RowsAlign) {
  EXPECT_EQ(to_text(Tensor::of<int32_t>({1, 20, 3, -4}, {2, 2})),
            "i32[2, 2]\n"
            "[[ 1, 20],\n"
            " [ 3, -4]]");
  EXPECT_EQ(to_text(count_to(8, {2, 2, 2})),
            "i32[2, 2, 2]\n"
            "[[[0, 1],\n"
            "  [2, 3]],\n"
            " [[4, 5],\n"
            "  [6, 7]]]");
}

TEST(TensorText, LongDimensionsAreElided) {
  EXPECT_EQ(to_text(count_to(6, {6})), "i32[6] [0, 1, 2, 3, 4, 5]");
  EXPECT_EQ(to_text(count_to(7, {7})), "i32[7] [0, 1, 2, ..., 4, 5, 6]");
  EXPECT_EQ(to_text(count_to(9, {9, 1})),
            "i32[9, 1]\n"
            "[[0],\n [1],\n [2],\n ...,\n [6],\n [7],\n [8]]");
}

TEST(TensorText, SpecialValues) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(to_text(Tensor::of<double>({inf, -inf, std::nan("")}, {3})),
            "f64[3] [ inf, -inf,  nan]");
  EXPECT_EQ(to_text(Tensor::of<Half>({Half(0.1)}, {1})), "f16[1] [0.099976]");
}

TEST(TensorText, ValuesInMemoryOfADeviceAreFetched) {
  fake_runtime();
  EXPECT_EQ(to_text(to_device(Tensor::of<float>({1.5f, -2}, {2}), kFake)),
            "f32[2] on fake [1.5,  -2]");
}

TEST(TensorText, SaysWhyThereAreNoValues) {
  const Tensor donated = Tensor::empty({2});
  donated.donate();
  EXPECT_EQ(to_text(donated), "f32[2] (donated)");
  EXPECT_EQ(to_text(Tensor::empty({2}, f32, kMeta)), "f32[2] on meta (without values)");
  EXPECT_EQ(to_text(Tensor::empty({2}, u16)), "u16[2] (of a type that is only stored)");
  EXPECT_EQ(to_text(Tensor()), "undefined tensor");
}

TEST(TensorText, Streams) {
  std::ostringstream out;
  out << Tensor::number(3);
  EXPECT_EQ(out.str(), "i64[] 3");
}

}  // namespace
}  // namespace ridge::tensor_text_test
