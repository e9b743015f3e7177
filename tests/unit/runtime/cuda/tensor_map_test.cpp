#include "ridge/runtime/cuda/tensor_map.h"

#include <gtest/gtest.h>

#include "ridge/base/error.h"

namespace ridge::runtime::cuda::tensor_map_test {
namespace {

using expr::Expr;
using expr::param;

constexpr DevicePointer kAddress = 0x7f0000000000;

Expr size(int index) { return param(index, expr::Type::integer); }

// A matrix [m, k] of pitch m2 in boxes of 128 x 64.
TensorView matrix() {
  return {.buffer = 1,
          .dtype = bf16,
          .extents = {size(0), size(1)},
          .strides = {size(2), Expr(1)},
          .box = {128, 64},
          .swizzle_bytes = 128};
}

std::string complaint(const TensorView& view, std::vector<int64_t> sizes = {100, 768, 768},
                      DevicePointer buffer = kAddress) {
  try {
    tensor_map_shape(view, sizes, buffer, "product");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::value);
    return error.what();
  }
  return "";
}
void expect_complaint(const std::string& part, const TensorView& view,
                      std::vector<int64_t> sizes = {100, 768, 768},
                      DevicePointer buffer = kAddress) {
  EXPECT_NE(complaint(view, std::move(sizes), buffer).find(part), std::string::npos)
      << part << "\n"
      << complaint(view, sizes, buffer);
}

TEST(TensorMap, TakesTheContiguousDimensionFirst) {
  TensorView view = matrix();
  view.first = Expr(8) * size(1);
  const std::vector<int64_t> sizes = {100, 700, 768};
  const TensorMapShape shape = tensor_map_shape(view, sizes, kAddress, "product");
  EXPECT_EQ(shape.rank, 2u);
  EXPECT_EQ(shape.type, TensorMapType::bf16);
  EXPECT_EQ(shape.address, kAddress + 2 * 8 * 700);
  EXPECT_EQ(shape.extents[0], 700u);
  EXPECT_EQ(shape.extents[1], 100u);
  EXPECT_EQ(shape.stride_bytes[0], 768u * 2);
  EXPECT_EQ(shape.box[0], 64u);
  EXPECT_EQ(shape.box[1], 128u);
  EXPECT_EQ(shape.swizzle, TensorMapSwizzle::bytes_128);
}

TEST(TensorMap, BatchesAreFurtherDimensions) {
  const TensorView view{.buffer = 0,
                        .dtype = f32,
                        .extents = {size(0), size(1), size(2)},
                        .strides = {size(1) * size(2), size(2), Expr(1)},
                        .box = {1, 64, 32},
                        .swizzle_bytes = 128};
  const TensorMapShape shape =
      tensor_map_shape(view, std::vector<int64_t>{3, 70000, 40}, kAddress, "k");
  EXPECT_EQ(shape.rank, 3u);
  EXPECT_EQ(shape.stride_bytes[1], 70000u * 40 * 4);
  EXPECT_EQ(shape.extents[2], 3u);
}

TEST(TensorMap, NamesTheKernelTheBufferAndTheNumber) {
  EXPECT_EQ(complaint(matrix()), "");
  EXPECT_EQ(
      complaint(matrix(), {100, 768, 767}),
      "expected a stride that is a multiple of 16 bytes in dimension 0 in a view of buffer 1 of "
      "`product`, given 1534 bytes (value error)");
}

TEST(TensorMap, KeepsTheRulesOfTheHardware) {
  expect_complaint("address that is a multiple of 16 bytes", matrix(), {100, 768, 768},
                   kAddress + 8);
  TensorView view = matrix();
  view.first = Expr(1);
  expect_complaint("given 2 bytes past one", view);
  expect_complaint("1 to 2^32 elements in dimension 0", matrix(), {0, 768, 768});
  expect_complaint("1 to 2^32 elements in dimension 1", matrix(),
                   {100, (int64_t{1} << 32) + 1, 768});
  expect_complaint("below 2^40 bytes in dimension 0", matrix(), {100, 768, int64_t{1} << 39});
  expect_complaint("below 2^40 bytes in dimension 0", matrix(), {100, 768, -768});
  view = matrix();
  view.box = {257, 64};
  expect_complaint("a box of 1 to 256 elements in dimension 0 in a view", view);
  view.box = {128, 72};
  expect_complaint("given 144 bytes for a swizzle of 128", view);
  view.box = {128, 12};
  expect_complaint("box lines of a multiple of 16 bytes", view);
  view = matrix();
  view.swizzle_bytes = 96;
  expect_complaint("a swizzle of 128, 64, 32 or 0 bytes", view);
  view = matrix();
  view.strides = {size(2), Expr(2)};
  expect_complaint("a stride of 1 in the last dimension", view);
  view = matrix();
  view.box = {64};
  expect_complaint("as many strides and box extents as dimensions", view);
  view.extents = {};
  expect_complaint("1 to 5 dimensions", view);
  view = matrix();
  view.dtype = boolean;
  expect_complaint("elements that tensor maps know", view);
  expect_complaint("a size for each param", matrix(), {100, 768});
}

TEST(TensorMap, ABoxWithoutSwizzleMayBeWide) {
  TensorView view = matrix();
  view.box = {1, 256};
  view.swizzle_bytes = 0;
  EXPECT_EQ(complaint(view), "");
}

}  // namespace
}  // namespace ridge::runtime::cuda::tensor_map_test
