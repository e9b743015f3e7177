#include "ridge/core/tensor.h"

#include <gtest/gtest.h>

#include "ridge/core/device_runtime.h"
#include "tests/unit/core/fake_runtime.h"

namespace ridge::tensor_test {
namespace {

template <class F>
ErrorCode code_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::internal;
}

TEST(Tensor, EmptyDescribesItself) {
  const Tensor t = Tensor::empty({2, 3}, f16);
  EXPECT_TRUE(t.defined());
  EXPECT_EQ(t.rank(), 2);
  EXPECT_EQ(t.size(-1).known(), 3);
  EXPECT_EQ(t.numel().known(), 6);
  EXPECT_EQ(t.dtype(), f16);
  EXPECT_EQ(t.device(), kCpu);
  EXPECT_TRUE(t.is_contiguous());
  EXPECT_FALSE(t.is_weak());
  EXPECT_FALSE(t.requires_grad());
  EXPECT_EQ(t.storage().bytes(), 12u);
  EXPECT_EQ(t.impl().key_bits, 1u);
  EXPECT_EQ(Tensor::empty({}).numel().known(), 1);
  EXPECT_EQ(Tensor::empty({0, 3}).numel().known(), 0);
}

TEST(Tensor, KeyBitsFollowTheDevice) {
  EXPECT_EQ(Tensor::empty({1}, f32, kMeta).impl().key_bits,
            uint64_t{1} << static_cast<int>(DeviceKind::meta));
}

TEST(Tensor, UndefinedTensorsSaySo) {
  Tensor t;
  EXPECT_FALSE(t.defined());
  const auto line = Location::current().line() + 2;
  try {
    t.size(0);
    FAIL() << "an undefined tensor has a size";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::state);
    EXPECT_EQ(error.where()->line(), line);
  }
  EXPECT_EQ(code_of([&] { t.rank(); }), ErrorCode::state);
  Tensor other = Tensor::empty({1});
  t = std::move(other);
  EXPECT_TRUE(t.defined());
  EXPECT_EQ(code_of([&] { other.dtype(); }), ErrorCode::state);
}

TEST(Tensor, SizeNamesTheUsersLine) {
  const Tensor t = Tensor::empty({2, 3});
  const auto line = Location::current().line() + 2;
  try {
    t.size(2);
    FAIL() << "size(2) of a matrix";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::index);
    EXPECT_EQ(error.where()->line(), line);
  }
}

TEST(Tensor, ImpossibleShapesAreErrors) {
  constexpr int64_t kHuge = int64_t{1} << 40;
  EXPECT_EQ(code_of([] { Tensor::empty({2, -1}); }), ErrorCode::shape);
  EXPECT_THROW(Tensor::empty({kHuge, kHuge}), Error);
  EXPECT_THROW(Tensor::empty({kHuge, kHuge}, f32, kMeta), Error);
  EXPECT_EQ(code_of([] { Tensor::empty({10 * kHuge}, u8); }), ErrorCode::memory);
  EXPECT_EQ(code_of([] { Tensor::empty({int64_t{1} << 61}, f64); }), ErrorCode::memory);
  EXPECT_EQ(code_of([] { Tensor::empty({2}, f32, {DeviceKind::cpu, 3}); }), ErrorCode::device);
}

TEST(Tensor, MetaTakesSymbolsAndHugeShapes) {
  const Size n = symbolic_size("n", {1, 64}, 8);
  const Tensor t = Tensor::empty({n, 4}, f32, kMeta);
  EXPECT_TRUE(t.is_meta());
  EXPECT_TRUE(t.is_contiguous());
  EXPECT_TRUE(t.numel().is_same(4 * n));
  EXPECT_EQ(Tensor::empty({1 << 30, 1 << 20}, f32, kMeta).numel().known(), int64_t{1} << 50);
  EXPECT_EQ(code_of([&] { Tensor::empty({n}); }), ErrorCode::shape);

  const Ref<Storage> storage(&t.storage());
  EXPECT_EQ(storage->bytes(), Storage::kUnknownBytes);
  EXPECT_FALSE(Tensor::view_of(storage, {4, n}, {1, 4}, 0, f32).is_contiguous());
  const Ref<Storage> real(&Tensor::empty({4}).storage());
  EXPECT_EQ(code_of([&] { Tensor::view_of(real, {2}, {n}, 0, f32); }), ErrorCode::shape);
  EXPECT_EQ(code_of([&] { Tensor::view_of(real, {2}, {1}, n, f32); }), ErrorCode::value);
}

TEST(Tensor, ViewsShareStorageAndStayInside) {
  const Tensor t = Tensor::of<float>({0, 1, 2, 3, 4, 5}, {2, 3});
  const Ref<Storage> storage(&t.storage());
  const Tensor transposed = Tensor::view_of(storage, {3, 2}, {1, 3}, 0, f32);
  EXPECT_FALSE(transposed.is_contiguous());
  EXPECT_TRUE(transposed.shares_storage_with(t));
  EXPECT_FALSE(transposed.shares_storage_with(Tensor::empty({1})));
  const Tensor row = Tensor::view_of(storage, {3}, {1}, 3, f32);
  EXPECT_EQ(row.to_vector<float>(), (std::vector<float>{3, 4, 5}));
  EXPECT_TRUE(row.is_contiguous());

  const auto view = [&](Shape shape, Shape strides, Size offset, DType dtype = f32) {
    return code_of([&] { Tensor::view_of(storage, shape, strides, offset, dtype); });
  };
  EXPECT_EQ(view({3}, {1}, 4), ErrorCode::shape);
  EXPECT_EQ(view({2, 3}, {4, 1}, 0), ErrorCode::shape);
  EXPECT_EQ(view({6}, {1}, 0, f64), ErrorCode::shape);
  EXPECT_EQ(view({2}, {1, 1}, 0), ErrorCode::shape);
  EXPECT_EQ(view({2}, {-1}, 3), ErrorCode::shape);
  EXPECT_EQ(view({2}, {1}, -1), ErrorCode::value);
  EXPECT_EQ(code_of([] { Tensor::view_of(nullptr, {1}, {1}, 0, f32); }), ErrorCode::state);
  // An empty view reads nothing, so it may stand anywhere.
  EXPECT_EQ(Tensor::view_of(storage, {0, 100}, {100, 1}, 99, f32).numel().known(), 0);
}

