#include <gtest/gtest.h>

#include <cstring>

#include "ridge/reference/reference.h"

namespace ridge::reference::assign_test {
namespace {

Tensor view(const Tensor& base, Shape shape, Shape strides, int64_t offset) {
  return Tensor::view_of(Ref<Storage>(&base.storage()), std::move(shape), std::move(strides),
                         offset, base.dtype());
}

ErrorCode code_of_assign(const Tensor& to, const Tensor& from) {
  try {
    assign(to, from);
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::io;
}

TEST(Assign, BroadcastsAndConverts) {
  const Tensor to = Tensor::of<float>({0, 0, 0, 0, 0, 0}, {2, 3});
  assign(to, Tensor::of<int64_t>({1, 2, 3}, {1, 3}));
  EXPECT_EQ(to.to_vector<float>(), (std::vector<float>{1, 2, 3, 1, 2, 3}));
  assign(to, Tensor::number(true));
  EXPECT_EQ(to.to_vector<float>(), (std::vector<float>(6, 1)));
}

TEST(Assign, WritesThroughStrides) {
  const Tensor base = Tensor::of<int32_t>({0, 0, 0, 0, 0, 0}, {6});
  assign(view(base, {2, 2}, {1, 2}, 1), Tensor::of<int32_t>({1, 2, 3, 4}, {2, 2}));
  EXPECT_EQ(base.to_vector<int32_t>(), (std::vector<int32_t>{0, 1, 3, 2, 4, 0}));
}

TEST(Assign, OverlapIsAsIfCopiedFirst) {
  const Tensor shifted = Tensor::of<float>({1, 2, 3, 4}, {4});
  assign(view(shifted, {3}, {1}, 1), view(shifted, {3}, {1}, 0));
  EXPECT_EQ(shifted.to_vector<float>(), (std::vector<float>{1, 1, 2, 3}));

  const Tensor transposed = Tensor::of<float>({1, 2, 3, 4}, {2, 2});
  assign(transposed, view(transposed, {2, 2}, {1, 2}, 0));
  EXPECT_EQ(transposed.to_vector<float>(), (std::vector<float>{1, 3, 2, 4}));

  const Tensor spread = Tensor::of<float>({1, 2, 3, 4}, {2, 2});
  assign(spread, view(spread, {2, 2}, {0, 1}, 2));
  EXPECT_EQ(spread.to_vector<float>(), (std::vector<float>{3, 4, 3, 4}));
}

TEST(Assign, TakesEmptyAndZeroDimensional) {
  assign(Tensor::empty({0, 3}, f32), Tensor::of<float>({1, 2, 3}, {3}));
  const Tensor to = Tensor::of<float>({1}, {});
  assign(to, Tensor::number(2.5));
  EXPECT_EQ(to.item<float>(), 2.5);
}

TEST(Assign, SaysWhatIsWrong) {
  const Tensor to = Tensor::of<float>({1, 2, 3, 4}, {2, 2});
  EXPECT_EQ(code_of_assign(to, Tensor::empty({3}, f32)), ErrorCode::shape);
  EXPECT_EQ(code_of_assign(to, Tensor::empty({1, 2, 2}, f32)), ErrorCode::shape);
  EXPECT_EQ(code_of_assign(view(to, {3, 2}, {0, 1}, 0), to), ErrorCode::state);
  EXPECT_EQ(code_of_assign(to, Tensor::empty({2, 2}, i16)), ErrorCode::dtype);
}

TEST(Assign, CopiesStorageOnlyElements) {
  const Tensor base = Tensor::empty({4}, f8e4m3);
  std::memcpy(base.raw_data(), "abcd", 4);
  const Tensor from = Tensor::empty({2}, f8e4m3);
  std::memcpy(from.raw_data(), "xy", 2);
  assign(view(base, {2}, {2}, 0), from);
  EXPECT_EQ(std::memcmp(base.raw_data(), "xbyd", 4), 0);

  const Tensor packed = Tensor::empty({3}, u4);
  const Tensor packed_from = Tensor::empty({3}, u4);
  std::memcpy(packed_from.raw_data(), "\x21\x03", 2);
  assign(packed, packed_from);
  EXPECT_EQ(std::memcmp(packed.raw_data(), "\x21\x03", 2), 0);
  EXPECT_EQ(code_of_assign(packed, view(packed_from, {1}, {1}, 0)), ErrorCode::dtype);
}

}  // namespace
}  // namespace ridge::reference::assign_test
