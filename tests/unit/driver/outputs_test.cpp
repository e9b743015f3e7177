// Results of a compiled function are tensors of the caller: writing one changes nothing else, unless it is
// a view eagerly too (tests/unit/capture/views_test.cpp).
#include <gtest/gtest.h>

#include <cstring>

#include "ridge/aot/transforms.h"
#include "ridge/capture/constant.h"
#include "ridge/ridge.h"

namespace ridge::outputs_test {
namespace {

using Floats = std::vector<float>;

Tensor floats(const Floats& values) {
  return Tensor::of(values, {static_cast<int64_t>(values.size())});
}

TEST(Outputs, WhatAPassTurnsIntoAnInputIsACopyOfIt) {
  const auto cloned = compile([](const Tensor& x) { return clone(x); });
  const auto scaled = compile([](const Tensor& x) { return x * 1; });
  for (int call = 0; call < 2; ++call) {
    const Tensor x = floats({1, 2, 3});
    for (const Tensor& y : {cloned(x), scaled(x)}) {
      EXPECT_EQ(y.to_vector<float>(), (Floats{1, 2, 3}));
      mul_(y, 0);
    }
    EXPECT_EQ(x.to_vector<float>(), (Floats{1, 2, 3}));
  }
}

TEST(Outputs, AStridedInputIsCopiedRowMajor) {
  const auto cloned = compile([](const Tensor& x) { return clone(x); });
  const Tensor x = transpose(reshape(floats({1, 2, 3, 4, 5, 6}), {2, 3}), 0, 1);
  const Tensor y = cloned(x);
  EXPECT_TRUE(y.is_contiguous());
  EXPECT_EQ(y.to_vector<float>(), (Floats{1, 4, 2, 5, 3, 6}));
}

TEST(Outputs, AnArgumentThatIsReturnedIsTheCallersOwn) {
  const auto same = compile([](const Tensor& x) { return x; });
  const Tensor x = floats({1, 2});
  EXPECT_TRUE(same(x).is_same(x));
}

TEST(Outputs, EveryDTypeCanBeCopied) {
  const auto cloned = compile([](const Tensor& x) { return clone(x); });
  for (const DType dtype : {f64, f16, bf16, i64, i32, i8, u8, boolean, i16, u32, u64, f8e4m3, i4}) {
    const Tensor x = Tensor::empty({3}, dtype);
    std::memset(x.raw_data(), 1, bytes_for(dtype, 3));
    const Tensor y = cloned(x);
    EXPECT_FALSE(y.shares_storage_with(x)) << name(dtype);
    EXPECT_EQ(std::memcmp(x.raw_data(), y.raw_data(), 3 * dtype.bits / 8), 0) << name(dtype);
  }
}

TEST(Outputs, AConstantStaysWhatItWas) {
  const Tensor table = floats({4, 5});
  const auto given = compile([&](const Tensor&) { return constant(table); });
  const auto folded = compile([](const Tensor&) { return full({2}, 3) * 2; });
  const Tensor x = floats({1});
  for (int call = 0; call < 2; ++call) {
    const Tensor a = given(x), b = folded(x);
    EXPECT_EQ(a.to_vector<float>(), (Floats{4, 5})) << "call " << call;
    EXPECT_EQ(b.to_vector<float>(), (Floats{6, 6})) << "call " << call;
    mul_(a, 0);
    mul_(b, 0);
  }
}

TEST(Outputs, EqualValuesAreSeveralTensors) {
  const auto twice = compile([](const Tensor& x) { return std::pair(exp(x), exp(x)); });
  const auto [a, b] = twice(floats({0, 0}));
  mul_(a, 5);
  EXPECT_EQ(a.to_vector<float>(), (Floats{5, 5}));
  EXPECT_EQ(b.to_vector<float>(), (Floats{1, 1}));
}

TEST(Outputs, EqualStatesCanBeUpdatedTogether) {
  const auto start =
      compile([](const Tensor& x) { return std::pair(zeros_like(x), zeros_like(x)); });
  auto [m, v] = start(floats({1, 2}));
  const auto step = compile([](Tensor& first, Tensor& second, const Tensor& g) {
    add_(first, g);
    add_(second, g * g);
  });
  step(m, v, floats({3, 4}));
  EXPECT_EQ(m.to_vector<float>(), (Floats{3, 4}));
  EXPECT_EQ(v.to_vector<float>(), (Floats{9, 16}));
}

TEST(Outputs, OneTensorReturnedTwiceIsOneTensor) {
  const auto twice = compile([](const Tensor& x) {
    const Tensor y = exp(x);
    return std::pair(y, y);
  });
  const auto [a, b] = twice(floats({0}));
  EXPECT_TRUE(a.is_same(b));
}

TEST(Outputs, AnOldValueSurvivesTheUpdate) {
  const auto step = compile([](Tensor& x) {
    const Tensor before = clone(x);
    add_(x, 1);
    return std::pair(before, clone(x));
  });
  Tensor x = floats({1, 2});
  const auto [before, after] = step(x);
  mul_(after, 0);
  EXPECT_EQ(before.to_vector<float>(), (Floats{1, 2}));
  EXPECT_EQ(x.to_vector<float>(), (Floats{2, 3}));
}

TEST(Outputs, OfATransformAreTensorsOfTheirOwn) {
  const Tensor x = floats({1, 2});
  const auto f = [](const Tensor& t) { return std::pair(sum(t), reshape(t, {2, 1})); };
  const auto [result, gradient] = value_and_grad(f)(x);
  mul_(result.second, 0);
  EXPECT_EQ(x.to_vector<float>(), (Floats{1, 2}));
  EXPECT_EQ(gradient.to_vector<float>(), (Floats{1, 1}));
}

}  // namespace
}  // namespace ridge::outputs_test