TEST(Tensor, MayOverlapItself) {
  const Tensor t = Tensor::empty({4});
  const Ref<Storage> storage(&t.storage());
  EXPECT_FALSE(t.may_overlap_itself());
  EXPECT_TRUE(Tensor::view_of(storage, {2, 4}, {0, 1}, 0, f32).may_overlap_itself());
  EXPECT_FALSE(Tensor::view_of(storage, {2, 2}, {1, 2}, 0, f32).may_overlap_itself());
}

TEST(Tensor, AliasIsAnotherHandleOfTheSameView) {
  const Tensor t = Tensor::number(2.5);
  t.impl().autograd = make_ref<AutogradMeta>();
  t.impl().requires_grad = true;
  t.impl().key_bits |= uint64_t{1} << 40;
  const Tensor alias = t.alias();
  EXPECT_FALSE(alias.is_same(t));
  EXPECT_TRUE(alias.shares_storage_with(t));
  EXPECT_FALSE(alias.requires_grad());
  EXPECT_EQ(alias.impl().autograd, nullptr);
  EXPECT_EQ(alias.impl().key_bits, 1u);
  EXPECT_TRUE(alias.is_weak());
  const Tensor handle = t;
  EXPECT_TRUE(handle.is_same(t));
}

TEST(Tensor, NumbersAreWeakAndExact) {
  EXPECT_EQ(Tensor::number(true).dtype(), boolean);
  EXPECT_EQ(Tensor::number(7).dtype(), i64);
  EXPECT_EQ(Tensor::number(7u).item<int64_t>(), 7);
  EXPECT_EQ(Tensor::number(0.1).dtype(), f64);
  EXPECT_EQ(Tensor::number(0.1).item<double>(), 0.1);
  EXPECT_EQ(Tensor::number(0.5f).dtype(), f64);
  EXPECT_TRUE(Tensor::number(1.5).is_weak());
  EXPECT_EQ(Tensor::number(3).rank(), 0);
}

TEST(Tensor, FromBlobUsesTheMemoryInPlace) {
  float values[] = {1, 2, 3, 4, 5, 6};
  int deleted = 0;
  {
    const Tensor t = Tensor::from_blob(values, {2, 3}, f32, [&](void*) { ++deleted; });
    EXPECT_EQ(t.data<float>(), values);
    const Tensor column = Tensor::view_of(Ref<Storage>(&t.storage()), {2}, {3}, 1, f32);
    EXPECT_EQ(column.to_vector<float>(), (std::vector<float>{2, 5}));
  }
  EXPECT_EQ(deleted, 1);
  const Tensor strided = Tensor::from_blob_strided(values, {2, 2}, {3, 2}, f32);
  EXPECT_EQ(strided.to_vector<float>(), (std::vector<float>{1, 3, 4, 6}));
  EXPECT_EQ(strided.storage().bytes(), 24u);
  EXPECT_EQ(Tensor::from_blob(nullptr, {0}, f32).numel().known(), 0);
}

TEST(Tensor, AFailedFromBlobLeavesTheMemoryToTheCaller) {
  double values[4] = {};
  int deleted = 0;
  const auto deleter = [&](void*) { ++deleted; };
  EXPECT_THROW(Tensor::from_blob(values, {-1}, f64, deleter), Error);
  EXPECT_THROW(Tensor::from_blob(nullptr, {2}, f64, deleter), Error);
  EXPECT_THROW(Tensor::from_blob(values, {2}, f64, deleter, kMeta), Error);
  EXPECT_THROW(Tensor::from_blob_strided(values, {2}, {1, 1}, f64, deleter), Error);
  EXPECT_THROW(Tensor::from_blob(reinterpret_cast<char*>(values) + 1, {2}, f64, deleter), Error);
  EXPECT_THROW(Tensor::from_blob(values, {symbolic_size("n", {1, 2})}, f64, deleter), Error);
  EXPECT_EQ(deleted, 0);
}

TEST(Tensor, OtherDevicesAreDescribed) {
  fake_runtime();
  const Tensor t = Tensor::empty({2}, f32, kFake);
  EXPECT_EQ(describe(t), "f32[2] on fake");
  EXPECT_EQ(t.impl().key_bits, uint64_t{1} << static_cast<int>(kFake.kind));
}

// A tensor that outlives main, and the order of static destruction: the address sanitizer watches.
Tensor g_tensor;
TEST(Tensor, MayLiveInAStaticVariable) { g_tensor = Tensor::of<float>({1, 2}, {2}); }

}  // namespace
}  // namespace ridge::tensor_test
