// A value has the same bits in all kernels that compute it: Note [Bits] in graph/graph.h.
#include <gtest/gtest.h>

#include "ridge/base/random.h"
#include "ridge/ridge.h"

namespace ridge::driver::bits_test {
namespace {

Tensor normal_of(const Shape& shape, uint64_t seed, DType dtype = f32) {
  Generator generator(seed);
  return cast(normal(shape, generator), dtype);
}

// Rows of which some element has a gradient.
int64_t rows_with_gradient(const Tensor& gradient) {
  const Tensor is_any = any(gradient != 0, {1});
  return sum(cast(is_any, i64)).item<int64_t>();
}

// x + m is computed once for the maximum and once for its gradient, where m is at hand.
template <class Extremum>
void expect_gradient_in_each_row(Extremum extremum, DType dtype) {
  const auto loss = [&](const Tensor& x, const Tensor& y) {
    const Tensor m = x * y;
    return std::pair(sum(extremum(x + m)), m);
  };
  const auto gradient = [&](const Tensor& x, const Tensor& y) {
    const auto value = [&](const Tensor& a, const Tensor& b) { return loss(a, b).first; };
    return std::pair(grad(value)(x, y), loss(x, y).second);
  };
  const Tensor x = normal_of({100, 100}, 1, dtype), y = normal_of({100, 100}, 2, dtype);
  EXPECT_EQ(rows_with_gradient(compile(gradient)(x, y).first), 100);
}

TEST(Bits, GradientsOfExtremaAreThere) {
  for (const DType dtype : {f32, f64, bf16, f16}) {
    expect_gradient_in_each_row([](const Tensor& t) { return max(t, {1}); }, dtype);
    expect_gradient_in_each_row([](const Tensor& t) { return min(t, {1}); }, dtype);
  }
}

// As reported: the function returns m beside the loss.
TEST(Bits, GradientOfTheFunctionItself) {
  const auto h = [](const Tensor& x, const Tensor& y) {
    const Tensor m = x * y;
    return std::pair(sum(max(x + m, {1})), m);
  };
  const Tensor x = normal_of({100, 100}, 3), y = normal_of({100, 100}, 4);
  set_requires_grad(x);
  auto compiled = compile(h);
  EXPECT_EQ(rows_with_gradient(gradients({compiled(x, y).first}, {x})[0]), 100);
}

// What a program stores and what it goes on computing with are the same 16 bits.
TEST(Bits, StoredAndReadAlike) {
  const auto f = [](const Tensor& x, const Tensor& y) {
    const Tensor s = x * y + x;
    const Tensor top = max(s, {1}, true);
    return std::pair(s, cast(s == top, i32));
  };
  for (const DType dtype : {f32, bf16, f16}) {
    const Tensor x = normal_of({64, 333}, 5, dtype), y = normal_of({64, 333}, 6, dtype);
    const auto [s, is_top] = compile(f)(x, y);
    const Tensor expected = cast(s == max(s, {1}, true), i32);
    EXPECT_EQ(sum(cast(is_top != expected, i64)).item<int64_t>(), 0) << name(dtype);
  }
}

// What is added to a product is computed where the product is and again for the maximum, which loads the
// product as it was stored.
TEST(Bits, ProductsAreReadAsTheyAreStored) {
  const auto f = [](const Tensor& x, const Tensor& w, const Tensor& b) {
    const Tensor r = matmul(x, w) + b;
    return std::pair(relu(r), max(r, {1}));
  };
  for (const DType dtype : {bf16, f16}) {
    const Tensor x = normal_of({96, 64}, 9, dtype), w = normal_of({64, 80}, 10, dtype);
    const auto [all, top] = compile(f)(x, w, normal_of({80}, 11, dtype));
    const Tensor differs = max(all, {1}) != relu(top);
    EXPECT_EQ(sum(cast(differs, i64)).item<int64_t>(), 0) << name(dtype);
  }
}

// A sum has the bits of its kernel, so a mask that follows from it is not computed again from another.
TEST(Bits, WhatASumDecidesIsDecidedOnce) {
  const auto loss = [](const Tensor& x, const Tensor& w) {
    const auto block = checkpoint([](const Tensor& a, const Tensor& b) {
      const Tensor scores = a * sum(a * b, {1}, true);
      return max(scores, {1});
    });
    return sum(block(x, w));
  };
  const Tensor x = normal_of({100, 257}, 7), w = normal_of({100, 257}, 8);
  const Tensor gradient = compile(grad(loss))(x, w);
  EXPECT_EQ(rows_with_gradient(gradient), 100);
}

}  // namespace
}  // namespace ridge::driver::bits_test
