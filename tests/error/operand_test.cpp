// Shape, dtype and device mistakes.
#include "expect_error.h"

namespace ridge::testing::operand_test {
namespace {

Tensor floats(const Shape& shape) { return ones(shape); }

TEST(OperandError, ShapesThatDoNotBroadcast) {
  const Tensor a = floats({2, 3});
  const Tensor b = floats({4});
  EXPECT_RIDGE_ERROR(add(a, b), ErrorCode::shape, "add", {"[2, 3]", "[4]"});
  EXPECT_RIDGE_ERROR(a + b, ErrorCode::shape, "add", {"[2, 3]", "[4]"});
}

TEST(OperandError, MoreDimensionsThanThereMayBe) {
  const Shape most(kMostDimensions, 1), more(kMostDimensions + 1, 1);
  const Tensor a = floats(most);
  EXPECT_EQ(sum(a + a).item<float>(), 2);
  EXPECT_RIDGE_ERROR(floats(more), ErrorCode::shape, "ones", {"64 dimensions", "65"});
  EXPECT_RIDGE_ERROR(Tensor::empty(more), ErrorCode::shape, "Tensor::empty", {"64 dimensions"});
  EXPECT_RIDGE_ERROR(Tensor::empty(more, f32, kMeta), ErrorCode::shape, "", {"64 dimensions"});
  EXPECT_RIDGE_ERROR(reshape(a, more), ErrorCode::shape, "reshape", {"64 dimensions"});
  EXPECT_RIDGE_ERROR(unsqueeze(a, 0), ErrorCode::shape, "unsqueeze", {"64 dimensions"});
  EXPECT_RIDGE_ERROR(expand(a, more), ErrorCode::shape, "expand", {"64 dimensions"});
  EXPECT_RIDGE_ERROR(stack({a, a}, 0), ErrorCode::shape, "stack", {"64 dimensions"});
  EXPECT_RIDGE_ERROR(one_hot(cast(a, i64), 2), ErrorCode::shape, "one_hot", {"64 dimensions"});
  const std::vector<float> element = {1};
  EXPECT_RIDGE_ERROR(Tensor::of<float>(element, more), ErrorCode::shape, "", {"64 dimensions"});
  // Their definitions have an axis more.
  EXPECT_RIDGE_ERROR(cumsum(a, 0), ErrorCode::shape, "cumsum", {"64 dimensions together", "65"});
  EXPECT_RIDGE_ERROR(compile([](const Tensor& x) { return cumsum(x, 0); })(a), ErrorCode::shape,
                     "cumsum", {"64 dimensions together", "65"});
  const auto f = compile([](const Tensor& x) { return unsqueeze(x * 2, 0); });
  EXPECT_RIDGE_ERROR(f(a), ErrorCode::shape, "unsqueeze", {"64 dimensions"});
}

TEST(OperandError, MatmulOfWrongInnerSizes) {
  const Tensor a = floats({2, 3});
  const Tensor b = floats({4, 5});
  EXPECT_RIDGE_ERROR(matmul(a, b), ErrorCode::shape, "matmul", {"[2, 3]", "[4, 5]"});
}

TEST(OperandError, ReshapeToAnotherNumberOfElements) {
  const Tensor a = floats({2, 3});
  EXPECT_RIDGE_ERROR(reshape(a, {4, 2}), ErrorCode::shape, "reshape", {"[2, 3]", "[4, 2]"});
}

TEST(OperandError, DimensionOutOfRange) {
  const Tensor a = floats({2, 3});
  EXPECT_RIDGE_ERROR(sum(a, {2}), ErrorCode::index, "sum", {"2"});
  EXPECT_RIDGE_ERROR(softmax(a, -3), ErrorCode::index, "softmax", {"-3"});
}

TEST(OperandError, CatOfDifferentShapes) {
  const Tensor a = floats({2, 3});
  const Tensor b = floats({2, 4});
  EXPECT_RIDGE_ERROR(cat({a, b}, 0), ErrorCode::shape, "cat", {"[2, 3]", "[2, 4]"});
}

TEST(OperandError, IntegersWhereFloatsAreNeeded) {
  const Tensor index = arange(6);
  EXPECT_RIDGE_ERROR(gather(floats({6}), 0, floats({6})), ErrorCode::dtype, "gather",
                     {"integer", "f32[6]"});
  EXPECT_RIDGE_ERROR(where(index, index, index), ErrorCode::dtype, "where", {"bool", "i64[6]"});
}

TEST(OperandError, StorageOnlyDtypesDoNotCompute) {
  const Tensor packed = Tensor::empty({4}, f8e4m3);
  EXPECT_RIDGE_ERROR(add(packed, packed), ErrorCode::dtype, "add", {"f8e4m3[4]"});
}

TEST(OperandError, TensorsOnTwoDevices) {
  const Tensor here = floats({2});
  const Tensor meta = Tensor::empty({2}, f32, kMeta);
  EXPECT_RIDGE_ERROR(add(here, meta), ErrorCode::device, "add", {"cpu", "meta"});
}

TEST(OperandError, MaximumOfNothing) {
  const Tensor nothing = floats({0});
  EXPECT_RIDGE_ERROR(max(nothing), ErrorCode::shape, "max", {"[0]"});
}

TEST(OperandError, InPlaceResultThatDoesNotFit) {
  const Tensor small = floats({3});
  const Tensor large = floats({2, 3});
  EXPECT_RIDGE_ERROR(add_(small, large), ErrorCode::shape, "add_", {"[3]", "[2, 3]"});
  const Tensor whole = arange(3);
  EXPECT_RIDGE_ERROR(add_(whole, small), ErrorCode::dtype, "add_", {"i64", "f32"});
  const Tensor stretched = expand(floats({1}), {4});
  EXPECT_RIDGE_ERROR(add_(stretched, 1), ErrorCode::state, "add_", {"strides"});
}

TEST(OperandError, AnUndefinedDevice) {
  EXPECT_RIDGE_ERROR(zeros({2}, f32, {DeviceKind::cuda, 0}), ErrorCode::device, "zeros", {"cuda"});
}

}  // namespace
}  // namespace ridge::testing::operand_test
