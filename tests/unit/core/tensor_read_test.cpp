#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ridge/core/device_copy.h"
#include "ridge/core/tensor.h"
#include "tests/unit/core/fake_runtime.h"

namespace ridge::tensor_read_test {
namespace {

template <class F>
Error error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error({});
}

TEST(TensorRead, ValuesComeBackAsGiven) {
  EXPECT_EQ(Tensor::of<int32_t>({1, -2, 3}, {3}).to_vector<int32_t>(),
            (std::vector<int32_t>{1, -2, 3}));
  EXPECT_EQ(Tensor::of<bool>({true, false}, {2, 1}).to_vector<bool>(),
            (std::vector<bool>{true, false}));
  EXPECT_EQ(Tensor::of<float>({}, {0, 3}).to_vector<float>(), std::vector<float>{});
  EXPECT_EQ(Tensor::of<double>({2.5}, {}).item<double>(), 2.5);
  const std::vector<Half> halves{Half(1.5), Half(-2)};
  EXPECT_EQ(Tensor::of(halves, {2}).to_vector<Half>(), halves);
}

TEST(TensorRead, ElementsAreConverted) {
  const Tensor halves = Tensor::of<Half>({Half(1.5), Half(-2.75)}, {2});
  EXPECT_EQ(halves.to_vector<float>(), (std::vector<float>{1.5f, -2.75f}));
  EXPECT_EQ(halves.to_vector<int64_t>(), (std::vector<int64_t>{1, -2}));
  EXPECT_EQ(halves.to_vector<bool>(), (std::vector<bool>{true, true}));
  EXPECT_EQ(Tensor::of<int64_t>({300}, {1}).item<uint8_t>(), 44);
  EXPECT_EQ(Tensor::of<bool>({true}, {1, 1}).item<double>(), 1.0);
  // One rounding: through double this integer would round to a tie first, and then to even.
  const int64_t above_tie = (int64_t{1} << 62) + (int64_t{1} << 38) + 1;
  EXPECT_EQ(Tensor::number(above_tie).item<float>(), 0x1p62f + 0x1p39f);
}

TEST(TensorRead, StridedViewsAreReadRowMajor) {
  const Tensor t = Tensor::of<float>({0, 1, 2, 3, 4, 5}, {2, 3});
  const Ref<Storage> storage(&t.storage());
  EXPECT_EQ(Tensor::view_of(storage, {3, 2}, {1, 3}, 0, f32).to_vector<int32_t>(),
            (std::vector<int32_t>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(Tensor::view_of(storage, {2, 2}, {0, 1}, 4, f32).to_vector<int32_t>(),
            (std::vector<int32_t>{4, 5, 4, 5}));
  EXPECT_EQ(Tensor::view_of(storage, {}, {}, 5, f32).item<int32_t>(), 5);
}

TEST(TensorRead, OfChecksTheNumberOfValues) {
  const auto line = Location::current().line() + 1;
  const Error error = error_of([] { Tensor::of<float>({1, 2, 3}, {2, 2}); });
  EXPECT_EQ(error.code(), ErrorCode::shape);
  EXPECT_EQ(error.expected(), "4 values for shape [2, 2]");
  EXPECT_EQ(error.given(), "3");
  EXPECT_EQ(error.where()->line(), line);
  EXPECT_THROW(Tensor::of<float>({1}, {symbolic_size("n", {1, 2})}), Error);
}

TEST(TensorRead, DataChecksTheDType) {
  const Tensor t = Tensor::empty({2}, f32);
  const auto line = Location::current().line() + 1;
  const Error error = error_of([&] { t.data<double>(); });
  EXPECT_EQ(error.code(), ErrorCode::dtype);
  EXPECT_EQ(error.expected(), "a tensor of f64");
  EXPECT_EQ(error.given(), "f32[2]");
  EXPECT_EQ(error.where()->line(), line);
}

TEST(TensorRead, ReadingNeedsAnElementThatIsThere) {
  const auto line = Location::current().line() + 1;
  const Error undefined = error_of([] { Tensor().data<float>(); });
  EXPECT_EQ(undefined.code(), ErrorCode::state);
  EXPECT_EQ(undefined.where()->line(), line);

  const Error meta = error_of([] { Tensor::empty({2}, f32, kMeta).to_vector<float>(); });
  EXPECT_EQ(meta.code(), ErrorCode::state);
  EXPECT_EQ(meta.given(), "f32[2] on meta, which has a shape only");

  const Tensor donated = Tensor::of<float>({1}, {1});
  const Tensor alias = donated.alias();
  donated.donate();
  EXPECT_EQ(error_of([&] { alias.item<float>(); }).code(), ErrorCode::state);
  EXPECT_EQ(error_of([&] { alias.raw_data(); }).code(), ErrorCode::state);

  fake_runtime();
  const Tensor far = Tensor::empty({1}, f32, kFake);
  EXPECT_EQ(error_of([&] { far.raw_data(); }).code(), ErrorCode::device);
}

TEST(TensorRead, ValuesInMemoryOfADeviceAreFetched) {
  fake_runtime();
  const Tensor near = Tensor::of<float>({1.5f, -2, 7, 0.25f}, {2, 2});
  const Tensor far = to_device(near, kFake);
  EXPECT_EQ(far.to_vector<float>(), near.to_vector<float>());
  const Tensor last = Tensor::view_of(Ref<Storage>(&far.storage()), {1}, {1}, 3, f32);
  EXPECT_EQ(last.item<float>(), 0.25f);
  far.donate();
  EXPECT_EQ(error_of([&] { far.to_vector<float>(); }).code(), ErrorCode::state);
}

TEST(TensorRead, ItemNeedsExactlyOneElement) {
  EXPECT_EQ(Tensor::of<float>({3}, {1, 1}).item<float>(), 3);
  const Error error = error_of([] { Tensor::empty({2}).item<float>(); });
  EXPECT_EQ(error.code(), ErrorCode::shape);
  EXPECT_EQ(error.given(), "f32[2]");
  EXPECT_EQ(error_of([] { Tensor::empty({0}).item<float>(); }).code(), ErrorCode::shape);
}

TEST(TensorRead, StorageOnlyTypesHaveAnAddressButNoValues) {
  const Tensor t = Tensor::empty({5}, u4);
  EXPECT_EQ(t.storage().bytes(), 3u);
  EXPECT_NE(t.raw_data(), nullptr);
  EXPECT_EQ(error_of([&] { t.to_vector<float>(); }).code(), ErrorCode::dtype);
  const Ref<Storage> storage(&t.storage());
  EXPECT_NE(Tensor::view_of(storage, {2}, {1}, 2, u4).raw_data(), nullptr);
  const Tensor odd = Tensor::view_of(storage, {2}, {1}, 1, u4);
  EXPECT_EQ(error_of([&] { odd.raw_data(); }).code(), ErrorCode::value);
}

TEST(TensorRead, ForeignBooleansMayHoldAnyByte) {
  uint8_t bytes[] = {0, 1, 2, 255};
  const Tensor t = Tensor::from_blob(bytes, {4}, boolean);
  EXPECT_EQ(t.to_vector<int32_t>(), (std::vector<int32_t>{0, 1, 1, 1}));
}

}  // namespace
}  // namespace ridge::tensor_read_test
